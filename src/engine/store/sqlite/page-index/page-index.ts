import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../../contracts/ports.ts'
import type { IndexedPage, IndexHit, IndexQuery, PageIndex } from '../../../../contracts/search.ts'
import type { Log } from '../../../../kernel/log.ts'
import { text } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { createWriter, entryStatements } from './entries.ts'
import { type Candidate, findPages, reachOf, spreadOf } from './find.ts'
import { indexedText, textsOf } from './index-text.ts'
import { factsOf, pagesAt, pruneWhere, urlsAt } from './keeping.ts'
import { type Likeness, phrase } from './match.ts'
import { type Needles, needlesOf, passageOf } from './passage.ts'
import { placeOf } from './place.ts'
import { stopWords } from './stop-words.ts'
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
