import { keyvStorageCapability, type KeyvStorageEntry } from 'keyv'
import { bytes, jsonRecord, text } from './db/columns.ts'
import { type Db, packed, type Row, type Statement } from './db/db.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import type { CachedPage } from '../../../contracts/pages/page-cache.ts'
import type { Clock } from '../../../contracts/ports.ts'

/** A body belongs to the page fetched at the same moment; with no such page it is not kept. */
export type CachedBody = { fetchedAt: number; body: Uint8Array }
type Item = { value: CachedPage | CachedBody; expires?: number | undefined }

/** Keys of the two kinds of entries. */
export const pageKey = (key: string): string => `page:${key}`
export const bodyKey = (key: string): string => `body:${key}`
const isPageKey = (key: string): boolean => key.startsWith('page:')
const bareKey = (key: string): string => key.slice('page:'.length)

const touchedAgainAfterMs = 60_000

/**
 * Keyv storage on two kinds of rows: pages (with the parts made of them) and their bodies.
 * Expiry is absolute, ms since the epoch. Entries of one setMany are written together or not at all;
 * an entry older than the stored one is not written. `written` hears how many bytes the pages written to now take.
 */
export function createKeyvSqlite(db: Db, clock: Clock, written: (bytes: number) => void) {
  const get = async (key: string) => {
    const item = await (isPageKey(key) ? findPage : findBody)(db, bareKey(key), clock.now())
    return item as never
  }
  const setMany = async (entries: KeyvStorageEntry[]) => {
    const writes = entries.toSorted(pagesFirst).flatMap((entry) => writesOf(entry, clock.now()))
    const keys = new Set(entries.map(({ key }) => bareKey(key)))
    written(await writeMeasured(db, writes, [...keys]))
    return entries.map(() => true)
  }
  const remove = async (key: string) => (await db.run(isPageKey(key) ? deletePage : deleteBody, [bareKey(key)])) > 0
  const has = async (key: string) => (await get(key)) !== undefined
  const adapter = {
    get,
    getMany: (keys: string[]) => Promise.all(keys.map(get)),
    set: async (key: string, value: unknown, expires?: number) =>
      (await setMany([{ key, value, ...(expires !== undefined && { expires }) }])).every(Boolean),
    setMany,
    has,
    hasMany: (keys: string[]) => Promise.all(keys.map(has)),
    delete: remove,
    deleteMany: (keys: string[]) => Promise.all(keys.map(remove)),
    clear: async () => void (await db.run('DELETE FROM cache_page')),
  }
  return { ...adapter, capabilities: keyvStorageCapability(adapter) }
}

const deletePage = 'DELETE FROM cache_page WHERE key = ?'
const deleteBody = 'DELETE FROM cache_body WHERE page_id IN (SELECT id FROM cache_page WHERE key = ?)'
const pagesFirst = (a: KeyvStorageEntry, b: KeyvStorageEntry): number =>
  Number(isPageKey(b.key)) - Number(isPageKey(a.key))

async function findPage(db: Db, key: string, now: number): Promise<Item | undefined> {
  const rows = await db.all(
    `SELECT page.*, made.variant, made.part, made.value_zst FROM cache_page page
      LEFT JOIN cache_made made ON made.page_id = page.id
      WHERE page.key = ? AND (page.expires_at IS NULL OR page.expires_at > ?)`,
    [key, now],
  )
  const [first] = rows
  if (first === undefined) return undefined
  touch(db, first, now)
  return { value: { ...factsOf(first), made: madeOf(rows) }, ...expiryOf(first) }
}

async function findBody(db: Db, key: string, now: number): Promise<Item | undefined> {
  const [row] = await db.all(
    `SELECT page.fetched_at, page.expires_at, body.body_zst FROM cache_page page
      JOIN cache_body body ON body.page_id = page.id
      WHERE page.key = ? AND (page.expires_at IS NULL OR page.expires_at > ?)`,
    [key, now],
  )
  return row && { value: { fetchedAt: Number(row.fetched_at), body: bytes(row.body_zst) }, ...expiryOf(row) }
}

/** Written at most once a minute, so that a hit stays a read; a touch that is lost only ages the page a little. */
function touch(db: Db, row: Row, now: number): void {
  if (now - Number(row.used_at) < touchedAgainAfterMs) return
  db.run('UPDATE cache_page SET used_at = ? WHERE id = ?', [now, row.id ?? null]).catch(() => undefined)
}

const expiryOf = (row: Row) => (row.expires_at === null ? {} : { expires: Number(row.expires_at) })

const factsOf = (row: Row): Omit<CachedPage, 'made'> => ({
  fetchedAt: Number(row.fetched_at),
  url: text(row.url),
  status: Number(row.status),
  headers: jsonRecord(row.headers),
})

function madeOf(rows: readonly Row[]): Record<string, PageContent> {
  const made: Record<string, PageContent> = {}
  for (const row of rows) {
    if (row.variant === null) continue
    const variant = text(row.variant)
    made[variant] = { ...made[variant], [text(row.part)]: JSON.parse(text(row.value_zst)) }
  }
  return made
}

function writesOf({ key, value, expires }: KeyvStorageEntry, now: number): Statement[] {
  const item = (value as Item).value
  if ('body' in item) return [insertBody(bareKey(key), item)]
  const { fetchedAt, url, status, headers, made } = item
  return [
    { sql: 'DELETE FROM cache_page WHERE key = ? AND fetched_at <= ?', params: [bareKey(key), fetchedAt] },
    {
      sql: `INSERT INTO cache_page (key, fetched_at, url, status, headers, expires_at, used_at, bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (key) DO NOTHING`,
      params: [bareKey(key), fetchedAt, url, status, JSON.stringify(headers), expires ?? null, now],
    },
    ...Object.entries(made).flatMap(([variant, parts]) => madeWrites(bareKey(key), fetchedAt, variant, parts)),
  ]
}

const insertBody = (key: string, { fetchedAt, body }: CachedBody): Statement => ({
  sql: `INSERT INTO cache_body (page_id, body_zst) SELECT id, ? FROM cache_page WHERE key = ? AND fetched_at = ?
    ON CONFLICT (page_id) DO UPDATE SET body_zst = excluded.body_zst`,
  params: [packed(body), key, fetchedAt],
})

/** A row a part, so that parts made at the same time for the same page cannot overwrite each other. */
function madeWrites(key: string, fetchedAt: number, variant: string, parts: PageContent): Statement[] {
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([part, value]) => ({
      sql: `INSERT INTO cache_made (page_id, variant, part, value_zst)
        SELECT id, ?, ?, ? FROM cache_page WHERE key = ? AND fetched_at = ?
        ON CONFLICT (page_id, variant, part) DO UPDATE SET value_zst = excluded.value_zst`,
      params: [variant, part, packed(JSON.stringify(value)), key, fetchedAt],
    }))
}

/** Adds parts to the page fetched at `fetchedAt`, or nothing when it is no longer there. Answers the bytes the page takes. */
export const addMadeParts = (db: Db, key: string, fetchedAt: number, variant: string, parts: PageContent) =>
  writeMeasured(db, madeWrites(key, fetchedAt, variant, parts), [key])

async function writeMeasured(db: Db, writes: readonly Statement[], keys: readonly string[]): Promise<number> {
  const outcomes = await db.transaction([...writes, ...keys.map(measure)])
  return outcomes.flatMap(({ rows }) => rows).reduce((total, row) => total + Number(row.bytes), 0)
}

const rowOverheadBytes = 200

const measure = (key: string): Statement => ({
  sql: `UPDATE cache_page SET bytes = ${rowOverheadBytes} + LENGTH(headers) + LENGTH(url) + LENGTH(key)
    + COALESCE((SELECT LENGTH(body_zst) FROM cache_body WHERE page_id = cache_page.id), 0)
    + COALESCE((SELECT SUM(LENGTH(value_zst)) FROM cache_made WHERE page_id = cache_page.id), 0)
    WHERE key = ? RETURNING bytes`,
  params: [key],
})
