import type { IndexQuery } from '../../../../contracts/stored-pages.ts'
import { tellingWords, unspacedRuns } from '../../../../util/words.ts'
import type { Condition } from '../db/db.ts'
import { hostRange, siteParts } from './place.ts'
import { hostToken, teamToken, typeToken } from './tokens.ts'
import { allOf, anyOf, anywhere, inText, type Phrase, phrase, type Wanted } from './wanted.ts'

/** What the full text is asked for, and conditions that only the entries can tell. */
export type Match = {
  /** Pages that hold every word; undefined when any of them will do. */
  every: Wanted | undefined
  /** Pages that hold at least one of the words at these places; undefined when that is no wider. */
  some: ((places: readonly number[]) => Wanted) | undefined
  words: readonly Phrase[]
  /** About the columns of `entry`; all must hold. */
  conditions: readonly Condition[]
  order: 'best first' | 'newest first'
}
/** A page that others are to be like: its address, and what they hold. */
export type Likeness = { url: string; wanted: Wanted }

/** Each word costs a walk through all pages that hold it. */
const maxTerms = 10

/**
 * @param reach whether pages of other teams are in the index; where there are none the walk through all pages of the team is saved.
 * Undefined for a query that asks for nothing.
 */
export function matchOf(asked: IndexQuery, reach: 'one team' | 'many teams', like?: Likeness): Match | undefined {
  const { query, includeDomains, excludeDomains, period } = asked
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
  const own = phrase(['scope'], teamToken(asked.teamId))
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

/** Words of the query that say something; all of them where none says anything. */
function termsOf(typed: readonly string[]): Phrase[] {
  const found = tellingWords(typed)
    .flatMap(partsOf)
    .flatMap((part) => phrase(anywhere, part))
  return [...new Map(found.map((each) => [each.words, each])).values()].slice(0, maxTerms)
}

/** Where scripts change a word ends: 用Python编程 is three of them. */
const partsOf = (term: string): string[] => term.split(scriptChange)
const scriptChange = new RegExp(`(${unspacedRuns.source})`, 'u')

const oneOf = (tokens: readonly string[]) => anyOf([...new Set(tokens)].flatMap((each) => phrase(['scope'], each)))
const without = (wanted: Wanted, never: readonly Wanted[]): Wanted => (never.length === 0 ? wanted : { wanted, never })

/** A host is told by the index; a path behind it is not. */
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
