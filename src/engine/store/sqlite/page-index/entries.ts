import { hash } from 'node:crypto'
import type { IndexedPage } from '../../../../contracts/stored-pages.ts'
import type { Db, Row, Statement } from '../db/db.ts'
import type { FullText, PageWords } from './full-text.ts'
import { beginningOf, indexedText, segmented, type Place, placeOf, scopeOf } from './index-text.ts'
import { percentDecoded } from '../../../../util/words.ts'

const maxTitle = 500
const maxDescription = 1000

/**
 * Writes entries for pages whose fetch is in the cache; other pages are ignored. Earlier entries of these pages are
 * replaced; unchanged text is not written again.
 */
export async function writeEntries(db: Db, fullText: FullText, pages: readonly Placed[]): Promise<void> {
  const found = lastOfEach(pages)
  const rows = await db.all(selectPages, [JSON.stringify(found.map(askedOf))])
  const changed = rows.filter((row) => !isKnown(row)).flatMap(({ nth }) => found[Number(nth)] ?? [])
  const writes = changed.length > 0 ? [insertEntries(changed), ...fullText.write(changed.map(wordsOf))] : []
  await db.transaction([refreshEntries(rows.filter(isKnown)), ...writes])
}

const isKnown = ({ digest, known }: Row) => digest === known

/** If a page was added twice, keeps the last: a database may refuse to write a row twice in one statement. */
const lastOfEach = (pages: readonly Placed[]): Placed[] => [
  ...new Map(pages.map((page) => [`${page.fetchedAt} ${page.cacheKey}`, page])).values(),
]

/** A page as stored in the index: with its place and digest, and only the beginning of its text. */
export type Placed = IndexedPage & { place: Place; digest: string }

/** Returns the page as stored; empty if its URL has no host. */
export function placed(page: IndexedPage): Placed[] {
  const place = placeOf(page.url)
  const [title, description] = [oneLine(page.title, maxTitle), oneLine(page.description, maxDescription)]
  const { teamId, url, contentType = '' } = page
  const text = beginningOf(page.text)
  const digest = hash('sha256', `${JSON.stringify([teamId, url, contentType, title, description])}${text}`)
  return place ? [{ ...page, title, description, text, place, digest }] : []
}

const askedOf = ({ cacheKey: key, fetchedAt, digest }: Placed) => ({ key, fetchedAt, digest })

/** Selects the pages ordered by number: FTS5 flushes its buffer to disk whenever a lower number follows. */
const selectPages = `SELECT input.key AS nth, page.id, input.value ->> 'digest' AS digest, lower(hex(entry.digest)) AS known
  FROM json_each(?) AS input
  CROSS JOIN cache_page AS page ON page.key = input.value ->> 'key' AND page.fetched_at = CAST(input.value ->> 'fetchedAt' AS BIGINT)
  LEFT JOIN page_entry AS entry ON entry.page_id = page.id ORDER BY page.id`

const refreshEntries = (same: readonly Row[]): Statement => ({
  sql: `UPDATE page_entry SET fetched_at = (SELECT fetched_at FROM cache_page WHERE id = page_id)
    WHERE page_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`,
  params: [JSON.stringify(same.map(({ id }) => id))],
})

const insertEntries = (pages: readonly Placed[]): Statement => ({
  sql: `INSERT INTO page_entry (page_id, team_id, host_key, path, url, title, description, digest, fetched_at)
    SELECT page.id, value ->> 'teamId', value ->> 'hostKey', value ->> 'path', value ->> 'url', value ->> 'title',
      value ->> 'description', unhex(value ->> 'digest'), page.fetched_at
    FROM json_each(?) AS input
    CROSS JOIN cache_page AS page ON page.key = value ->> 'key' AND page.fetched_at = CAST(value ->> 'fetchedAt' AS BIGINT)
    WHERE TRUE ON CONFLICT (page_id) DO UPDATE SET host_key = excluded.host_key, path = excluded.path, url = excluded.url,
      title = excluded.title, description = excluded.description, digest = excluded.digest, fetched_at = excluded.fetched_at`,
  params: [
    JSON.stringify(pages.map(({ cacheKey: key, place, ...facts }) => ({ ...facts, ...place, key, text: undefined }))),
  ],
})

const wordsOf = (page: Placed): PageWords => ({
  cacheKey: page.cacheKey,
  fetchedAt: page.fetchedAt,
  scope: scopeOf(page.teamId, page.place, page.contentType),
  url: segmented(readable(page.url)),
  title: segmented(page.title),
  body: `${segmented(page.description)} ${indexedText(page.text)}`,
})

const oneLine = (text: string, most: number) =>
  text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)

/** Returns a URL as searchable text, without its scheme. */
function readable(url: string): string {
  const bare = url.replace(/^[a-z]+:\/\//i, '').slice(0, 2000)
  return bare.includes('%') ? percentDecoded(bare) : bare
}

/**
 * A page in its own transaction costs four times as much as one in a batch of 50; larger batches save no more. Writing
 * text of this weight blocks the database for about 50 ms.
 */
const usualBatches = { gatheringMs: 1000, maxBatch: 1024, maxWeight: 2 ** 21 }

type Batch<T> = { items: T[]; weight: number; written: Promise<void>; release(): void }

/**
 * Writes one batch at a time. An item after a quiet time is written immediately; following items are collected for
 * `gatheringMs`. `put` resolves when its item is written; `idle` flushes all items and resolves when they are written.
 * Neither rejects; errors are passed to `logFailure`.
 */
export function createWriter<T>(
  write: (items: readonly T[]) => Promise<void>,
  logFailure: (cause: unknown, items: number) => void,
  weigh: (item: T) => number,
  { gatheringMs, maxBatch, maxWeight } = usualBatches,
): { put(item: T): Promise<void>; idle(): Promise<void> } {
  let open: Batch<T> | undefined
  let last = Promise.resolve()
  let quietAt = -Infinity
  const flushed = async (items: readonly T[], before: Promise<unknown>) => {
    await before
    if (open?.items === items) open = undefined
    quietAt = performance.now() + gatheringMs
    await write(items).catch((cause: unknown) => logFailure(cause, items.length))
  }
  const begin = (): Batch<T> => {
    const items: T[] = []
    const { promise: gathered, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.max(0, quietAt - performance.now()))
    const written = flushed(items, Promise.all([gathered, last]))
    last = written
    const release = () => {
      clearTimeout(timer)
      resolve()
    }
    return { items, weight: 0, written, release }
  }
  return {
    put(item) {
      open ??= begin()
      const { items, written, release } = open
      items.push(item)
      open.weight += weigh(item)
      if (items.length >= maxBatch || open.weight >= maxWeight) {
        release()
        open = undefined
      }
      return written
    },
    idle() {
      open?.release()
      return last
    },
  }
}
