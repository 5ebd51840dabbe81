import { SearchInput } from '../../schema/search-schema.ts'
import { search } from '../search/search.ts'
import { callOf } from '../workflow/run-workflow.ts'
import { type AgentJob, spend, stepFault } from './agent-job.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'

const maxWords = 20
const maxCharacters = 250

/**
 * The words of a query that a model wrote. It has read pages, and one may have told it to search for what another says;
 * operators, addresses, and what looks like a key or a code pass only where the task holds them itself.
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

/** Words, years, amounts, and short names with a number, such as `B2B` or `GPT-5`. */
function isPlain(word: string): boolean {
  if (word.length > longestWord || /[:/=@\\%_<>{}]/.test(word)) return false
  const digits = word.replace(/\D/g, '').length
  const letters = word.replace(/[^\p{L}]/gu, '').length
  return digits <= longestNumber && (digits === 0 || letters + digits <= 8)
}

const results = 10
/** Credits of a search that brings so many results. */
const cost = 2
const timeoutMs = 30_000

/** What a search came to; `found` counts its results. */
export type Searched = { query: string; found: number; error?: string }
type Found = { url: string; title: string; about: string }

export const canSearch = ({ input, meter }: AgentJob): boolean =>
  !input.strictConstrainToURLs && meter.left().credits >= cost

/** Searches the web and adds the results to the candidates. */
export async function findPages(job: AgentJob, query: string): Promise<Searched> {
  const { ports, workflow } = job
  const outcome = await spend<{ pages: Found[]; notes: string[]; error?: string }>(
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
