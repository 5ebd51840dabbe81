import type { Part } from '../../kernel/operation.ts'

/** Lines of our own, outside of the block that marks the words of others. */
export const ownWords = (...lines: readonly string[]): Part => ({ kind: 'text', text: lines.join('\n') })

/** Names of files, titles and addresses are what others chose. */
export const listOfTeam = (label: string, text: string): Part => ({
  kind: 'page',
  label,
  origin: 'jobs of the team',
  text,
})

export const minuteOf = (iso: string) => iso.slice(0, 16).replace('T', ' ')

export const countsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

/**
 * URLs written once as what all of them begin with, and for each the whole rest on one line. `base` ends before a slash and is
 * empty where they have no site in common, or where there is one URL alone.
 */
export function splitUrls(urls: readonly string[]): { base: string; rests: readonly string[] } {
  const base = urls.length < 2 ? '' : commonBase(urls)
  return { base, rests: urls.map((url) => oneLine(url.slice(base.length))) }
}

/** The heading of such rests. */
export const urlColumn = (base: string) => (base === '' ? 'URL' : `path below ${base}`)

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

/** Where the name of the site ends, if all of it is there: a slash follows. */
const siteEnd = (url: string): number => url.indexOf('/', url.indexOf('://') + 3)

/** As a table: its columns are named in the first line, cells hold no line breaks. */
export function tableOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, ...rows].map((cells) => cells.join(' | ')).join('\n')
}

/** One line, of at most so many characters. */
export function shortened(text: string, max = 200): string {
  const line = oneLine(text)
  return line.length > max ? `${line.slice(0, max)}…` : line
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** What sites put between the name of a page and their own. */
const sign = /[·|•–—-]/
/** A longer ending (characters) is no name of a site. Titles are as long as pages make them, so no more of each is looked at. */
const maxEnding = 100

/** Titles without the name of the site, where most of them end with the same. */
export function withoutSiteName(titles: readonly string[]): readonly string[] {
  const endings = Map.groupBy(titles, endingOf)
  const [common] = [...endings].find(([text, all]) => text !== undefined && isMost(all.length, titles.length)) ?? []
  if (common === undefined) return titles
  return titles.map((title) => (title.endsWith(common) ? title.slice(0, -common.length) : title))
}

/** The last sign between spaces, and what follows it. */
function endingOf(title: string): string | undefined {
  const end = title.slice(-maxEnding)
  for (let at = end.length - 2; at > 0; at--)
    if (sign.test(end.charAt(at)) && isSpace(end.charAt(at - 1)) && isSpace(end.charAt(at + 1)))
      return end.slice(at - 1)
  return undefined
}

const isSpace = (character: string) => /\s/.test(character)

const isMost = (count: number, all: number) => count > 2 && count > all / 2
