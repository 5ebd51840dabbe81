import type { Converter } from '../converter.ts'
import { fenced, textOf } from './decode.ts'
import { indented } from './json-format.ts'

/** Longer texts stay on the lines they came on: indenting makes them half as long again. */
const maxIndentedChars = 1_000_000

/** JSON that came on one line is set on many; its numbers and strings stay as they were written. */
export const readJson: Converter = (source) => {
  const text = textOf(source).trim()
  const isMinified = !text.includes('\n') && text.length < maxIndentedChars
  return { markdown: fenced((isMinified && indented(text)) || text, 'json') }
}

export const readNdjson: Converter = (source) => ({ markdown: fenced(textOf(source).trim(), 'json') })
