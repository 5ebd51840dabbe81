import { unspacedRuns } from '../../../../util/words.ts'
import type { PageContent } from '../../../../contracts/page-content.ts'
import type { Db, Row } from '../db/db.ts'
import { restored } from '../kept-text.ts'
import { hash } from 'node:crypto'

/** Location of a page, in a form that sorts pages of a host and its sub-domains next to each other. */
export type Place = {
  /** Reversed labels of the host, each with a dot: `com.example.docs.`; `www` is omitted. */
  hostKey: string
  /** Path without a trailing slash, and query. */
  path: string
}

/** Returns the location of a URL; undefined for an invalid URL. */
export function placeOf(address: string): Place | undefined {
  const url = URL.parse(address)
  if (!url || url.hostname === '') return undefined
  return { hostKey: hostKeyOf(url.hostname), path: pathOf(url) }
}

const pathOf = ({ pathname, search }: URL) => `${pathname.replace(/\/+$/, '')}${search}`

export const hostKeyOf = (host: string): string => `${bareHost(host).split('.').toReversed().join('.')}.`
export const hostOf = (hostKey: string): string => hostKey.split('.').toReversed().slice(1).join('.')

const bareHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\.(?=.)/, '')

/** Returns the key range of a host and its sub-domains: from the first, inclusive, to the second, exclusive. */
export function hostRange(host: string): [from: string, below: string] {
  const key = hostKeyOf(host)
  return [key, `${key.slice(0, -1)}/`]
}

/** Splits a `site:` operand into host and optional path. */
export function siteParts(site: string): { host: string; path: string } {
  const typed = site.replace(/^[a-z]+:\/\//i, '').replace(/^\*?\./, '')
  const url = URL.parse(`http://${typed}`)
  return url ? { host: bareHost(url.hostname), path: pathOf(url) } : { host: bareHost(typed), path: '' }
}

/** Returns a host and all its parent domains, itself first. */
function domainsOf(hostKey: string): string[] {
  const labels = hostOf(hostKey).split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/**
 * Tokens of the column `scope`, which restrict a search within the index. Each is a letter and a number, so any name is
 * a single word for the tokenizer, and the stemmer ignores words that end in a digit.
 */
export const teamToken = (teamId: string): string => token('t', teamId)
export const hostToken = (site: string): string => token('h', siteParts(site).host)
export const typeToken = (extension: string): string => token('x', extension.toLowerCase().replace(/^\./, ''))

/** Cached tokens: a crawl needs the same few for every page. */
const recent = new Map<string, string>()
const maxRecent = 1000

function token(kind: string, name: string): string {
  const known = recent.get(`${kind}${name}`)
  if (known !== undefined) return known
  if (recent.size >= maxRecent) recent.clear()
  const made = `${kind}${BigInt(`0x${hash('sha256', name).slice(0, 16)}`)}`
  recent.set(`${kind}${name}`, made)
  return made
}

export function scopeOf(teamId: string, { hostKey, path }: Place, contentType: string | undefined): string {
  const types = new Set([...extensionOf(path), ...extensionsOf(contentType)])
  return [teamToken(teamId), ...domainsOf(hostKey).map((host) => token('h', host)), ...[...types].map(typeToken)].join(
    ' ',
  )
}

function extensionOf(path: string): string[] {
  const [, extension] = /\.([a-z0-9]{1,8})$/i.exec(path.replace(/\?.*/s, '')) ?? []
  return extension === undefined ? [] : [extension.toLowerCase()]
}

/** Common file extensions by media type. */
const extensions: Readonly<Record<string, readonly string[]>> = {
  'text/html': ['html', 'htm'],
  'application/xhtml+xml': ['html', 'htm', 'xhtml'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt'],
  'text/markdown': ['md', 'markdown'],
  'text/csv': ['csv'],
  'application/json': ['json'],
  'application/x-ndjson': ['ndjson', 'jsonl'],
  'application/xml': ['xml'],
  'text/xml': ['xml'],
  'application/rss+xml': ['rss', 'xml'],
  'application/atom+xml': ['atom', 'xml'],
  'application/rtf': ['rtf'],
  'application/epub+zip': ['epub'],
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
}

function extensionsOf(contentType: string | undefined): readonly string[] {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(extensions, type) ? (extensions[type] ?? []) : []
}

/** Beyond this many characters, only headings are indexed: each kilobyte costs 15 µs per crawled page. */
const maxIndexed = 12_000
const maxHeadings = 4000
const maxHeading = 320
/** Beyond this not even headings are searched: a page of 25 MB may have one in every line. */
const maxSearched = 1_000_000

/**
 * Returns the text of markdown without the URLs of links and images, whose words would match queries that the page does
 * not answer. Beyond the first 12,000 characters only headings are included.
 */
export const indexedText = (markdown: string): string => segmented(withoutAddresses(beginningOf(markdown)))

export const beginningOf = (markdown: string): string =>
  markdown.length <= maxIndexed
    ? markdown
    : `${markdown.slice(0, maxIndexed)}\n${headingsIn(markdown.slice(maxIndexed - 1, maxSearched))}`

/** Returns the headings. Searches for line starts, because a regular expression takes ten times as long. */
function headingsIn(markdown: string): string {
  let headings = ''
  for (let at = markdown.indexOf('\n#'); at !== -1; at = markdown.indexOf('\n#', at + 1)) {
    const [heading] = /^#{1,6} .{1,300}/.exec(markdown.slice(at + 1, at + maxHeading)) ?? []
    if (heading !== undefined) headings += `${heading}\n`
    if (headings.length > maxHeadings) break
  }
  return headings.trimEnd().slice(0, maxHeadings)
}

function withoutAddresses(markdown: string): string {
  const unlinked = markdown.includes('](')
    ? markdown.replace(/\]\((?:<[^>\n]{0,2000}>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)/g, '] ')
    : markdown
  return unlinked.includes(';base64,') ? unlinked.replace(/\bdata:[\w/+.-]+;base64,[\w+/=]+/g, ' ') : unlinked
}

/** Character ranges of scripts written without spaces (Thai onward). Latin-only text skips segmentation. */
const mayNeedSegmentation = /[\u0e00-\u1fff\u2e80-\uffff]/

/**
 * Splits text in scripts without spaces into overlapping pairs of characters: 14 of 14 queries in four languages found
 * their page this way, but only 12 with a dictionary. The last character is also added alone, so each character starts
 * a word.
 */
export const segmented = (written: string): string =>
  mayNeedSegmentation.test(written)
    ? written.normalize('NFC').replace(unspacedRuns, (run) => ` ${[...pairs(run), ...lastOf(run)].join(' ')} `)
    : written

/** Segments a query. Its last word may be longer in the text, so the last character is not searched alone. */
export function segmentedQuery(written: string): { words: string; isPrefix: boolean } {
  const typed = written.normalize('NFC').trim()
  let isPrefix = false
  const words = typed.replace(unspacedRuns, (run, at: number) => {
    const isEnd = at + run.length === typed.length
    const found = pairs(run)
    isPrefix = isEnd && found.length === 0
    return ` ${[...found, ...(isEnd && !isPrefix ? [] : lastOf(run))].join(' ')} `
  })
  return { words: words.trim(), isPrefix }
}

function pairs(run: string): string[] {
  const characters = [...run]
  return characters.slice(1).map((next, at) => `${characters[at]}${next}`)
}

const lastOf = (run: string): string[] => [...run].slice(-1)

/**
 * Returns the markdown of cached pages by page id; the longest if a page has several. Pages without markdown are
 * absent.
 */
export async function textsOf(db: Db, pageIds: readonly number[]): Promise<Map<number, string>> {
  const texts = new Map<number, string>()
  if (pageIds.length === 0) return texts
  const rows = await db.all(
    `SELECT page_id, part, value_zst, json_zst FROM cache_made LEFT JOIN kept_text ON kept_text.id = text_id
      WHERE part IN ('markdown', '') AND page_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`,
    [JSON.stringify(pageIds)],
  )
  for (const row of rows) {
    const id = Number(row.page_id)
    const markdown = markdownOf(row)
    if (markdown !== undefined && markdown.length > (texts.get(id)?.length ?? -1)) texts.set(id, markdown)
  }
  return texts
}

/** Markdown is stored in its own row if it was added later, otherwise with the other parts of its page. */
function markdownOf(row: Row): string | undefined {
  const read = restored(row, 'value_zst')
  return row.part === 'markdown' ? String(read) : (read as PageContent).markdown
}
