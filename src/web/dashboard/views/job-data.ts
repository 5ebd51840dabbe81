import type { JobStatus } from '../../../schema/crawl-schema.ts'
import type { ActivityEntry } from '../../../schema/team.ts'
import type { JobResult } from '../../../schema/workflow-schemas.ts'
import { call, useAnswer } from '../server-calls.ts'

/** A call of the last day, or a job that runs, with its state. `monitorId`: the monitor of a check. */
export type Entry = Pick<ActivityEntry, 'id' | 'created_at' | 'target' | 'code' | 'error'> & {
  endpoint: string
  status?: string
  monitorId?: string | undefined
  state?: JobState
}
export type JobList = {
  running: readonly Entry[]
  recent: readonly Entry[]
  hasMore: boolean
  active: number
  waiting: number
  credits: number
}
/** State and progress of a job. `refused`: pages with an error status; `doing`: current step, or why a crawl waits. */
export type JobState = Partial<Omit<JobResult, 'status'> & Pick<JobStatus, 'failed' | 'duration'>> & {
  status: string
  refused?: number
}

/** Job routes by kind: GET returns the state, DELETE cancels. */
const routes: Readonly<Record<string, string>> = {
  crawl: '/v2/crawl',
  batch_scrape: '/v2/batch/scrape',
  extract: '/v2/extract',
  agent: '/v2/agent',
  llmstxt: '/v2/llmstxt',
}

export const isJob = ({ endpoint }: Pick<Entry, 'endpoint'>) => endpoint in routes
export const hasPages = ({ endpoint }: Pick<Entry, 'endpoint'>) => endpoint === 'crawl' || endpoint === 'batch_scrape'
export const isRunning = (state: JobState | undefined) => state?.status === 'scraping' || state?.status === 'processing'

/** Polls the state of a job until it has ended. For a job with pages, one row is requested with it. */
export const useJobState = (job: Pick<Entry, 'id' | 'endpoint'> | undefined) =>
  useAnswer<JobState>(
    job && (hasPages(job) ? `/dashboard/pages/${job.id}?limit=1` : `${routes[job.endpoint] ?? ''}/${job.id}`),
    (state) => (isRunning(state) ? 1000 : 0),
  )

export const cancel = ({ id, endpoint }: Pick<Entry, 'id' | 'endpoint'>) =>
  call('DELETE', `${routes[endpoint] ?? ''}/${id}`)

export const useJobList = (query: Readonly<Record<string, string>>, restMs: number) =>
  useAnswer<JobList>(`/dashboard/jobs?${new URLSearchParams(query)}`, restMs)

export const entryIn = (list: JobList | undefined, id: string): Entry | undefined =>
  list && [...list.running, ...list.recent].find((each) => each.id === id)

type Call = { endpoint: string; target: string | null }

/** Link to the explanation of why a job, or one of its pages, failed. */
export const whyHref = ({ endpoint, id }: { endpoint: string; id: string }, page = '') =>
  `#/why/${endpoint}/${id}${page && `/${encodeURIComponent(page)}`}`

/** Input field that identifies the target of a call, by kind. */
const subjects: Readonly<Record<string, string>> = {
  scrape: 'url',
  crawl: 'url',
  map: 'url',
  llmstxt: 'url',
  search: 'query',
}

/** Returns the input of a call with only its target; undefined if the call needs more than that. */
export function inputFor({ endpoint, target }: Call): Readonly<Record<string, unknown>> | undefined {
  const { [endpoint]: field } = subjects
  return field === undefined || target === null ? undefined : { [field]: target }
}

export const playgroundHref = (operation: string, input?: object) =>
  `#/playground/${operation}${input ? `/${encodeURIComponent(JSON.stringify(input))}` : ''}`
