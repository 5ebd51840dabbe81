import type { IndexHit, IndexQuery } from '../../../../contracts/stored-pages.ts'
import { text, type Db, type Row, type Condition } from '../db/db.ts'
import { type FullText, type Wanted, allOf, anyOf, anywhere, inText, type Phrase, phrase } from './full-text.ts'
import { significantWords, unspacedRuns } from '../../../../util/words.ts'
import { hostRange, siteParts, hostToken, teamToken, typeToken } from './index-text.ts'

/** Full-text query, and conditions that are checked on the entries. */
type Match = {
  /** Pages that contain every word; undefined if any word suffices. */
  every: Wanted | undefined
  /** Pages that contain at least one of the words at these positions; undefined for fewer than two words. */
  some: ((places: readonly number[]) => Wanted) | undefined
  words: readonly Phrase[]
  /** Conditions on the columns of `entry`; all must be true. */
  conditions: readonly Condition[]
  order: 'best first' | 'newest first'
}
/** A page to find similar ones to: its URL and its characteristic words. */
export type Likeness = { url: string; wanted: Wanted }

/** Maximum number of words: each requires a scan of all pages that contain it. */
const maxTerms = 10

/**
 * Returns the condition for a query; undefined for an empty query.
 * @param reach `one team` if the index has pages of no other team: the team filter is then omitted, which saves a scan
 * of all pages
 */
function matchOf(request: IndexQuery, reach: 'one team' | 'many teams', like?: Likeness): Match | undefined {
  const { query, includeDomains, excludeDomains, period } = request
  const terms = termsOf(query.terms)
  const must: Wanted[] = [
    ...oneOf(includeDomains.map(hostToken)),
    ...oneOf(query.site.map(hostToken)),
    ...oneOf(query.filetype.map(typeToken)),
    ...query.inUrl.flatMap((term) => phrase(['url'], term)),
    ...query.inTitle.flatMap((term) => phrase(['title'], term)),
    ...query.phrases.flatMap((term) => phrase(anywhere, term)),
    ...(like ? [like.wanted] : []),
  ]
  const never: Wanted[] = [
    ...[...excludeDomains, ...query.notSite.filter((site) => !hasPath(site))].flatMap((site) =>
      phrase(['scope'], hostToken(site)),
    ),
    ...query.notFiletype.flatMap((type) => phrase(['scope'], typeToken(type))),
    ...query.without.flatMap((term) => phrase(inText, term)),
    ...query.notInUrl.flatMap((term) => phrase(['url'], term)),
    ...query.notInTitle.flatMap((term) => phrase(['title'], term)),
  ]
  const conditions = [...placeConditions(query.site, query.notSite), ...periodConditions(period), ...othersThan(like)]
  if (terms.length + must.length + never.length + conditions.length === 0) return undefined
  const hasWords =
    like !== undefined || terms.length + query.phrases.length + query.inTitle.length + query.inUrl.length > 0
  const own = phrase(['scope'], teamToken(request.teamId))
  const fixed = reach === 'many teams' || terms.length + must.length === 0 ? [...own, ...must] : must
  const wantedOf = (words: readonly Wanted[]) => without({ all: [...fixed, ...words] }, never)
  return {
    every: query.isAny && terms.length > 1 ? undefined : wantedOf(allOf(terms)),
    some: terms.length > 1 ? (places) => wantedOf(anyOf(terms.filter((_, at) => places.includes(at)))) : undefined,
    words: terms,
    conditions,
    order: period?.sort === 'date' || !hasWords ? 'newest first' : 'best first',
  }
}

/** Returns the significant words of a query; all of them if none is significant. */
function termsOf(typed: readonly string[]): Phrase[] {
  const found = significantWords(typed)
    .flatMap(partsOf)
    .flatMap((part) => phrase(anywhere, part))
  return [...new Map(found.map((each) => [each.words, each])).values()].slice(0, maxTerms)
}

/** Splits a word at each change of script: 用Python编程 has three parts. */
const partsOf = (term: string): string[] => term.split(scriptChange)
const scriptChange = new RegExp(`(${unspacedRuns.source})`, 'u')

const oneOf = (tokens: readonly string[]) => anyOf([...new Set(tokens)].flatMap((each) => phrase(['scope'], each)))
const without = (wanted: Wanted, never: readonly Wanted[]): Wanted => (never.length === 0 ? wanted : { wanted, never })

/** Conditions for paths of `site:`: the full-text index covers the host but not a path. */
function placeConditions(site: readonly string[], notSite: readonly string[]): Condition[] {
  const wanted = site.some(hasPath) ? site.map(below) : []
  const none = notSite.filter(hasPath).map(below)
  return [...oneHolds(wanted), ...none.map(({ sql, params }) => ({ sql: `NOT ${sql}`, params }))]
}

const hasPath = (site: string) => siteParts(site).path !== ''

function below(site: string): Condition {
  const { host, path } = siteParts(site)
  const length = [...path].length
  return {
    sql: `(entry.host_key >= ? AND entry.host_key < ? AND SUBSTR(entry.path, 1, ${length}) = ?
      AND SUBSTR(entry.path, ${length + 1}, 1) IN ('', '/', '?'))`,
    params: [...hostRange(host), path],
  }
}

const othersThan = (like: Likeness | undefined): Condition[] =>
  like ? [{ sql: 'entry.url <> ?', params: [like.url] }] : []

const oneHolds = (conditions: readonly Condition[]): Condition[] =>
  conditions.length === 0
    ? []
    : [
        {
          sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
          params: conditions.flatMap(({ params }) => params),
        },
      ]

function periodConditions(period: IndexQuery['period']): Condition[] {
  return [
    ...(period?.from === undefined ? [] : [{ sql: 'entry.fetched_at >= ?', params: [period.from] }]),
    ...(period?.to === undefined ? [] : [{ sql: 'entry.fetched_at <= ?', params: [period.to] }]),
  ]
}

/** Database and full text to search. */
export type Reader = { db: Db; fullText: FullText }

/** A hit before its passage is selected. */
export type Candidate = Omit<IndexHit, 'description'> & { pageId: number; description: string }

/** Factor for duplicates: a URL may occur several times, for example fetched from several countries. */
const spare = 2
/**
 * A word in this many pages is not selective: using it improves the ranking by only .001, and costs grow with the
 * index.
 */
const common = 4000

/** Returns pages of the team: those with all words and then, if these are too few, those with some of them. */
export async function findPages(
  { db, fullText }: Reader,
  request: IndexQuery,
  like: Likeness | undefined,
): Promise<Candidate[]> {
  const match = matchOf(request, await reachOf(db, request.teamId), like)
  if (!match) return []
  const { every, some, words, conditions, order } = match
  const limit = request.limit * spare
  const ask = async (wanted: Wanted | undefined) => {
    if (wanted === undefined) return []
    const { sql, params } = fullText.find({ wanted, conditions, order, limit, teamId: request.teamId })
    return db.all(sql, params)
  }
  const whole = onePerAddress((await ask(every)).map(candidateOf))
  if (whole.length >= request.limit || some === undefined) return whole.slice(0, request.limit)
  const wider = (await ask(some(await selectivePositions({ db, fullText }, words)))).map(candidateOf)
  return onePerAddress([...whole, ...wider]).slice(0, request.limit)
}

/**
 * Returns the positions of selective words; all positions if no word is selective. Ranking every page with a common
 * word would take longest.
 */
async function selectivePositions(reader: Reader, words: readonly Wanted[]): Promise<number[]> {
  const spread = await spreadOf(reader, words, common)
  const places = [...words.keys()]
  const selective = places.filter((at) => (spread[at] ?? 0) < common)
  return selective.some((at) => (spread[at] ?? 0) > 0) ? selective : places
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

/** Returns `many teams` if the index has pages of other teams. Takes two index look-ups. */
export async function reachOf(db: Db, teamId: string): Promise<'one team' | 'many teams'> {
  const [other] = await db.all(
    `SELECT EXISTS (SELECT 1 FROM page_entry WHERE team_id < ?) OR EXISTS (SELECT 1 FROM page_entry WHERE team_id > ?) AS is_there`,
    [teamId, teamId],
  )
  return other?.is_there === 0 ? 'one team' : 'many teams'
}

/** Returns the number of pages each phrase occurs in, counted up to `most`; higher counts make no difference. */
export async function spreadOf({ db, fullText }: Reader, phrases: readonly Wanted[], most: number): Promise<number[]> {
  const { sql, params } = fullText.spread(phrases, most)
  return (await db.all(sql, params)).map(({ pages }) => Number(pages))
}
