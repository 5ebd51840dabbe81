import { setImmediate } from 'node:timers/promises'
import type { IndexedPage, IndexHit, IndexQuery, PageIndex } from '../../../../contracts/search.ts'
import type { Log } from '../../../../kernel/log.ts'
import type { Db } from '../db/db.ts'
import { createWriter, entryStatements } from './entries.ts'
import { type Candidate, findPages } from './find.ts'
import { textsOf } from './index-text.ts'
import { factsOf, pagesAt, pruneWhere, urlsAt } from './keeping.ts'
import { type Needles, needlesOf, passageOf } from './passage.ts'
import { likenessOf } from './related.ts'
import type { Clock } from '../../../../contracts/ports.ts'

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
    ({ text }) => text.length,
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
