/**
 * URLs written once as what all of them begin with, and for each the whole rest on one line. `base` ends before a slash and is
 * empty where they have no site in common, or where there is one URL alone.
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

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
