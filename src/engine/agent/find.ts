import { SearchInput } from '../../schema/search-schema.ts'
import { search } from '../search/search.ts'
import { callOf } from '../workflow/call.ts'
import { type AgentJob, spend, stepFault } from './job.ts'

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
