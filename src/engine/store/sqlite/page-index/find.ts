import type { IndexHit, IndexQuery } from '../../../../contracts/stored-pages.ts'
import { text } from '../db/columns.ts'
import type { Db, Row } from '../db/db.ts'
import type { FullText } from './full-text.ts'
import { type Likeness, matchOf } from './match.ts'
import type { Wanted } from './wanted.ts'

/** Where is looked. */
export type Reader = { db: Db; fullText: FullText }

/** A hit before its passage is chosen. */
export type Candidate = Omit<IndexHit, 'description'> & { pageId: number; description: string }

/** One address may be there several times, as it was fetched from several countries, say. */
const spare = 2
/** A word that so many pages hold tells little: with all words, quality gains .001 and costs grow with the index. */
const common = 4000

/** Pages of the team, best first: those that hold every word, and where they are too few, those that hold some. */
export async function findPages(
  { db, fullText }: Reader,
  asked: IndexQuery,
  like: Likeness | undefined,
): Promise<Candidate[]> {
  const match = matchOf(asked, await reachOf(db, asked.teamId), like)
  if (!match) return []
  const { every, some, words, conditions, order } = match
  const limit = asked.limit * spare
  const ask = async (wanted: Wanted | undefined) => {
    if (wanted === undefined) return []
    const { sql, params } = fullText.find({ wanted, conditions, order, limit, teamId: asked.teamId })
    return db.all(sql, params)
  }
  const whole = onePerAddress((await ask(every)).map(candidateOf))
  if (whole.length >= asked.limit || some === undefined) return whole.slice(0, asked.limit)
  const wider = (await ask(some(await tellingPlaces({ db, fullText }, words)))).map(candidateOf)
  return onePerAddress([...whole, ...wider]).slice(0, asked.limit)
}

/** Of the words those that tell pages apart; where none does, all. Ranking every page that holds a common word takes longest. */
async function tellingPlaces(reader: Reader, words: readonly Wanted[]): Promise<number[]> {
  const spread = await spreadOf(reader, words, common)
  const places = [...words.keys()]
  const telling = places.filter((at) => (spread[at] ?? 0) < common)
  return telling.some((at) => (spread[at] ?? 0) > 0) ? telling : places
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
export async function spreadOf({ db, fullText }: Reader, phrases: readonly Wanted[], most: number): Promise<number[]> {
  const { sql, params } = fullText.spread(phrases, most)
  return (await db.all(sql, params)).map(({ pages }) => Number(pages))
}
