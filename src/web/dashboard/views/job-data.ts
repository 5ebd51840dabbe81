import { call } from '../server-calls.ts'

export type Entry = {
  id: string
  endpoint: string
  created_at: string
  target: string | null
  status?: string
  /** Error code of a failed call. */
  code?: string
  error?: string
  /** The monitor of a check. */
  monitorId?: string | undefined
  /** State of a job that runs. */
  state?: JobState
}
/** Response of /dashboard/jobs. */
export type JobList = {
  running: readonly Entry[]
  recent: readonly Entry[]
  hasMore: boolean
  active: number
  waiting: number
  credits: number
}
/** State and progress of a job. */
export type JobState = {
  status: string
  completed?: number
  failed?: number
  total?: number
  /** Pages that answered with an error. */
  refused?: number
  creditsUsed?: number
  createdAt?: string
  duration?: number
  error?: string
  warning?: string
  data?: unknown
  /** Current activity, or what a crawl waits for. */
  doing?: string
  skipped?: Readonly<Record<string, number>>
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

/** States of ended jobs, which do not change and are not requested again. */
const ended = new Map<string, JobState>()

export async function stateOf(
  { id, endpoint }: Pick<Entry, 'id' | 'endpoint'>,
  signal: AbortSignal,
): Promise<JobState> {
  const known = ended.get(id)
  if (known) return known
  // One row is enough for the state.
  const path = hasPages({ endpoint }) ? `/dashboard/pages/${id}?limit=1` : `${routes[endpoint] ?? ''}/${id}`
  const state = await call<JobState>('GET', path, { signal })
  if (!isRunning(state)) ended.set(id, state)
  return state
}

export const cancel = ({ id, endpoint }: Pick<Entry, 'id' | 'endpoint'>) =>
  call('DELETE', `${routes[endpoint] ?? ''}/${id}`)

/** Running jobs, and matching calls of the last day. */
export const jobList = (wanted: Readonly<Record<string, string>>, signal: AbortSignal) =>
  call<JobList>('GET', `/dashboard/jobs?${new URLSearchParams(wanted)}`, { signal })

export async function entryOf(id: string, signal: AbortSignal): Promise<Entry | undefined> {
  const { running, recent } = await jobList({}, signal)
  return [...running, ...recent].find((each) => each.id === id)
}

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

/** Minimal input of such a call; undefined if more than the target would be needed. */
export function inputFor({ endpoint, target }: Call): Readonly<Record<string, unknown>> | undefined {
  const { [endpoint]: field } = subjects
  return field === undefined || target === null ? undefined : { [field]: target }
}

export const playgroundHref = (operation: string, input?: object) =>
  `#/playground/${operation}${input ? `/${encodeURIComponent(JSON.stringify(input))}` : ''}`
