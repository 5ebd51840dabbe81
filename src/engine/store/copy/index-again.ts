import type { IndexedPage } from '../../../contracts/pages/page-index.ts'
import { jsonRecord, text } from '../sqlite/db/columns.ts'
import type { Db, Row } from '../sqlite/db/db.ts'
import { writeEntries } from '../sqlite/page-index/entries.ts'
import type { FullText } from '../sqlite/page-index/full-text.ts'
import { textsOf } from '../sqlite/page-index/index-text.ts'
import type { Claim } from './claim-target.ts'

const slice = 50

/** Puts every page of one index into another, whose full text is of another kind. Returns how many. */
export async function indexAgain(from: Db, to: { db: Db; fullText: FullText }, claim: Claim): Promise<number> {
  let last = -1
  let put = 0
  for (;;) {
    const rows = await from.all(
      `SELECT entry.page_id, page.key, page.headers, entry.team_id, entry.url, entry.title, entry.description, page.fetched_at
        FROM page_entry AS entry JOIN cache_page AS page ON page.id = entry.page_id
        WHERE entry.page_id > ? ORDER BY entry.page_id LIMIT ${slice}`,
      [last],
    )
    const texts = await textsOf(
      from,
      rows.map(({ page_id }) => Number(page_id)),
    )
    await writeEntries(
      to.db,
      to.fullText,
      rows.map((row) => pageOf(row, texts.get(Number(row.page_id)) ?? '')),
    )
    const [renewed] = await to.db.transaction([claim.renewal()])
    claim.check(renewed?.changes)
    put += rows.length
    if (rows.length < slice) return put
    last = Number(rows.at(-1)?.page_id)
  }
}

const pageOf = (row: Row, markdown: string): IndexedPage => ({
  cacheKey: text(row.key),
  teamId: text(row.team_id),
  url: text(row.url),
  title: text(row.title),
  description: text(row.description),
  text: markdown,
  fetchedAt: Number(row.fetched_at),
  contentType: jsonRecord(row.headers)['content-type'],
})
