import { isUtf8 } from 'node:buffer'
import { guessByLanguage, guessUtf16 } from './charset-guess.ts'
import { knownCharset } from './charset-label.ts'
import { prescan } from './charset-prescan.ts'

/**
 * Decodes a page. The charset comes from, in this order: byte order mark, Content-Type, the page's own declaration
 * (meta or XML), valid UTF-8, a guess by language, windows-1252. `charset` is its WHATWG name in lower case.
 * Bytes that do not fit become U+FFFD; nothing fails.
 */
export function decodeText(body: Uint8Array, contentType: string | undefined): { text: string; charset: string } {
  const charset = bomOf(body) ?? knownCharset(labelIn(contentType)) ?? prescan(body) ?? undeclared(body)
  return { text: new TextDecoder(charset).decode(body), charset }
}

function bomOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function labelIn(contentType = ''): string | undefined {
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(contentType)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

function undeclared(body: Uint8Array): string {
  // UTF-16 first: with its zero bytes, ASCII text in it passes for UTF-8.
  return guessUtf16(body) ?? (isUtf8(body) ? 'utf-8' : (guessByLanguage(body) ?? 'windows-1252'))
}
