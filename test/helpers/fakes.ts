import type { Crawls, Snapshot } from '../../src/contracts/crawl-ports.ts'
import type { PageRequest, PageResponse } from '../../src/contracts/fetch.ts'
import type { Ports, Clock } from '../../src/contracts/ports.ts'
import type { RenderedPage, RenderRequest } from '../../src/contracts/render-port.ts'
import type { IndexedPage, PageArrival } from '../../src/contracts/stored-pages.ts'
import type { Monitors, Workflows } from '../../src/contracts/workflow.ts'
import type { Sessions } from '../../src/contracts/session-port.ts'
import type { Ctx } from '../../src/kernel/ctx.ts'
import { failure } from '../../src/kernel/error.ts'
import type { FindMedia, DocumentRequest, PageContent, ReadRequest } from '../../src/contracts/page-content.ts'
import type { ActivityRow, Job } from '../../src/contracts/job-ports.ts'
import type { Keys, ModelCharge, Teams, UsagePeriod } from '../../src/contracts/account-ports.ts'
import { fakeAccount, fewLimits } from './fake-account.ts'
import { fakeModel } from './fake-model.ts'
import { type AddedParts, fakePages, type HeldPages } from './fake-pages.ts'
import { everyPart } from './every-part.ts'

/** A clock that only moves when set, in ms since the epoch. */
export type FakeClock = Clock & { set(now: number): void; pass(ms: number): void }

export const noon = Date.UTC(2026, 2, 15, 12)

export function fakeClock(start = noon): FakeClock {
  let now = start
  return {
    now: () => now,
    set: (value) => void (now = value),
    pass: (ms) => void (now += ms),
  }
}

type Answer = Partial<Omit<PageResponse, 'body'>> & { body?: string | Uint8Array }

/** A port whose calls fail: tests use it with a real database or browser, or with another fake. */
const absent = <T extends object>(name: string) =>
  new Proxy({} as T, { get: (_, member) => () => Promise.reject(new Error(`no ${name} here: ${String(member)}`)) })

const idle = { wake: () => {} }

/** Ports in memory for one test, which record how they were called. */
export type World = ReturnType<typeof fakeWorld>

export function fakeWorld(site: Answer | ((request: PageRequest) => Promise<Answer>) = {}) {
  const clock = fakeClock()
  const fetched: PageRequest[] = []
  const read: ReadRequest[] = []
  const documents: DocumentRequest[] = []
  const rendered: RenderRequest[] = []
  const noted: { host: string; came: PageArrival }[] = []
  const added: AddedParts[] = []
  const cache: HeldPages = new Map()
  const indexed: IndexedPage[] = []
  const bodiesRead: string[] = []
  const recorded: Job[] = []
  const snapshots = new Map<string, Snapshot>()
  const queries: unknown[] = []
  const searched: Parameters<FindMedia>[0][] = []
  const model = fakeModel()
  const charged: ModelCharge[] = []
  const state = {
    parts: () => ({}) as PageContent,
    rows: [] as ActivityRow[],
    months: [] as UsagePeriod[],
    days: [] as { start: number; credits: number }[],
    used: 0,
    isFull: false,
    limits: fewLimits,
    behind: { error: 'not installed' } as Awaited<ReturnType<FindMedia>>,
    browser: undefined as undefined | ((request: RenderRequest) => Partial<RenderedPage>),
  }
  const ports: Ports = {
    clock,
    fetchPage: async (request) => {
      fetched.push(request)
      const answer = typeof site === 'function' ? await site(request) : site
      return {
        url: request.url,
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        ...answer,
        body: bytes(answer.body ?? '<p>Hello</p>'),
      }
    },
    readHtml: async (request) => {
      read.push(request)
      const all: PageContent = { ...everyPart(request), ...state.parts() }
      return Object.fromEntries(request.wanted.map((part) => [part, all[part]]))
    },
    renderPage: async (request) => {
      rendered.push(request)
      if (!state.browser) throw failure('BROWSER_UNAVAILABLE')
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      return {
        url: request.url,
        status: 200,
        headers,
        body: bytes('<p>Hello</p>'),
        live: {},
        ...state.browser(request),
      }
    },
    locationMode: 'browser',
    hosts: {
      needsBrowser: async (host) => noted.findLast((note) => note.host === host)?.came === 'empty',
      addsNothing: async (host) => noted.findLast((note) => note.host === host)?.came === 'not filled',
      note: async (host, came) => void noted.push({ host, came }),
    },
    readDocument: async (request) => {
      documents.push(request)
      return { markdown: `a ${request.kind}`, metadata: {}, kind: request.kind, ...state.parts() }
    },
    findMedia: async (request) => {
      searched.push(request)
      return state.behind
    },
    idempotency: { once: async ({ jobId }, { run }) => (await run(jobId)).answer },
    files: { read: async (path) => ({ filename: path, bytes: new TextEncoder().encode('a file') }) },
    pages: fakePages(cache, { bodiesRead, added }),
    index: {
      put: async (page) => void indexed.push(page),
      search: async () => [],
      highlights: async () => new Map(),
      urlsOf: async () => [],
      facts: async () => ({ pages: indexed.length, bytes: 0, hosts: [] }),
      prune: async () => 0,
    },
    jobs: {
      record: async (job) => void recorded.push(job),
      find: async (id) => recorded.find((job) => job.id === id),
      activity: async ({ teamId, endpoint, status, since, limit, before }) => {
        queries.push({ teamId, endpoint, status, since, limit, before })
        const after = before ? state.rows.findIndex((row) => row.id === before.id) + 1 : 0
        return state.rows
          .slice(after)
          .filter((row) => row.createdAt >= since && (endpoint ?? row.endpoint) === row.endpoint)
          .slice(0, limit)
      },
    },
    snapshots: {
      last: async (...key) => snapshots.get(key.join('\n')),
      keep: async (team, url, tag, snapshot) => void snapshots.set([team, url, tag].join('\n'), snapshot),
    },
    usage: {
      charge: async () => {},
      addModel: async (charge) => void charged.push(charge),
      modelMonths: async () => [],
      months: async (query) => {
        queries.push(query)
        return state.months
      },
      days: async () => state.days,
      since: async (teamId, from) => {
        queries.push({ teamId, from })
        return state.used
      },
    },
    refusals: { note: async () => {}, list: async () => [] },
    storage: { isFull: async () => state.isFull },
    account: fakeAccount(state),
    crawler: idle,
    search: async () => ({ hits: [], notes: [], isUnanswered: false, isLate: false }),
    deliveries: { abandoned: async () => [], missed: async () => [] },
    crawls: absent<Crawls>('crawls'),
    workflows: absent<Workflows>('workflows'),
    monitors: absent<Monitors>('monitors'),
    workflowRunner: idle,
    monitorSchedule: idle,
    sessions: absent<Sessions>('sessions'),
    teams: absent<Teams>('teams'),
    keys: absent<Keys>('keys'),
    webhookSecret: async () => ({ source: 'none', secret: undefined }),
    model: model.port,
    docs: { find: async () => [] },
    machine: absent<Ports['machine']>('machine'),
  }
  return {
    ports,
    clock,
    state,
    fetched,
    rendered,
    noted,
    read,
    documents,
    added,
    cache,
    indexed,
    bodiesRead,
    recorded,
    snapshots,
    queries,
    searched,
    model,
    charged,
  }
}

export const bytes = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? Buffer.from(body) : body)

/** A call by the team `acme` that has just started. */
export function fakeCtx(
  over: Partial<Ctx> = {},
): Ctx & { warnings: string[]; logged: { event: string; facts?: object }[] } {
  const warnings: string[] = []
  const logged: { event: string; facts?: object }[] = []
  const note = (event: string, facts?: object) => void logged.push({ event, ...(facts && { facts }) })
  return {
    team: { id: 'acme', key: 'laptop', permissions: [] },
    jobId: 'job-1',
    startedAt: noon,
    signal: new AbortController().signal,
    baseUrl: 'http://127.0.0.1:3002',
    log: { debug: note, info: note, warn: note, error: note },
    progress: () => {},
    warn: (text) => void warnings.push(text),
    queuedMs: 0,
    ports: fakeWorld().ports,
    ...over,
    warnings,
    logged,
  }
}

/** Returns the error of a promise; fails if the promise resolves. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const [settled] = await Promise.allSettled([promise])
  if (settled.status === 'rejected') return settled.reason
  throw new Error(`Expected a failure, but got ${JSON.stringify(settled.value)}`)
}

/** Returns a promise with functions to settle it. */
export function open<T = void>(): { promise: Promise<T>; give: (value: T) => void; refuse: (reason: unknown) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  return { promise, give: resolve, refuse: reject }
}
