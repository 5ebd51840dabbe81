import type { Offered, Part, Presentation } from '../../kernel/operation.ts'
import { sanitiseText } from '../../util/sanitise-text.ts'

/** Our own lines, outside the block that marks text from others. */
export const ownWords = (...lines: readonly string[]): Part => ({ kind: 'text', text: lines.join('\n') })

/** A list from the team's records, marked as page text because others choose file names, titles and URLs. */
export const listOfTeam = (label: string, text: string): Part => ({
  kind: 'page',
  label,
  origin: 'jobs of the team',
  text,
})

export const minuteOf = (iso: string) => iso.slice(0, 16).replace('T', ' ')

/**
 * Splits URLs into a common base and the rest of each, on one line. `base` ends before a slash; it is empty for a
 * single URL or URLs of different sites.
 */
export function splitUrls(urls: readonly string[]): { base: string; rests: readonly string[] } {
  const base = urls.length < 2 ? '' : commonBase(urls)
  return { base, rests: urls.map((url) => oneLine(url.slice(base.length))) }
}

function commonBase([first = '', ...others]: readonly string[]): string {
  let base = first.replace(/[?#].*/, '')
  for (const url of others) while (!url.startsWith(base)) base = base.slice(0, sharedLength(base, url))
  return base.slice(0, siteEnd(base) < 0 ? 0 : Math.max(0, base.lastIndexOf('/')))
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

/** End of the site's name, marked by the slash that follows; -1 if it is incomplete. */
const siteEnd = (url: string): number => url.indexOf('/', url.indexOf('://') + 3)

/** A table: the first line names the columns; cells contain no line breaks. */
export function tableOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, ...rows].map((cells) => cells.join(' | ')).join('\n')
}

/** The text on one line, with at most `max` characters. */
export function shortened(text: string, max = 200): string {
  const line = oneLine(text)
  return line.length > max ? `${line.slice(0, max)}…` : line
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Separators between the title of a page and the name of its site. */
const separator = /[·|•–—-]/
/** Maximum length of a site name. Titles can be of any length, so only this much of each is examined. */
const maxEnding = 100

/** Titles without the site's name, if most of them share the same ending. */
export function withoutSiteName(titles: readonly string[]): readonly string[] {
  const endings = Map.groupBy(titles, endingOf)
  const [common] = [...endings].find(([text, all]) => text !== undefined && isMost(all.length, titles.length)) ?? []
  if (common === undefined) return titles
  return titles.map((title) => (title.endsWith(common) ? title.slice(0, -common.length) : title))
}

/** A title without its last separator and the text after it, which usually is the site's name. */
export const withoutEnding = (title: string): string => title.slice(0, title.length - (endingOf(title)?.length ?? 0))

/** The last separator surrounded by spaces, and the text after it. */
function endingOf(title: string): string | undefined {
  const end = title.slice(-maxEnding)
  for (let at = end.length - 2; at > 0; at--)
    if (separator.test(end.charAt(at)) && isSpace(end.charAt(at - 1)) && isSpace(end.charAt(at + 1)))
      return end.slice(at - 1)
  return undefined
}

const isSpace = (character: string) => /\s/.test(character)

const isMost = (count: number, all: number) => count > 2 && count > all / 2

/** True if the host was offered `fetch` instead of `scrape`: it parses the answers of `search` and `fetch`. */
export const isForResearch = (offered: Offered): boolean => offered.has('fetch') && !offered.has('scrape')

/** An answer for such a host, without marks around the text of pages because the host parses it as JSON. */
export const jsonAnswer = (value: object): Presentation => ({
  parts: [ownWords(sanitiseText(JSON.stringify(value)))],
  isJson: true,
})
