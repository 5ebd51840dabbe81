import { isUtf8 } from 'node:buffer'
import { guessByLanguage, guessUtf16 } from './guess.ts'

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

/**
 * Looks for a charset declared in the first 1024 bytes: "prescan a byte stream to determine its encoding" and "get an
 * XML encoding" of the WHATWG HTML standard (13.2.3.2). Undefined if there is none.
 */
function prescan(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, 1024)).toString('latin1')
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le'
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be'
  return inMeta(head) ?? inXml(head)
}

function inMeta(head: string): string | undefined {
  let at = head.indexOf('<')
  while (at !== -1) {
    const { charset, end } = stepAt(head, at)
    if (charset !== undefined) return charset
    at = end === -1 ? -1 : head.indexOf('<', end)
  }
  return undefined
}

/** What the `<` at a position begins, and where to look on; -1 where that is beyond the head. */
function stepAt(head: string, at: number): { end: number; charset?: string | undefined } {
  // The dashes of "<!--" may also be those of "-->".
  if (head.startsWith('<!--', at)) return { end: head.indexOf('-->', at + 2) }
  if (matchAt(/<[!/?](?![a-z])|<[!?]/iy, head, at)) return { end: head.indexOf('>', at) }
  const tag = matchAt(/<\/?[a-z][^\t\n\f\r />]*/iy, head, at)
  if (!tag) return { end: at + 1 }
  const { attributes, end } = attributesFrom(head, at + tag[0].length)
  return { end, charset: /^<meta$/i.test(tag[0]) ? charsetOf(attributes) : undefined }
}

const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >]*)))?/y

function attributesFrom(head: string, start: number): { attributes: ReadonlyMap<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let end = start
  for (let found = matchAt(attribute, head, end); found; found = matchAt(attribute, head, end)) {
    const [whole, name = '', double, single, bare = ''] = found
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare)
    end += whole.length
  }
  return { attributes, end }
}

function charsetOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const isPragma = attributes.get('http-equiv')?.trim().toLowerCase() === 'content-type'
  const label = attributes.get('charset') ?? (isPragma ? labelInContent(attributes.get('content')) : undefined)
  return declared(label)
}

function labelInContent(content = ''): string | undefined {
  const found = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/i.exec(content)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

function inXml(head: string): string | undefined {
  const found = /^<\?xml[^>]*?encoding\s*=\s*(?:"([^"\s]*)"|'([^'\s]*)')/.exec(head)
  return declared(found?.[1] ?? found?.[2])
}

/** A declaration that could be read as ASCII cannot be in UTF-16; x-user-defined means bytes as they are. */
function declared(label: string | undefined): string | undefined {
  if (label?.trim().toLowerCase() === 'x-user-defined') return 'windows-1252'
  const charset = knownCharset(label?.trim())
  return charset?.startsWith('utf-16') ? 'utf-8' : charset
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The WHATWG name behind a label such as "latin1"; undefined if there is none. */
function knownCharset(label: string | undefined): string | undefined {
  if (label === undefined || label === '') return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
