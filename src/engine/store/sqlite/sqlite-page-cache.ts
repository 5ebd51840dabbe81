import type { Log } from '../../../kernel/log.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import type { CachedPage, PageCache } from '../../../contracts/stored-pages.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { bytes, jsonRecord, text, type Db, type Row } from './db/db.ts'
import { piecesOf, restored } from './kept-text.ts'
import { createWriter } from './page-index/entries.ts'
import { addMadeParts, bodyDigest, digestBytes, entryOf, type PageEntry, withPage, writePages } from './page-writes.ts'

/**
 * Caches pages with their bodies and derived parts, kept under `maxBytes` (as stored, compressed) by removing the least
 * recently used. The cache never fails a call: a failed read is a miss, a failed write is dropped, and both are logged.
 * Writes are not awaited, except by a call for the same page, or by closing; the write is then done immediately.
 */
export function createPageCache(
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  maxBytes: number,
): PageCache & { idle(): Promise<void> } {
  const cap = createCap(db, maxBytes)
  const recent: Recent = new Map()
  const logFailure = (cause: unknown): undefined => void log.warn('page cache failed', { cause })
  const writer = createWriter<PageEntry>(
    async (entries) => {
      const pages = latestOf(entries)
      const written = await writePages(db, pages, clock.now()).catch(() => undefined)
      if (written !== undefined) return cap.grew(written)
      // One page that cannot be written must not prevent the others from being written.
      for (const page of pages) await writePages(db, [page], clock.now()).then(cap.grew).catch(logFailure)
    },
    logFailure,
    ({ weight }) => weight,
    together,
  )
  /** Pending writes by page. */
  const writing = new Map<string, Promise<void>>()

  const write = (key: string, work: Promise<void>): Promise<void> => {
    const all = Promise.all([work.catch(logFailure), writing.get(key)])
    const written: Promise<void> = all
      .then(() => undefined)
      .finally(() => {
        if (writing.get(key) === written) writing.delete(key)
      })
    writing.set(key, written)
    return written
  }
  const afterWrites = async <T>(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> => {
    const written = writing.get(key)
    if (written) await Promise.all([writer.idle(), written])
    return read().catch(logFailure)
  }

  return {
    find: (key) =>
      afterWrites(
        key,
        async () => (await findRecent(db, recent, key, clock.now())) ?? findPage(db, recent, key, clock.now()),
      ),
    body: (key) => afterWrites(key, () => findBody(db, key)),
    madeOfSame: (key, page, body) => afterWrites(key, () => findSame(db, key, page, body)),
    // Not async: an async function holds its arguments, and with them the texts of the page, until it ends.
    keep(key, page, body) {
      const isTooLarge = body.byteLength > maxBytes
      if (isTooLarge) log.debug('page too large for the cache', { bytes: body.byteLength })
      return isTooLarge ? Promise.resolve() : write(key, writer.put(entryOf(key, page, body)))
    },
    addMade: (key, fetchedAt, variant, parts) =>
      write(key, addMadeParts(db, key, fetchedAt, variant, parts).then(cap.grew)),
    idle: async () => void (await Promise.all([writer.idle(), ...writing.values()])),
  }
}

/** If a page was fetched several times, keeps the latest fetch. */
const latestOf = (entries: readonly PageEntry[]): PageEntry[] => [
  ...new Map(
    entries
      .toSorted(({ facts: one }, { facts: other }) => one.fetchedAt - other.fetchedAt)
      .map((entry) => [entry.facts.key, entry]),
  ).values(),
]

const touchedAgainAfterMs = 60_000

/** Recently found pages by key, oldest first, with their size and the facts of their row, which every write changes. */
type Recent = Map<string, { page: CachedPage; facts: string; size: number }>
const mostRecent = { pages: 100, bytes: 8 * 2 ** 20 }
const factsOf = ({ id, fetched_at: fetchedAt, bytes: size, digest }: Row) => [id, fetchedAt, size, digest].join(' ')

/** Returns the page without reading it again if its row is unchanged. */
async function findRecent(db: Db, recent: Recent, key: string, now: number): Promise<CachedPage | undefined> {
  const known = recent.get(key)
  if (!known) return undefined
  recent.delete(key)
  const [row] = await db.all('SELECT id, fetched_at, bytes, digest, used_at FROM cache_page WHERE key = ?', [key])
  if (!row || factsOf(row) !== known.facts) return undefined
  touch(db, row, now)
  recent.set(key, known)
  return known.page
}

function remember(recent: Recent, key: string, page: CachedPage, rows: readonly Row[]): void {
  const pieces = rows.flatMap((row) => piecesOf(row, 'value_zst'))
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  recent.set(key, { page, facts: factsOf(rows[0] ?? {}), size })
  let total = [...recent.values()].reduce((sum, each) => sum + each.size, 0)
  for (const [oldest, { size: freed }] of recent) {
    if (recent.size <= mostRecent.pages && total <= mostRecent.bytes) return
    recent.delete(oldest)
    total -= freed
  }
}

async function findPage(db: Db, recent: Recent, key: string, now: number): Promise<CachedPage | undefined> {
  const rows = await db.all(
    `SELECT page.*, made.variant, made.part, made.value_zst, text.json_zst, text.digest AS text_digest FROM cache_page page
      LEFT JOIN cache_made made ON made.page_id = page.id
      LEFT JOIN kept_text text ON text.id = made.text_id
      WHERE page.key = ?`,
    [key],
  )
  const [first] = rows
  if (first === undefined) return undefined
  touch(db, first, now)
  const page = {
    fetchedAt: Number(first.fetched_at),
    url: text(first.url),
    status: Number(first.status),
    headers: jsonRecord(first.headers),
    made: madeOf(rows),
  }
  remember(recent, key, page, rows)
  return page
}

/** Updates the last use at most once a minute, so hits remain reads; a lost update only ages the page slightly. */
function touch(db: Db, row: Row, now: number): void {
  if (now - Number(row.used_at) < touchedAgainAfterMs) return
  db.run('UPDATE cache_page SET used_at = ? WHERE id = ?', [now, row.id ?? null]).catch(() => undefined)
}

async function findBody(db: Db, key: string): Promise<Uint8Array | undefined> {
  const [row] = await db.all(
    'SELECT body_zst FROM cache_body WHERE page_id = (SELECT id FROM cache_page WHERE key = ?)',
    [key],
  )
  return row && bytes(row.body_zst)
}

type Facts = Pick<CachedPage, 'url' | 'headers'>

/** Returns the parts of a page if they were created from the same body, URL and content type. */
async function findSame(db: Db, key: string, page: Facts, body: Uint8Array): Promise<CachedPage['made'] | undefined> {
  const rows = await db.all(
    `SELECT page.url, page.headers, made.variant, made.part, made.value_zst, text.json_zst, text.digest AS text_digest FROM cache_page page
      JOIN cache_made made ON made.page_id = page.id
      LEFT JOIN kept_text text ON text.id = made.text_id
      WHERE page.key = ? AND substr(page.digest, 1, ${digestBytes}) = ?`,
    [key, bodyDigest(body)],
  )
  const [first] = rows
  const isSame = first && text(first.url) === page.url && typeOf(jsonRecord(first.headers)) === typeOf(page.headers)
  return isSame ? madeOf(rows) : undefined
}

const typeOf = (headers: CachedPage['headers']) => headers['content-type']

const isFromPage = (row: Row): number => Number(row.part === withPage)

/** Parts added later replace those stored with the page. */
function madeOf(rows: readonly Row[]): Record<string, PageContent> {
  const made: Record<string, PageContent> = {}
  for (const row of rows.toSorted((one, other) => isFromPage(other) - isFromPage(one))) {
    if (row.variant === null) continue
    const variant = text(row.variant)
    const value = restored(row, 'value_zst')
    made[variant] = { ...made[variant], ...(isFromPage(row) ? (value as PageContent) : { [text(row.part)]: value }) }
  }
  return made
}

/**
 * Limits of a batch. Packing `maxWeight` bytes blocks the database for about 10 ms. A process that dies loses the pages
 * of at most `gatheringMs`.
 */
const together = { gatheringMs: 200, maxBatch: 32, maxWeight: 2 ** 21 }

/**
 * Limits the size. Measuring the cache requires an index scan, so it is done once per `slack` bytes written, and pages
 * are removed down to one slack below the limit: between two measurements the writes of one process cannot exceed the
 * limit.
 */
function createCap(db: Db, maxBytes: number): { grew(added: number): Promise<void> } {
  const slack = Math.min(maxBytes / 32, 8 * 2 ** 20)
  let unmeasured = slack
  return {
    async grew(added) {
      unmeasured += added
      if (unmeasured < slack) return
      unmeasured = 0
      await evict(db, maxBytes - slack)
    },
  }
}

const pagesASlice = 64

/**
 * Deletes pages, least recently used first, until the cache takes at most `targetBytes`; in slices so other calls can
 * run in between.
 */
async function evict(db: Db, targetBytes: number): Promise<void> {
  let excess = (await totalBytes(db)) - targetBytes
  while (excess > 0) {
    const deleted = await db.run(deleteOldest, [pagesASlice, excess])
    if (deleted === 0) return
    excess = (await totalBytes(db)) - targetBytes
  }
}

/** Selects the oldest pages until enough bytes are freed. */
const deleteOldest = `DELETE FROM cache_page WHERE id IN (
  SELECT id FROM (
    SELECT id, SUM(bytes) OVER (ORDER BY used_at, id) - bytes AS freed_before
    FROM (SELECT id, used_at, bytes FROM cache_page ORDER BY used_at, id LIMIT ?) AS oldest
  ) AS measured WHERE freed_before < ?)`

async function totalBytes(db: Db): Promise<number> {
  const [row] = await db.all('SELECT SUM(bytes) AS total FROM cache_page')
  return Number(row?.total ?? 0)
}
