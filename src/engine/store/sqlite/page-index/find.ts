import type { IndexHit, IndexQuery } from '../../../../contracts/pages/page-index.ts'
import { text } from '../db/columns.ts'
import type { Condition, Db, Param, Row } from '../db/db.ts'
import { type Likeness, type Match, matchOf } from './match.ts'

/** A hit before its passage is chosen. */
export type Candidate = Omit<IndexHit, 'description'> & { pageId: number; description: string }

/** Weights of scope, url, title and body: measured on collections with known answers. */
const rank = 'bm25(page_text, 0.0, 0.5, 3.0, 1.0)'
/** One address may be there several times, as it was fetched from several countries, say. */
const spare = 2
/** A word that so many pages hold tells little: with all words, quality gains .001 and costs grow with the index. */
const common = 4000

/** Pages of the team, best first: those that hold every word, and where they are too few, those that hold some. */
export async function findPages(db: Db, asked: IndexQuery, like: Likeness | undefined): Promise<Candidate[]> {
  const match = matchOf(asked, await reachOf(db, asked.teamId), like)
  if (!match) return []
  const { every, some, words, conditions, order } = match
  const limit = asked.limit * spare
  const ask = async (expression: string | undefined) =>
    expression === undefined ? [] : db.all(...statement(expression, { conditions, order, limit, teamId: asked.teamId }))
  const whole = onePerAddress((await ask(every)).map(candidateOf))
  if (whole.length >= asked.limit || some === undefined) return whole.slice(0, asked.limit)
  const wider = (await ask(some(await tellingPlaces(db, words)))).map(candidateOf)
  return onePerAddress([...whole, ...wider]).slice(0, asked.limit)
}

/** Of the words those that tell pages apart; where none does, all. Ranking every page that holds a common word takes longest. */
async function tellingPlaces(db: Db, words: readonly string[]): Promise<number[]> {
  const spread = await spreadOf(db, words, common)
  const places = [...words.keys()]
  const telling = places.filter((at) => (spread[at] ?? 0) < common)
  return telling.some((at) => (spread[at] ?? 0) > 0) ? telling : places
}

type Limits = { conditions: readonly Condition[]; order: Match['order']; limit: number; teamId: string }

/**
 * Whatever was matched, an entry is only answered to its team. CROSS JOIN keeps the order in which tables are looked up:
 * SQLite would else walk through all entries of the team, for fear that more were matched.
 */
function statement(expression: string, { conditions, order, limit, teamId }: Limits): [string, Param[]] {
  const columns = 'entry.page_id, entry.url, entry.title, entry.description, entry.fetched_at'
  if (conditions.length === 0 && order === 'best first')
    return [
      `SELECT ${columns}, hit.score FROM (
        SELECT rowid AS page_id, ${rank} AS score FROM page_text WHERE page_text MATCH ? ORDER BY score LIMIT ?
      ) AS hit CROSS JOIN page_entry AS entry ON entry.page_id = hit.page_id
      WHERE entry.team_id = ? ORDER BY hit.score, entry.fetched_at DESC`,
      [expression, limit, teamId],
    ]
  const further = conditions.map(({ sql }) => ` AND ${sql}`).join('')
  return [
    `SELECT ${columns}, ${rank} AS score FROM page_text CROSS JOIN page_entry AS entry ON entry.page_id = page_text.rowid
      WHERE page_text MATCH ? AND entry.team_id = ?${further}
      ORDER BY ${order === 'newest first' ? 'entry.fetched_at DESC' : 'score, entry.fetched_at DESC'} LIMIT ?`,
    [expression, teamId, ...conditions.flatMap(({ params }) => params), limit],
  ]
}

const candidateOf = (row: Row): Candidate => ({
  pageId: Number(row.page_id),
  url: text(row.url),
  title: text(row.title),
  description: text(row.description),
  fetchedAt: Number(row.fetched_at),
  score: -Number(row.score),
})

function onePerAddress(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ url }) => !seen.has(url) && seen.add(url))
}

/** Two look-ups in an index, and as a rule there is one team. */
export async function reachOf(db: Db, teamId: string): Promise<'one team' | 'many teams'> {
  const [other] = await db.all(
    `SELECT EXISTS (SELECT 1 FROM page_entry WHERE team_id < ?) OR EXISTS (SELECT 1 FROM page_entry WHERE team_id > ?) AS is_there`,
    [teamId, teamId],
  )
  return other?.is_there === 0 ? 'one team' : 'many teams'
}

/** In how many pages each of some phrases occurs, counted up to `most`: beyond it is as good as everywhere. */
export async function spreadOf(db: Db, expressions: readonly string[], most: number): Promise<number[]> {
  const rows = await db.all(
    `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM page_text WHERE page_text MATCH asked.value LIMIT ?)) AS pages
      FROM json_each(?) AS asked ORDER BY asked.key`,
    [most, JSON.stringify(expressions)],
  )
  return rows.map(({ pages }) => Number(pages))
}
