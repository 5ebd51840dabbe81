import { hash } from 'node:crypto'
import type { PageContent } from '../../../contracts/page-content.ts'
import type { CachedPage } from '../../../contracts/stored-pages.ts'
import { gzipOf } from '../../../util/file-bytes.ts'
import { text, type Condition, type Db, packed, type Statement } from './db/db.ts'
import { type Divided, divided, keepText, textId } from './kept-text.ts'

/** A page ready to be written. Its large texts are already bytes, which take less memory while the page waits. */
export type PageEntry = ReturnType<typeof entryOf>

export function entryOf(key: string, { made, headers, url, status, fetchedAt }: CachedPage, body: Uint8Array) {
  const variants = Object.entries(made).map(([name, parts]) => [name, divided(parts)] as const)
  const digest = hex(digestOf(body, [url, headers['content-type']], variants))
  return {
    facts: { key, digest, fetchedAt, url, status, headers: JSON.stringify(headers) },
    variants,
    /** A body received as gzip is stored as such, which saves packing it. */
    stored: gzipOf(body) ?? packed(body),
    weight: body.byteLength,
  }
}

/** Part name of content that was stored together with the page, in one row per variant. */
export const withPage = ''

/**
 * Writes pages with distinct keys in one transaction. Of a page whose digest is unchanged, only the row in `cache_page`
 * is updated. Returns the bytes that the changed pages take.
 */
export async function writePages(db: Db, made: readonly PageEntry[], now: number): Promise<number> {
  const known = await knownOf(db, made)
  const changed = made.filter(({ facts }) => !known.has(facts.key))
  const same = made.filter(({ facts }) => known.has(facts.key))
  const writes: Statement[] = [refreshed(same, now), replaced(changed, now), outdated(changed, same)]
  for (const { facts, stored, variants } of changed) {
    const { key, fetchedAt } = facts
    writes.push(insertBody(key, fetchedAt, stored))
    for (const [variant, parts] of variants) writes.push(...insertMade({ key, fetchedAt, variant }, withPage, parts))
  }
  writes.push(measure(changed.map(({ facts }) => facts.key)))
  return bytesOf(await db.transaction(writes))
}

/**
 * Adds parts to the page fetched at `fetchedAt`; does nothing if that page no longer exists. Returns the bytes that the
 * page takes.
 */
export async function addMadeParts(
  db: Db,
  key: string,
  fetchedAt: number,
  variant: string,
  parts: PageContent,
): Promise<number> {
  const writes: Statement[] = []
  // One row per part, so parts created concurrently for the same page cannot overwrite each other.
  for (const [part, value] of Object.entries(parts))
    if (value !== undefined) writes.push(...insertMade({ key, fetchedAt, variant }, part, divided(value)))
  return bytesOf(await db.transaction([...writes, measure([key])]))
}

export const digestBytes = 32
/** Cached digests: a body is looked up by its digest before it is written. */
const digests = new WeakMap<Uint8Array, Uint8Array>()

/** Returns the SHA-256 of a body, which must not change; the digest of a page begins with it. */
export function bodyDigest(body: Uint8Array): Uint8Array {
  const digest = digests.get(body) ?? hash('sha256', body, 'buffer')
  digests.set(body, digest)
  return digest
}

/** Returns the digest of a page. Includes the content type, which affects how the body is parsed. */
function digestOf(body: Uint8Array, place: unknown[], variants: (readonly [variant: string, Divided])[]): Uint8Array {
  const parts = variants.map(([name, { json, text: shared }]) => [name, json, shared && hex(shared.digest)])
  const facts = JSON.stringify([...place, parts])
  return Buffer.concat([bodyDigest(body), hash('sha256', facts, 'buffer')])
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Returns the keys of pages that are already stored unchanged. */
async function knownOf(db: Db, made: readonly PageEntry[]): Promise<ReadonlySet<string>> {
  const rows = await db.all(
    `SELECT page.key FROM json_each(?) AS input CROSS JOIN cache_page AS page ON page.key = input.value ->> 'key'
      WHERE page.digest = unhex(input.value ->> 'digest') AND page.fetched_at <= CAST(input.value ->> 'fetchedAt' AS BIGINT)
        AND EXISTS (SELECT 1 FROM cache_body WHERE page_id = page.id)`,
    [factsOf(made)],
  )
  return new Set(rows.map(({ key }) => text(key)))
}

const factsOf = (made: readonly PageEntry[]): string => JSON.stringify(made.map(({ facts }) => facts))

const refreshed = (same: readonly PageEntry[], now: number): Statement => ({
  // CROSS JOIN: the planner would otherwise scan all pages.
  sql: `WITH again AS MATERIALIZED (
      SELECT page.id AS page_id, input.value FROM json_each(?) AS input
      CROSS JOIN cache_page AS page ON page.key = input.value ->> 'key'
      WHERE page.digest = unhex(input.value ->> 'digest') AND page.fetched_at <= CAST(input.value ->> 'fetchedAt' AS BIGINT))
    UPDATE cache_page SET fetched_at = CAST(value ->> 'fetchedAt' AS BIGINT), url = value ->> 'url', status = CAST(value ->> 'status' AS INTEGER),
      headers = value ->> 'headers', used_at = ?
    FROM again WHERE cache_page.id = again.page_id`,
  params: [factsOf(same), now],
})

/** A replaced page keeps its number, so its entry in the index is replaced as well instead of deleted and inserted. */
const replaced = (changed: readonly PageEntry[], now: number): Statement => ({
  sql: `INSERT INTO cache_page (key, fetched_at, url, status, headers, used_at, bytes, digest)
    SELECT value ->> 'key', CAST(value ->> 'fetchedAt' AS BIGINT), value ->> 'url', CAST(value ->> 'status' AS INTEGER),
      value ->> 'headers', ?, 0, unhex(value ->> 'digest') FROM json_each(?) WHERE TRUE
    ON CONFLICT (key) DO UPDATE SET fetched_at = excluded.fetched_at, url = excluded.url, status = excluded.status,
      headers = excluded.headers, used_at = excluded.used_at, digest = excluded.digest
    WHERE cache_page.fetched_at <= excluded.fetched_at`,
  params: [now, factsOf(changed)],
})

/** Deletes content created from earlier fetches. An unchanged page loses only variants that were not created again. */
function outdated(changed: readonly PageEntry[], same: readonly PageEntry[]): Statement {
  const kept = [...changed.map(({ facts }) => ({ facts, variants: [] })), ...same].map(({ facts, variants }) => ({
    ...facts,
    names: variants.map(([name]) => name),
  }))
  return {
    sql: `WITH fresh AS MATERIALIZED (
        SELECT page.id, input.value ->> 'names' AS names FROM json_each(?) AS input
        CROSS JOIN cache_page AS page ON page.key = input.value ->> 'key' AND page.fetched_at = CAST(input.value ->> 'fetchedAt' AS BIGINT))
      DELETE FROM cache_made WHERE page_id IN (SELECT id FROM fresh) AND variant NOT IN
        (SELECT one.value FROM fresh CROSS JOIN json_each(fresh.names) AS one WHERE fresh.id = page_id)`,
    params: [JSON.stringify(kept)],
  }
}

const insertBody = (key: string, fetchedAt: number, stored: PageEntry['stored']): Statement => ({
  sql: `INSERT INTO cache_body (page_id, body_zst) SELECT id, ? FROM cache_page WHERE key = ? AND fetched_at = ?
    ON CONFLICT (page_id) DO UPDATE SET body_zst = excluded.body_zst`,
  params: [stored, key, fetchedAt],
})

type Place = { key: string; fetchedAt: number; variant: string }

const pageExists = ({ key, fetchedAt }: Place): Condition => ({
  sql: 'EXISTS (SELECT 1 FROM cache_page WHERE key = ? AND fetched_at = ?)',
  params: [key, fetchedAt],
})

function insertMade(place: Place, part: string, { json, text: shared }: Divided): Statement[] {
  const { key, fetchedAt, variant } = place
  return [
    ...(shared ? [keepText(shared, pageExists(place))] : []),
    {
      sql: `INSERT INTO cache_made (page_id, variant, part, value_zst, text_id)
        SELECT id, ?, ?, ?, ${textId} FROM cache_page WHERE key = ? AND fetched_at = ?
        ON CONFLICT (page_id, variant, part) DO UPDATE SET value_zst = excluded.value_zst, text_id = excluded.text_id`,
      params: [variant, part, packed(json), shared?.digest ?? null, key, fetchedAt],
    },
  ]
}

const rowOverheadBytes = 200

/** A shared text counts in full for each page that uses it. */
const measure = (keys: readonly string[]): Statement => ({
  sql: `UPDATE cache_page SET bytes = ${rowOverheadBytes} + LENGTH(headers) + LENGTH(url) + LENGTH(key)
    + COALESCE((SELECT LENGTH(body_zst) FROM cache_body WHERE page_id = cache_page.id), 0)
    + COALESCE((SELECT SUM(OCTET_LENGTH(value_zst) + COALESCE(OCTET_LENGTH(json_zst), 0)) FROM cache_made
      LEFT JOIN kept_text ON kept_text.id = text_id WHERE page_id = cache_page.id), 0)
    WHERE key IN (SELECT value FROM json_each(?)) RETURNING bytes`,
  params: [JSON.stringify(keys)],
})

const bytesOf = (outcomes: Awaited<ReturnType<Db['transaction']>>): number =>
  outcomes.flatMap(({ rows }) => rows).reduce((total, row) => total + Number(row.bytes), 0)
