import { isUtf8 } from 'node:buffer'
import { cleanText } from '../../html/hygiene.ts'
import { decodeText } from '../../net/charset.ts'
import type { Source } from '../converter.ts'

/**
 * The text of a file with line ends "\n", without characters that nobody sees. A charset that it names inside counts for markup only: a text
 * about HTML may hold any declaration.
 */
export function textOf(source: Pick<Source, 'bytes' | 'contentType'>): string {
  return cleanText(decoded(source).replace(/\r\n?/g, '\n'))
}

function decoded({ bytes, contentType }: Pick<Source, 'bytes' | 'contentType'>): string {
  const isPlainUtf8 = !/;\s*charset\s*=/i.test(contentType ?? '') && !bytes.subarray(0, 64).includes(0) && isUtf8(bytes)
  return isPlainUtf8 ? new TextDecoder().decode(bytes) : decodeText(bytes, contentType).text
}

/** A block of code; its fence is longer than any inside. */
export function fenced(text: string, language: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}\n`
}
