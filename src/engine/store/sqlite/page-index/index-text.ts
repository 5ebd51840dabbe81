import { unspacedRuns } from '../../../../util/words.ts'
import type { PageContent } from '../../../../contracts/page-content.ts'
import { text, type Db, type Row } from '../db/db.ts'
import { joined } from '../kept-text.ts'
import { hash } from 'node:crypto'

/** Where a page is, in the form in which pages of one host and of its sub-domains are neighbours. */
export type Place = {
  /** Labels of the host from the last to the first, each with a dot: `com.example.docs.`; `www` does not count. */
  hostKey: string
  /** Path without a closing slash, and query. */
  path: string
}

/** Undefined for what is no address of a page. */
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

/** Keys of a host and its sub-domains are those from the first to below the second. */
export function hostRange(host: string): [from: string, below: string] {
  const key = hostKeyOf(host)
  return [key, `${key.slice(0, -1)}/`]
}

/** A host, and the path where one was typed behind it, as `site:` takes them. */
export function siteParts(site: string): { host: string; path: string } {
  const typed = site.replace(/^[a-z]+:\/\//i, '').replace(/^\*?\./, '')
  const url = URL.parse(`http://${typed}`)
  return url ? { host: bareHost(url.hostname), path: pathOf(url) } : { host: bareHost(typed), path: '' }
}

/** A host and all that it is a sub-domain of, itself first. */
function domainsOf(hostKey: string): string[] {
  const labels = hostOf(hostKey).split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/**
 * Words of the column `scope`, by which a search is narrowed inside the index. They are numbers: whatever a name holds,
 * it is one word for the tokenizer, and the stemmer leaves words alone that end in a digit.
 */
export const teamToken = (teamId: string): string => token('t', teamId)
export const hostToken = (site: string): string => token('h', siteParts(site).host)
export const typeToken = (extension: string): string => token('x', extension.toLowerCase().replace(/^\./, ''))

/** A crawl asks for the same few with each page. */
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

/** What people call the types of files that pages are sent as. */
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

/** Each kilobyte costs 15 µs, which a crawl pays for every page. */
export const maxIndexed = 12_000
const maxHeadings = 4000
/** Behind that not even headings are looked for: a page of 25 MB may have one in each of its lines. */
const maxSearched = 1_000_000

/**
 * The words of markdown without the addresses of its links and pictures, which would be found instead of pages about them.
 * Of what lies behind the first 12,000 characters only headings are taken.
 */
export const indexedText = (markdown: string): string => parted(withoutAddresses(beginningOf(markdown)))

export const beginningOf = (markdown: string): string =>
  markdown.length <= maxIndexed
    ? markdown
    : `${markdown.slice(0, maxIndexed)}\n${headingsIn(markdown.slice(maxIndexed, maxSearched))}`

function headingsIn(markdown: string): string {
  let headings = ''
  for (const [heading] of markdown.matchAll(/^#{1,6} .{1,300}/gm)) {
    headings += `${heading}\n`
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

/** A script that may not part its words, the first of which is Thai. In text that is Latin to the last letter nothing is looked at. */
const mayNeedParting = /[\u0e00-\u1fff\u2e80-\uffff]/

/**
 * Text whose scripts do not part words by spaces as overlapping pairs of characters: 14 of 14 queries in four languages
 * found their page so, and 12 with a dictionary. The last character stands alone too, so that each begins a word.
 */
export const parted = (written: string): string =>
  mayNeedParting.test(written)
    ? written.normalize('NFC').replace(unspacedRuns, (run) => ` ${[...pairs(run), ...lastOf(run)].join(' ')} `)
    : written

/** The same for what is looked for. What ends it may go on in the text, so that its last character is not asked for alone. */
export function partedQuery(written: string): { words: string; isPrefix: boolean } {
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

/** The markdown of cached pages, by page; of several that were made of one the longest. Pages without are absent. */
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

/** By itself where it was made later, or with the other parts of its page. */
function markdownOf(row: Row): string | undefined {
  const read: unknown = JSON.parse(text(joined(row, 'value_zst')))
  return row.part === 'markdown' ? String(read) : (read as PageContent).markdown
}
