import type { SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { urlOf } from '../provider/places.ts'
import { scopeOf, textWithin } from '../provider/scope.ts'
import type { Marks } from './read-page.ts'

/** A search engine by the page on which it shows results to people. */
export type ResultsEngine = Pick<SearchProvider, 'name' | 'operators' | 'period'> & {
  /** Operators that it takes as a wish rather than a rule; they are sent nevertheless. */
  soft: ReadonlySet<SearchOperator>
  /** Address of its results pages, without query. */
  home: string
  /** What stands in the address beside the words: place, time, decency. */
  fieldsOf(request: SearchRequest, now: number): Readonly<Record<string, string | undefined>>
  marks: Marks
  /** Where a result leads in the end; undefined for what is none, such as an advertisement. */
  targetOf(link: URL): string | undefined
}

/** The address of the first results page. */
export function addressOf(engine: ResultsEngine, request: SearchRequest, now: number): string {
  const q = wordsFor(request, new Set([...engine.operators, ...engine.soft]))
  return urlOf(engine.home, { q, ...engine.fieldsOf(request, now) })
}

/** DuckDuckGo answers longer queries with nothing; the others cut them. */
const room = { chars: 499, words: Infinity }

/** The words that are typed into an engine: where none of the operators is one of its own, the query as it was. */
function wordsFor(request: SearchRequest, operators: ReadonlySet<SearchOperator>): string {
  const words = tame(textWithin(scopeOf(request), operators, room))
  return closed(words || tame(request.query.text).slice(0, room.chars))
}

/** Without the signs that would send the visitor to another site: `!bang`, and `\` for the first result. They mean nothing else to an engine. */
const tame = (text: string): string =>
  text
    .replace(/(?<=^|[\s"'(])[!\\]+|!+(?=$|[\s"')])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Without a phrase that was cut in two. */
function closed(text: string): string {
  if (text.split('"').length % 2 === 1) return text
  const at = text.lastIndexOf('"')
  return text.slice(0, at).trim() || text.slice(at + 1).trim()
}
