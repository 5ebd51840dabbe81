import { call } from '../../api.ts'

export type Entry = {
  id: string
  endpoint: string
  created_at: string
  target: string | null
  status?: string
  /** Of a call that failed. */
  code?: string
  error?: string
}
type Activity = { data: readonly Entry[]; cursor: string | null }
/** How far a job of many pages is. */
export type JobState = {
  status: string
  completed?: number
  failed?: number
  total?: number
  creditsUsed?: number
  createdAt?: string
  duration?: number
  error?: string
  warning?: string
  data?: unknown
  /** What an agent does at the moment. */
  doing?: string
  skipped?: Readonly<Record<string, number>>
}

/** Where no crawl has a page any more: how far it is, without the text of one. */
const beyond = 1_000_000_000
const crawlState = (id: string) => `/dashboard/pages/${id}?skip=${beyond}`

/** Routes that tell how far a job is, by its kind. */
const statusPaths: Readonly<Record<string, (id: string) => string>> = {
  crawl: crawlState,
  batch_scrape: crawlState,
  extract: (id) => `/v2/extract/${id}`,
  agent: (id) => `/v2/agent/${id}`,
  llmstxt: (id) => `/v2/llmstxt/${id}`,
}
const cancelPaths: Readonly<Record<string, (id: string) => string>> = {
  crawl: (id) => `/v2/crawl/${id}`,
  batch_scrape: (id) => `/v2/batch/scrape/${id}`,
  extract: (id) => `/v2/extract/${id}`,
  agent: (id) => `/v2/agent/${id}`,
  llmstxt: (id) => `/v2/llmstxt/${id}`,
}

export const hasState = ({ endpoint }: Pick<Entry, 'endpoint'>) => endpoint in statusPaths
export const hasPages = ({ endpoint }: Pick<Entry, 'endpoint'>) => endpoint === 'crawl' || endpoint === 'batch_scrape'
export const canCancel = ({ endpoint }: Pick<Entry, 'endpoint'>) => endpoint in cancelPaths
export const isRunning = (state: JobState | undefined) => state?.status === 'scraping' || state?.status === 'processing'

/** What has ended stays as it was, and is not asked for again. */
const ended = new Map<string, JobState>()

export async function stateOf(
  { id, endpoint }: Pick<Entry, 'id' | 'endpoint'>,
  signal: AbortSignal,
): Promise<JobState> {
  const known = ended.get(id)
  if (known) return known
  const path = statusPaths[endpoint]?.(id) ?? ''
  const state = await call<JobState>('GET', path, { signal })
  if (!isRunning(state)) ended.set(id, state)
  return state
}

export const cancel = ({ id, endpoint }: Pick<Entry, 'id' | 'endpoint'>) =>
  call('DELETE', cancelPaths[endpoint]?.(id) ?? '')

type Listing = { limit: number; endpoint: string; status: string }

/** Calls of the last day. An empty endpoint or status stands for all. */
export async function activity({ limit, endpoint, status }: Listing, signal: AbortSignal): Promise<readonly Entry[]> {
  const chosen = Object.entries({ endpoint, status }).filter(([, value]) => value !== '')
  const query = new URLSearchParams([['limit', String(limit)], ...chosen])
  return (await call<Activity>('GET', `/v2/team/activity?${query}`, { signal })).data
}

type Active = { crawls: readonly { id: string; url: string; created_at: string }[] }

/** What runs, also when it began before what the activity goes back to. */
export async function runningCrawls(signal: AbortSignal): Promise<readonly Entry[]> {
  const { crawls } = await call<Active>('GET', '/v2/crawl/active', { signal })
  return crawls.map(({ id, url, created_at }) => ({ id, endpoint: 'crawl', target: url, created_at }))
}
