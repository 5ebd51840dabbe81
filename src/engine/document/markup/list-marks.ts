import type { Block } from './block-markup.ts'
import { escapeHtml } from './inline-markup.ts'

/** Maximum characters of a mark, which every item repeats. */
const maxMark = 50

/**
 * Builds a list item from its mark as shown; the mark of a bullet is empty. A mark that markdown does not have, such as
 * "(a)" or "2.1", stays in the text, because other places refer to it.
 */
export function listItem(level: number, mark: string, number: number | undefined, html: string): Block {
  const shown = mark.trim().slice(0, maxMark)
  if (number !== undefined && /^(?:\d+|[a-z]+)?[.):]?$/i.test(shown)) return { kind: 'item', level, number, html }
  return { kind: 'item', level, html: shown === '' ? html : `${escapeHtml(shown)} ${html}` }
}

/** Writes a number in a format of Word, such as `upperRoman`; unknown formats as digits. */
export function formatNumber(number: number, format: string): string {
  if (/roman/i.test(format)) return cased(roman(number), format)
  if (/letter/i.test(format)) return cased(letters(number), format)
  return format === 'decimalZero' && number < 10 ? `0${number}` : String(number)
}

const cased = (text: string, format: string) => (format.startsWith('upper') ? text.toUpperCase() : text)

const romanSigns = 'm1000 cm900 d500 cd400 c100 xc90 l50 xl40 x10 ix9 v5 iv4 i1'
  .split(' ')
  .map((pair): [string, number] => [pair.replace(/\d+/, ''), Number(pair.replace(/\D+/, ''))])

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number)
  let left = number
  let text = ''
  for (const [sign, value] of romanSigns) {
    text += sign.repeat(Math.floor(left / value))
    left %= value
  }
  return text
}

/** Numbers a … z, then aa, bb …, like word processors. */
function letters(number: number): string {
  if (number < 1 || number > 780) return String(number)
  return String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}
