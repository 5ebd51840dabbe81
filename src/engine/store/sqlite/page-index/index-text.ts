import { unspacedRuns } from '../../../../util/words.ts'
import type { PageContent } from '../../../../contracts/page-content.ts'
import { text } from '../db/columns.ts'
import type { Db, Row } from '../db/db.ts'
import { joined } from '../kept-text.ts'

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
