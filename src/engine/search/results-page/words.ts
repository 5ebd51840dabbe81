import type { SearchOperator, SearchRequest } from '../../../core/search.ts'
import { scopeOf, textWithin } from '../provider/scope.ts'

/** DuckDuckGo answers longer queries with nothing; the others cut them. */
const room = { chars: 499, words: Infinity }

/** The words that are typed into an engine: where none of the operators is one of its own, the query as it was. */
export function wordsFor(request: SearchRequest, operators: ReadonlySet<SearchOperator>): string {
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
