import { decodeHTMLStrict } from 'entities/decode'
import { sanitiseLine } from '../../../../util/sanitise-text.ts'

const tag = /<!--[^]*?-->|<\/?[a-z][\w:-]*(?:\s[^<>]*)?\/?>/gi
const blockTag = /<\/?(?:p|br|div|li|ul|ol|tr|td|h\d|(?:jats:)?(?:p|title|sec))\b[^<>]*>/gi

const maxChars = 600
/** Titles and snippets are shorter; the rest is not worth the time. */
const maxRead = 20_000

/** Text on one line, without characters that show nothing. */
export const collapseWhitespace = (value: string): string => sanitiseLine(value.slice(0, maxRead))

/** The text of an HTML fragment on one line: tags removed, character references resolved. */
export const fromHtml = (html: string): string =>
  collapseWhitespace(decodeHTMLStrict(html.slice(0, maxRead).replace(blockTag, ' ').replace(tag, '')))

/** At most `max` characters, cut at a word boundary, with an ellipsis. */
export function truncate(value: string, max = maxChars): string {
  if (value.length <= max) return value
  const cut = value.slice(0, max - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
