import { SearchInput } from '../../schema/search-schema.ts'
import { search } from '../search/search.ts'
import { callOf } from '../workflow/run-workflow.ts'
import { type AgentJob, spend, stepFault } from './agent-job.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'

const maxWords = 20
const maxCharacters = 250

/**
 * Returns the permitted words of a query written by a model. A page that it read may have asked it to search for the
 * content of another page, so operators, URLs, and anything like a key or code are only permitted if the task itself
 * contains them.
 */
export function plainQuery(written: string, task: string): string | undefined {
  const known = new Set(wordsOf(task).map(bare))
  const words = wordsOf(written).filter((word) => known.has(bare(word)) || isPlain(word))
  const query = words.slice(0, maxWords).join(' ').slice(0, maxCharacters).trim()
  return /[\p{L}\p{N}]/u.test(query) ? query : undefined
}

const wordsOf = (text: string) => sanitiseLine(text).split(' ')
const bare = (word: string) => word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

const longestWord = 30
const longestNumber = 6

/** True for words, years, amounts, and short names with a number, such as `B2B` or `GPT-5`. */
function isPlain(word: string): boolean {
  if (word.length > longestWord || /[:/=@\\%_<>{}]/.test(word)) return false
  const digits = word.replace(/\D/g, '').length
  const letters = word.replace(/[^\p{L}]/gu, '').length
  return digits <= longestNumber && (digits === 0 || letters + digits <= 8)
}

const results = 10
/** Credits of a search with this number of results. */
const cost = 2
const timeoutMs = 30_000

/** Result of a search; `found` is the number of results. */
export type Searched = { query: string; found: number; error?: string }
type SearchMatch = { url: string; title: string; about: string }

export const canSearch = ({ input, meter }: AgentJob): boolean =>
  !input.strictConstrainToURLs && meter.left().credits >= cost

/** Searches the web and adds the results to the candidates. */
export async function findPages(job: AgentJob, query: string): Promise<Searched> {
  const { ports, workflow } = job
  const outcome = await spend<{ pages: SearchMatch[]; notes: string[]; error?: string }>(
    job,
    `search ${query}`,
    async (tools) => {
      const call = callOf(ports.clock, { ...workflow, signal: tools.signal })
      const timeout = Math.max(1, Math.floor(Math.min(timeoutMs, tools.leftMs())))
      try {
        const { data, warning, creditsUsed } = await search(
          ports,
          SearchInput.parse({ query, limit: results, timeout }),
          call,
        )
        const pages = (data.web ?? []).map(({ url, title, description }) => ({ url, title, about: description }))
        return { value: { pages, notes: warning === null ? [] : [warning] }, credits: creditsUsed }
      } catch (thrown) {
        return { value: { pages: [], notes: [], ...stepFault(thrown, job, tools) } }
      }
    },
  )
  job.candidates.add('search', outcome.pages)
  for (const note of outcome.notes) workflow.warn(note)
  const { error } = outcome
  return { query, found: outcome.pages.length, ...(error !== undefined && { error }) }
}
