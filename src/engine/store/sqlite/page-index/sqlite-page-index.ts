import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../../contracts/ports.ts'
import type { IndexHit, IndexQuery, PageIndex } from '../../../../contracts/stored-pages.ts'
import type { Log } from '../../../../kernel/log.ts'
import { text, type Condition, type Db } from '../db/db.ts'
import { createWriter, placed, type Placed, writeEntries } from './entries.ts'
import { type Candidate, findPages, type Reader, reachOf, spreadOf, type Likeness } from './find-pages.ts'
import { type FullText, inText, type Phrase, phrase } from './full-text.ts'
import { textsOf, indexedText, hostKeyOf, hostOf, hostRange, placeOf, teamToken } from './index-text.ts'
import { type Needles, needlesOf, passageOf } from './passage.ts'
import { rarity, tally } from '../../../../util/rank.ts'
import { stopWords } from '../../../../util/words.ts'

const maxRead = 20_000
const candidates = 32
const maxTerms = 12
const countedTo = 2000
const titleWeight = 3

/**
 * Finds the characteristic words of a page: the 12 with the highest tf·idf. Undefined if the team has not read the
 * page, or it has no such words.
 */
async function likenessOf(reader: Reader, teamId: string, url: string): Promise<Likeness | undefined> {
  const place = placeOf(/^[a-z]+:\/\//i.test(url) ? url : `https://${url}`)
  const [row] = place
    ? await reader.db.all(
        `SELECT page_id, url, title, description FROM page_entry WHERE team_id = ? AND host_key = ? AND path = ?
          ORDER BY fetched_at DESC LIMIT 1`,
        [teamId, place.hostKey, place.path],
      )
    : []
  if (!row) return undefined
  const pageId = Number(row.page_id)
  const body = (await textsOf(reader.db, [pageId])).get(pageId) ?? ''
  const about = `${`${text(row.title)} `.repeat(titleWeight)}${text(row.description)} ${body.slice(0, maxRead)}`
  const terms = await characteristicTerms(reader, teamId, about)
  return terms.length === 0 ? undefined : { url: text(row.url), wanted: { any: terms } }
}

async function characteristicTerms(reader: Reader, teamId: string, about: string): Promise<Phrase[]> {
  const words = commonest(indexedText(about)).flatMap(({ word, count }) =>
    phrase(inText, word).map((wanted) => ({ wanted, count })),
  )
  const isShared = (await reachOf(reader.db, teamId)) === 'many teams'
  const own = isShared ? phrase(['scope'], teamToken(teamId)) : []
  const spread = await spreadOf(
    reader,
    words.map(({ wanted }) => ({ all: [...own, wanted] })),
    countedTo,
  )
  const [counted] = await reader.db.all('SELECT COUNT(*) AS pages FROM page_entry WHERE team_id = ?', [teamId])
  const pages = Number(counted?.pages ?? 0)
  return words
    .map(({ wanted, count }, at) => ({ wanted, score: count * rarity(spread[at] ?? 0, pages), at }))
    .filter(({ at }) => (spread[at] ?? 0) > 1)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxTerms)
    .map(({ wanted }) => wanted)
}

function commonest(content: string): { word: string; count: number }[] {
  const words = content.toLowerCase().match(/[\p{L}\p{N}\p{M}]{2,40}/gu) ?? []
  const { counts } = tally([[words.filter((word) => !stopWords.has(word) && !/^\p{N}+$/u.test(word)), 1]])
  return Array.from(counts, ([word, count]) => ({ word, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, candidates)
}

/** Number of hits with a passage. Later hits have only their description, because they are rarely read. */
const withPassage = 20

export type PageIndexTools = {
  db: Db
  fullText: FullText
  /** Resolves when the cache contains all pages added before: entries refer to rows of the cache. */
  pagesKept(): Promise<void>
  /**
   * Returns the connection for searches, so a long one does not block other reads and writes; may be the same
   * connection.
   */
  reader: () => Promise<Db>
  clock: Clock
  log: Log
}

/** Full-text index of cached pages. Pages are written in the background; searches see all pages added before. */
export function createPageIndex({
  db,
  fullText,
  pagesKept,
  reader,
  clock,
  log,
}: PageIndexTools): PageIndex & { idle(): Promise<void> } {
  const writer = createWriter<Placed[]>(
    async (pages) => {
      await pagesKept()
      await writeEntries(db, fullText, pages.flat())
    },
    (cause, pages) => log.warn('pages could not be indexed', { pages, cause }),
    ([page]) => page?.text.length ?? 0,
  )
  const settled = async (): Promise<Db> => {
    await writer.idle()
    return reader()
  }
  return {
    put: (page) => writer.put(placed(page)),
    idle: writer.idle,
    search: async (request) => searchPages({ db: await settled(), fullText }, request),
    async highlights(teamId, query, urls) {
      const from = await settled()
      const pages = await pagesAt(from, teamId, urls)
      const passages = await passagesOf(from, [...pages.values()], needlesOf(query))
      return new Map(
        [...pages].flatMap(([url, id]) => (passages.has(id) ? [[url, passages.get(id) ?? ''] as const] : [])),
      )
    },
    urlsOf: async (teamId, host, reach, limit) => urlsAt(await settled(), { teamId, host, reach, limit }),
    facts: async () => factsOf({ db: await settled(), fullText }),
    async prune(what) {
      await writer.idle()
      return pruneWhere({ db, fullText }, what, clock.now())
    },
  }
}

async function searchPages(reader: Reader, request: IndexQuery): Promise<IndexHit[]> {
  const { related } = request.query
  const like = related === undefined ? undefined : await likenessOf(reader, request.teamId, related)
  if (related !== undefined && !like) return []
  const found = await findPages(reader, request, like)
  return withPassages(reader.db, found, needlesOf(request.query))
}

async function withPassages(db: Db, found: readonly Candidate[], needles: Needles): Promise<IndexHit[]> {
  const shown = found.slice(0, withPassage).map(({ pageId }) => pageId)
  const passages = await passagesOf(db, shown, needles)
  return found.map(({ pageId, description, ...hit }) => ({ ...hit, description: passages.get(pageId) ?? description }))
}

async function passagesOf(db: Db, pageIds: readonly number[], needles: Needles): Promise<Map<number, string>> {
  const passages = new Map<number, string>()
  if (needles.words.length === 0) return passages
  for (const [id, markdown] of await textsOf(db, pageIds)) {
    const passage = passageOf(markdown, needles)
    if (passage !== undefined) passages.set(id, passage)
    // Let other tasks run between two pages.
    await setImmediate()
  }
  return passages
}

const topHosts = 20
const slice = 100

/** Returns the latest page of each URL that the team has read; other URLs are absent. */
async function pagesAt(db: Db, teamId: string, urls: readonly string[]): Promise<Map<string, number>> {
  const places = urls.flatMap((url) => {
    const place = placeOf(url)
    return place ? [{ url, ...place }] : []
  })
  if (places.length === 0) return new Map()
  const rows = await db.all(
    `SELECT input.value ->> 'url' AS url, entry.page_id FROM json_each(?) AS input
      CROSS JOIN page_entry AS entry ON entry.team_id = ? AND entry.host_key = input.value ->> 'hostKey'
        AND entry.path = input.value ->> 'path' ORDER BY entry.fetched_at`,
    [JSON.stringify(places), teamId],
  )
  return new Map(rows.map((row) => [text(row.url), Number(row.page_id)]))
}

type Site = { teamId: string; host: string; reach: 'host' | 'with sub-domains'; limit: number }

async function urlsAt(db: Db, { teamId, host, reach, limit }: Site): Promise<{ url: string; title: string }[]> {
  const [from, below] = hostRange(host)
  const rows = await db.all(
    `SELECT url, title FROM (
      SELECT url, title, fetched_at, ROW_NUMBER() OVER (PARTITION BY url ORDER BY fetched_at DESC) AS nth FROM page_entry
      WHERE team_id = ? AND host_key >= ? AND host_key < ?
    ) AS entry WHERE nth = 1 ORDER BY fetched_at DESC, url LIMIT ?`,
    [teamId, from, reach === 'host' ? `${from}!` : below, limit],
  )
  return rows.map((row) => ({ url: text(row.url), title: text(row.title) }))
}

async function factsOf({ db, fullText }: Reader): Promise<Awaited<ReturnType<PageIndex['facts']>>> {
  const [size] = await db.all(
    `SELECT (SELECT COUNT(*) FROM page_entry) AS pages,
      ${fullText.bytes}
      + (SELECT COALESCE(SUM(LENGTH(url) + LENGTH(title) + LENGTH(description) + LENGTH(host_key) * 2 + LENGTH(path) * 2), 0)
        FROM page_entry) AS bytes`,
  )
  const hosts = await db.all(
    'SELECT host_key, COUNT(*) AS pages FROM page_entry GROUP BY host_key ORDER BY pages DESC, host_key LIMIT ?',
    [topHosts],
  )
  return {
    pages: Number(size?.pages ?? 0),
    bytes: Number(size?.bytes ?? 0),
    hosts: hosts.map((row) => ({ host: hostOf(text(row.host_key)), pages: Number(row.pages) })),
  }
}

/** Deletes indexed pages from the cache, in slices, and frees their space; without conditions, all of them. */
async function pruneWhere(
  { db, fullText }: Reader,
  what: Parameters<PageIndex['prune']>[0],
  now: number,
): Promise<number> {
  const conditions: Condition[] = [
    ...(what.host === undefined ? [] : [{ sql: 'host_key = ?', params: [hostKeyOf(what.host)] }]),
    ...(what.page === undefined ? [] : [{ sql: 'team_id = ? AND url = ?', params: [what.page.teamId, what.page.url] }]),
    ...(what.olderThanMs === undefined ? [] : [{ sql: 'fetched_at < ?', params: [now - what.olderThanMs] }]),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map((each) => each.sql).join(' AND ')}`
  const sql = `DELETE FROM cache_page WHERE id IN (SELECT page_id FROM page_entry ${where} LIMIT ?)`
  let deleted = 0
  for (;;) {
    const changes = await db.run(sql, [...conditions.flatMap(({ params }) => params), slice])
    deleted += changes
    if (changes < slice) break
  }
  if (deleted > 0) await fullText.tidy(db)
  return deleted
}
