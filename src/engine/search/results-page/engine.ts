import type { SearchOperator, SearchProvider, SearchRequest } from '../../../core/search.ts'
import { urlOf } from '../provider/places.ts'
import type { Marks } from './read-page.ts'
import { wordsFor } from './words.ts'

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
