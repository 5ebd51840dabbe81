import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../../contracts/ports.ts'
import type { IndexedPage, IndexHit, IndexQuery, PageIndex } from '../../../../contracts/pages/page-index.ts'
import type { Log } from '../../../../kernel/log.ts'
import { text } from '../db/columns.ts'
import type { Condition, Db } from '../db/db.ts'
import { createWriter, entryStatements } from './entries.ts'
import { type Candidate, findPages, reachOf, spreadOf } from './find.ts'
import { indexedText, textsOf } from './index-text.ts'
import { type Likeness, phrase } from './match.ts'
import { type Needles, needlesOf, passageOf } from './passage.ts'
import { hostKeyOf, hostOf, hostRange, placeOf } from './place.ts'
import { stopWords } from '../../../../util/stop-words.ts'
import { teamToken } from './tokens.ts'

/** Of what comes behind these as a rule nobody reads more than the description. */
const withPassage = 20

export type PageIndexTools = {
  db: Db
  /** Resolves when the cache holds the pages that were given to it before: an entry is only written beside its page. */
  pagesKept(): Promise<void>
  /** Where searches run, so that a long one does not hold up who reads and writes pages; it may be the same. */
  reader: () => Promise<Db>
  clock: Clock
  log: Log
}

/** The full text of cached pages. Pages are written in the background; whoever searches sees what was put before. */
export function createPageIndex({
  db,
  pagesKept,
  reader,
  clock,
  log,
}: PageIndexTools): PageIndex & { idle(): Promise<void> } {
  const writer = createWriter<IndexedPage>(
    async (pages) => {
      await pagesKept()
      await db.transaction(entryStatements(pages))
    },
    (cause, pages) => log.warn('pages could not be indexed', { pages, cause }),
    (page) => page.text.length,
  )
  const settled = async (): Promise<Db> => {
    await writer.idle()
    return reader()
  }
  return {
    put: writer.put,
    idle: writer.idle,
    search: async (asked) => searchPages(await settled(), asked),
    async highlights(teamId, query, urls) {
      const from = await settled()
      const pages = await pagesAt(from, teamId, urls)
      const passages = await passagesOf(from, [...pages.values()], needlesOf(query))
      return new Map(
        [...pages].flatMap(([url, id]) => (passages.has(id) ? [[url, passages.get(id) ?? ''] as const] : [])),
      )
    },
    urlsOf: async (teamId, host, reach, limit) => urlsAt(await settled(), { teamId, host, reach, limit }),
    facts: async () => factsOf(await settled()),
    async prune(what) {
      await writer.idle()
      return pruneWhere(db, what, clock.now())
    },
  }
}

async function searchPages(db: Db, asked: IndexQuery): Promise<IndexHit[]> {
  const { related } = asked.query
  const like = related === undefined ? undefined : await likenessOf(db, asked.teamId, related)
  if (related !== undefined && !like) return []
  const found = await findPages(db, asked, like)
  return withPassages(db, found, needlesOf(asked.query))
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
    // Others get their turn between two pages.
    await setImmediate()
  }
  return passages
}

const maxRead = 20_000
const candidates = 32
const wanted = 12
const countedTo = 2000
const titleWeight = 3

/** What pages like one hold: its 12 words of highest tf·idf. Undefined when the team has not read the page, or it says nothing. */
async function likenessOf(db: Db, teamId: string, url: string): Promise<Likeness | undefined> {
  const place = placeOf(/^[a-z]+:\/\//i.test(url) ? url : `https://${url}`)
  const [row] = place
    ? await db.all(
        `SELECT page_id, url, title, description FROM page_entry WHERE team_id = ? AND host_key = ? AND path = ?
          ORDER BY fetched_at DESC LIMIT 1`,
        [teamId, place.hostKey, place.path],
      )
    : []
  if (!row) return undefined
  const pageId = Number(row.page_id)
  const body = (await textsOf(db, [pageId])).get(pageId) ?? ''
  const about = `${`${text(row.title)} `.repeat(titleWeight)}${text(row.description)} ${body.slice(0, maxRead)}`
  const terms = await tellingTerms(db, teamId, about)
  return terms.length === 0 ? undefined : { url: text(row.url), expression: `(${terms.join(' OR ')})` }
}

async function tellingTerms(db: Db, teamId: string, about: string): Promise<string[]> {
  const words = commonest(indexedText(about))
  const expressions = words.map(({ word }) => phrase('{title body}', word)[0] ?? '')
  const isShared = (await reachOf(db, teamId)) === 'many teams'
  const spread = await spreadOf(
    db,
    expressions.map((each) => (isShared ? `scope : "${teamToken(teamId)}" AND ${each}` : each)),
    countedTo,
  )
  const [counted] = await db.all('SELECT COUNT(*) AS pages FROM page_entry WHERE team_id = ?', [teamId])
  const pages = Number(counted?.pages ?? 0)
  return expressions
    .map((expression, at) => ({ expression, score: (words[at]?.count ?? 0) * rarity(spread[at] ?? 0, pages), at }))
    .filter(({ at }) => (spread[at] ?? 0) > 1)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, wanted)
    .map(({ expression }) => expression)
}

const rarity = (spread: number, pages: number) => Math.log(1 + (pages - spread + 0.5) / (spread + 0.5))

function commonest(content: string): { word: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const [word] of content.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}]{2,40}/gu))
    if (!stopWords.has(word) && !/^\p{N}+$/u.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, candidates)
}

const topHosts = 20
const slice = 100
/** Pages of the full text that one merge writes; a merge that writes less had nothing to do. */
const mergedPages = 500
const maxMerges = 200

/** The page of each address, as the team read it last; addresses that it has not read are absent. */
async function pagesAt(db: Db, teamId: string, urls: readonly string[]): Promise<Map<string, number>> {
  const places = urls.flatMap((url) => {
    const place = placeOf(url)
    return place ? [{ url, ...place }] : []
  })
  if (places.length === 0) return new Map()
  const rows = await db.all(
    `SELECT asked.value ->> 'url' AS asked, entry.page_id, MAX(entry.fetched_at) FROM json_each(?) AS asked
      CROSS JOIN page_entry AS entry ON entry.team_id = ? AND entry.host_key = asked.value ->> 'hostKey'
        AND entry.path = asked.value ->> 'path' GROUP BY 1`,
    [JSON.stringify(places), teamId],
  )
  return new Map(rows.map((row) => [text(row.asked), Number(row.page_id)]))
}

type Asked = { teamId: string; host: string; reach: 'host' | 'with sub-domains'; limit: number }

async function urlsAt(db: Db, { teamId, host, reach, limit }: Asked): Promise<{ url: string; title: string }[]> {
  const [from, below] = hostRange(host)
  const rows = await db.all(
    `SELECT url, title, MAX(fetched_at) AS fetched_at FROM page_entry WHERE team_id = ? AND host_key >= ? AND host_key < ?
      GROUP BY url ORDER BY 3 DESC, url LIMIT ?`,
    [teamId, from, reach === 'host' ? `${from}!` : below, limit],
  )
  return rows.map((row) => ({ url: text(row.url), title: text(row.title) }))
}

async function factsOf(db: Db): Promise<Awaited<ReturnType<PageIndex['facts']>>> {
  const [size] = await db.all(
    `SELECT (SELECT COUNT(*) FROM page_entry) AS pages,
      (SELECT COALESCE(SUM(LENGTH(block)), 0) FROM page_text_data)
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

/** Deletes cached pages a slice at a time, and gives what they took back. With no condition all pages of the index go. */
async function pruneWhere(db: Db, what: Parameters<PageIndex['prune']>[0], now: number): Promise<number> {
  const conditions: Condition[] = [
    ...(what.host === undefined ? [] : [{ sql: 'host_key = ?', params: [hostKeyOf(what.host)] }]),
    ...(what.olderThanMs === undefined ? [] : [{ sql: 'fetched_at < ?', params: [now - what.olderThanMs] }]),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map((each) => each.sql).join(' AND ')}`
  const sql = `DELETE FROM cache_page WHERE id IN (SELECT page_id FROM page_entry ${where} LIMIT ?)`
  let deleted = 0
  for (;;) {
    const gone = await db.run(sql, [...conditions.flatMap(({ params }) => params), slice])
    deleted += gone
    if (gone < slice) break
  }
  if (deleted > 0) await tidy(db)
  return deleted
}

async function tidy(db: Db): Promise<void> {
  for (let merges = 0; merges < maxMerges; merges++) {
    const written = await db.run(
      `INSERT INTO page_text (page_text, rank) VALUES ('merge', ${merges === 0 ? -mergedPages : mergedPages})`,
    )
    if (written < 2) break
  }
  while (await db.compact());
}
