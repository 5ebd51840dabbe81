import { call } from '../server-calls.ts'

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

/** Routes of jobs by kind: asked, they tell how far one is; DELETE ends it. */
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

/** What has ended stays as it was, and is not asked for again. */
const ended = new Map<string, JobState>()

export async function stateOf(
  { id, endpoint }: Pick<Entry, 'id' | 'endpoint'>,
  signal: AbortSignal,
): Promise<JobState> {
  const known = ended.get(id)
  if (known) return known
  const path = hasPages({ endpoint }) ? crawlState(id) : `${routes[endpoint] ?? ''}/${id}`
  const state = await call<JobState>('GET', path, { signal })
  if (!isRunning(state)) ended.set(id, state)
  return state
}

export const cancel = ({ id, endpoint }: Pick<Entry, 'id' | 'endpoint'>) =>
  call('DELETE', `${routes[endpoint] ?? ''}/${id}`)

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

type Call = { endpoint: string; target: string | null }

/** Where it is told why a job, or a page of it, failed. */
export const whyHref = ({ endpoint, id }: { endpoint: string; id: string }, page = '') =>
  `#/why/${endpoint}/${id}${page && `/${encodeURIComponent(page)}`}`

/** Fields that say what a call is about, by its kind. */
const subjects: Readonly<Record<string, string>> = {
  scrape: 'url',
  crawl: 'url',
  map: 'url',
  llmstxt: 'url',
  search: 'query',
}

/** The least input of such a call; undefined where more would be needed than is known. */
export function inputFor({ endpoint, target }: Call): Readonly<Record<string, unknown>> | undefined {
  const { [endpoint]: field } = subjects
  return field === undefined || target === null ? undefined : { [field]: target }
}

export const playgroundHref = (operation: string, input?: object) =>
  `#/playground/${operation}${input ? `/${encodeURIComponent(JSON.stringify(input))}` : ''}`
