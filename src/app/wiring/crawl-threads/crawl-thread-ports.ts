import { setImmediate } from 'node:timers/promises'
import type { ReadRequest } from '../../../contracts/page-content.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { RunPorts } from '../../../engine/crawl/runner/run-tools.ts'
import { readHtml } from '../../../engine/html/page/read-parts.ts'
import { createFairSemaphore } from '../../../util/semaphore.ts'
import type { Config } from '../../config.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { modelFacts } from '../open-model.ts'
import type { Call } from '../rpc.ts'
import type { CrawlThreadCalls, Marks } from './crawl-thread-calls.ts'
import type { Account } from '../../../contracts/account-ports.ts'
import { unlessAborted } from '../../../util/async.ts'

/**
 * A team with this many fetched pages in the queue of the reader fetches no more, because they keep the reader busy.
 */
const maxWaiting = 2

/** Pages of a team in the queue and at the reader, and functions that let a delayed fetch start. */
type Backlog = { waiting: number; reading: number; delayed: Set<() => void> }
/** A fetched page in the queue of the reader. */
type QueuedPage = {
  /** Called when the reader starts to read the page. */
  begin(): void
  /** Removes the page from the queue once it has been read or is no longer needed. */
  leave(): void
}

/**
 * Delays fetches of a team while `maxWaiting` of its pages wait to be read. A waiting page occupies memory, and with a
 * fast site all pages of a crawl thread would wait.
 */
export function createBacklogs() {
  const teams = new Map<string, Backlog>()

  function forgetIdle(teamId: string, { waiting, reading, delayed }: Backlog): void {
    if (waiting + reading + delayed.size === 0) teams.delete(teamId)
  }

  return {
    /** Resolves when a page of the team may be fetched; rejects with the signal's reason. */
    async mayFetch(teamId: string, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      const backlog = teams.get(teamId)
      if (!backlog || backlog.waiting < maxWaiting) return
      const { promise, resolve } = Promise.withResolvers<void>()
      backlog.delayed.add(resolve)
      await unlessAborted(signal, promise).catch((reason: unknown) => {
        backlog.delayed.delete(resolve)
        forgetIdle(teamId, backlog)
        throw reason
      })
    },

    /** Queues a fetched page of the team for reading. */
    enter(teamId: string): QueuedPage {
      const backlog = teams.get(teamId) ?? { waiting: 0, reading: 0, delayed: new Set() }
      teams.set(teamId, backlog)
      backlog.waiting += 1
      let isWaiting = true
      function begin(): void {
        if (!isWaiting) return
        isWaiting = false
        backlog.waiting -= 1
        backlog.reading += 1
        startFetches(backlog, 1)
      }
      return {
        begin,
        leave() {
          begin()
          backlog.reading -= 1
          // The site is slower than the reader.
          if (backlog.waiting === 0) startFetches(backlog, Infinity)
          forgetIdle(teamId, backlog)
        },
      }
    },
  }
}

function startFetches({ delayed }: Backlog, max: number): void {
  for (const start of [...delayed].slice(0, max)) {
    delayed.delete(start)
    start()
  }
}

type Slots = Pick<Account, 'enter' | 'load'>

/** Time for which a spare slot is kept: longer than a crawl needs to claim its next pages. */
const spareMs = 50

/**
 * Slots of teams. Taking one from the main thread costs a message and its answer, so the slot of a finished page is
 * kept for the team's next page, unless another call of the team was waiting for a slot at the last check. Slots that
 * stay unused are returned.
 */
export function createReusedSlots({ enter, load }: Slots): Slots {
  /** `unused`: the smallest number of spare slots since the last round. */
  const spare = new Map<string, { slots: (() => void)[]; unused: number }>()
  const crowded = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function returnUnused(): void {
    for (const [teamId, team] of spare) {
      for (const leave of team.slots.splice(0, team.unused)) leave()
      team.unused = team.slots.length
      if (team.unused === 0) spare.delete(teamId)
    }
    timer = spare.size > 0 ? setTimeout(returnUnused, spareMs).unref() : undefined
  }
  function keep(teamId: string, leave: () => void): void {
    if (crowded.has(teamId)) return leave()
    const team = spare.get(teamId) ?? { slots: [], unused: 0 }
    team.slots.push(leave)
    spare.set(teamId, team)
    timer ??= setTimeout(returnUnused, spareMs).unref()
  }
  function take(teamId: string): (() => void) | undefined {
    const team = spare.get(teamId)
    const leave = team?.slots.pop()
    if (team) team.unused = Math.min(team.unused, team.slots.length)
    return leave
  }
  return {
    async enter(teamId, signal) {
      signal.throwIfAborted()
      const leave = take(teamId) ?? (await enter(teamId, signal))
      return () => keep(teamId, leave)
    },
    async load(teamId) {
      const current = await load(teamId)
      if (current.waiting > 0) crowded.add(teamId)
      else crowded.delete(teamId)
      return current
    },
  }
}

type Known<T> = { at: number; answer: Promise<T> }

/** Requests the value of a key at most every `ms` milliseconds, unless the last request failed. Drops older values. */
export function rememberedFor<T>(
  ms: number,
  request: (key: string) => Promise<T>,
  known = new Map<string, Known<T>>(),
): (key: string) => Promise<T> {
  return (key) => {
    const now = performance.now()
    const last = known.get(key)
    if (last && now - last.at < ms) return last.answer
    forgetUntil(known, now - ms)
    const latest = { at: now, answer: request(key) }
    known.set(key, latest)
    latest.answer.catch(() => {
      if (known.get(key) === latest) known.delete(key)
    })
    return latest.answer
  }
}

/** The first entries are the oldest, because a map keeps insertion order. */
function forgetUntil<T>(known: Map<string, Known<T>>, until: number): void {
  for (const [key, { at }] of known) {
    if (at > until) return
    known.delete(key)
  }
}

export type ReadingRules = {
  marks: Marks
  /**
   * True if a page must be read outside the crawl thread: it is very long, or a crawl thread crashed while reading it.
   */
  isApart(page: Pick<ReadRequest, 'url' | 'html'>): boolean
  measure: Telemetry['measure']
}

/** Ports of a crawler in a crawl thread. It has a network, a database and a reader; the main thread does the rest. */
export function crawlThreadPorts(
  config: Config,
  own: Pick<Ports, 'fetchPage' | 'clock' | 'hosts' | 'pages' | 'index' | 'snapshots' | 'crawls' | 'usage'>,
  call: Call<CrawlThreadCalls>,
  rules: ReadingRules,
): RunPorts {
  const slots = createReusedSlots({
    enter: (teamId, signal) => call('enter', teamId, signal),
    load: (teamId) => call('load', teamId),
  })
  const backlogs = createBacklogs()
  return {
    ...own,
    async fetchPage(request) {
      await backlogs.mayFetch(request.teamId, request.signal)
      return own.fetchPage(request)
    },
    locationMode: config.locationMode,
    readHtml: createReading(call, backlogs, rules),
    renderPage: ({ signal, ...request }) => call('renderPage', request, signal),
    readDocument: (request, signal) => call('readDocument', request, signal),
    findMedia: ({ signal, ...request }) => call('findMedia', request, signal),
    model: {
      ...modelFacts(config),
      text: ({ signal, ...question }) => call('askForText', question, signal),
      object: ({ signal, ...question }) => call('askForObject', question, signal),
    },
    account: {
      limitsOf: rememberedFor(limitsMs, (teamId) => call('limitsOf', teamId)),
      ...slots,
      load: rememberedFor(loadMs, slots.load),
      holdCredits: (hold) => call('holdCredits', hold),
      releaseCredits: (jobId) => call('releaseCredits', jobId),
    },
  }
}

/** Times for which limits and load are remembered, because a crawl requests both after each page. */
const [limitsMs, loadMs] = [1000, 100]

/** Reads one page at a time in this thread. Teams take turns, and other work runs in between. */
function createReading(
  call: Call<CrawlThreadCalls>,
  backlogs: ReturnType<typeof createBacklogs>,
  { marks, isApart, measure }: ReadingRules,
): Ports['readHtml'] {
  const turns = createFairSemaphore({ usual: 1 })
  async function readHere(request: Parameters<Ports['readHtml']>[0], signal: AbortSignal, page: QueuedPage) {
    const release = await turns.acquire(request.teamId, signal)
    try {
      page.begin()
      await setImmediate()
      signal.throwIfAborted()
      marks.reading(request.url)
      return await measure({ kind: 'read', name: 'html' }, async () => readHtml(request))
    } finally {
      marks.reading(undefined)
      marks.beat()
      release()
    }
  }
  return async (request, signal) => {
    if (isApart(request)) return call('readHtml', request, signal)
    const page = backlogs.enter(request.teamId)
    return readHere(request, signal, page).finally(page.leave)
  }
}
