import { keyvStorageCapability, type KeyvStorageEntry } from 'keyv'
import { bytes, jsonRecord, text } from '../db/columns.ts'
import type { Db, Row } from '../db/db.ts'
import { gatherer } from './gather.ts'
import { joined } from '../kept-text.ts'
import { bodyDigest, digestBytes, type PageEntry, withPage, writePages } from './page-writes.ts'
import type { PageContent } from '../../../../contracts/page-content.ts'
import type { CachedPage } from '../../../../contracts/pages/page-cache.ts'
import type { Clock } from '../../../../contracts/ports.ts'

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
  const writer = gatherer<readonly PageEntry[]>(async (some) => {
    written(await writePages(db, some.flat(), clock.now()))
  }, isFull)
  /** How many writes of a key have not ended. */
  const waiting = new Map<string, number>()
  const wait = (key: string) => waiting.set(key, (waiting.get(key) ?? 0) + 1)
  const end = (key: string) => {
    const left = (waiting.get(key) ?? 0) - 1
    if (left > 0) waiting.set(key, left)
    else waiting.delete(key)
  }
  const setMany = async (given: KeyvStorageEntry[]) => {
    const entries = entriesOf(given)
    const keys = entries.map(({ key }) => key)
    // Of two fetches of one page the later is written after the earlier.
    if (keys.some((key) => waiting.has(key))) writer.hasten()
    keys.forEach(wait)
    await writer.put(entries).finally(() => keys.forEach(end))
    return given.map(() => true)
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
  return { ...adapter, capabilities: keyvStorageCapability(adapter), hasten: writer.hasten }
}

const maxTogether = 32
/** Packing so much holds up the database for about 10 ms. */
const maxBytesTogether = 2 ** 21

const isFull = (some: readonly (readonly PageEntry[])[]): boolean =>
  some.length >= maxTogether ||
  some.flat().reduce((sum, { body }) => sum + (body?.byteLength ?? 0), 0) >= maxBytesTogether

const deletePage = 'DELETE FROM cache_page WHERE key = ?'
const deleteBody = 'DELETE FROM cache_body WHERE page_id IN (SELECT id FROM cache_page WHERE key = ?)'

async function findPage(db: Db, key: string, now: number): Promise<Item | undefined> {
  const rows = await db.all(
    `SELECT page.*, made.variant, made.part, made.value_zst, text.json_zst FROM cache_page page
      LEFT JOIN cache_made made ON made.page_id = page.id
      LEFT JOIN kept_text text ON text.id = made.text_id
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

type Same = { key: string; page: Pick<CachedPage, 'url' | 'headers'>; body: Uint8Array; now: number }

/** The parts of a page, if it was made of this body, under this address and type. */
export async function findSame(db: Db, { key, page, body, now }: Same): Promise<CachedPage['made'] | undefined> {
  const rows = await db.all(
    `SELECT page.url, page.headers, made.variant, made.part, made.value_zst, text.json_zst FROM cache_page page
      JOIN cache_made made ON made.page_id = page.id
      LEFT JOIN kept_text text ON text.id = made.text_id
      WHERE page.key = ? AND substr(page.digest, 1, ${digestBytes}) = ? AND (page.expires_at IS NULL OR page.expires_at > ?)`,
    [key, bodyDigest(body), now],
  )
  const [first] = rows
  const isSame = first && text(first.url) === page.url && typeOf(jsonRecord(first.headers)) === typeOf(page.headers)
  return isSame ? madeOf(rows) : undefined
}

const typeOf = (headers: CachedPage['headers']) => headers['content-type']

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

const cameWithPage = (row: Row): number => Number(row.part === withPage)

/** Parts that were added later replace those that came with the page. */
function madeOf(rows: readonly Row[]): Record<string, PageContent> {
  const made: Record<string, PageContent> = {}
  for (const row of rows.toSorted((one, other) => cameWithPage(other) - cameWithPage(one))) {
    if (row.variant === null) continue
    const variant = text(row.variant)
    const value: unknown = JSON.parse(text(joined(row, 'value_zst')))
    made[variant] = { ...made[variant], ...(cameWithPage(row) ? (value as PageContent) : { [text(row.part)]: value }) }
  }
  return made
}

/** Pages with their bodies; what there is of one alone stands for itself. */
function entriesOf(given: readonly KeyvStorageEntry[]): PageEntry[] {
  const entries = given.map(({ key, value, expires }): PageEntry => {
    const item = (value as Item).value
    const { fetchedAt } = item
    const own = 'body' in item ? { body: item.body } : { page: item }
    return { key: bareKey(key), fetchedAt, expires, ...own }
  })
  const pages = entries.filter(({ page }) => page)
  const bodies = new Set(entries.filter(({ page }) => !page))
  const whole = pages.map((entry) => {
    const own = [...bodies].find(({ key, fetchedAt }) => key === entry.key && fetchedAt === entry.fetchedAt)
    if (!own) return entry
    bodies.delete(own)
    return { ...entry, body: own.body }
  })
  return [...whole, ...bodies]
}
