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
import type { LaneCalls, Marks } from './lane-calls.ts'
import type { Account } from '../../../contracts/account-ports.ts'
import { abortReason } from '../../../util/async.ts'

/** Pages of a team that wait to be read while its next ones are fetched: enough that the reader need not wait for them. */
const enough = 2

type Backlog = { waiting: number; reading: number; held: Set<() => void> }
/** Of a page that has been fetched. */
type Place = {
  /** Its turn has come. */
  begin(): void
  /** It has been read, or nobody wants it any more. */
  leave(): void
}

/**
 * Holds fetches back while enough pages of the team wait to be read. What has been fetched lives through collections of
 * garbage until its turn comes, and where a site answers faster than pages are read, all of a lane's would be waiting.
 */
export function createBacklogs() {
  const teams = new Map<string, Backlog>()

  function forgetIdle(teamId: string, { waiting, reading, held }: Backlog): void {
    if (waiting + reading + held.size === 0) teams.delete(teamId)
  }

  return {
    /** Resolves when a page of the team may be fetched; rejects with the signal's reason. */
    async mayFetch(teamId: string, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      const backlog = teams.get(teamId)
      if (!backlog || backlog.waiting < enough) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = () => {
        backlog.held.delete(resolve)
        forgetIdle(teamId, backlog)
        reject(abortReason(signal))
      }
      backlog.held.add(resolve)
      signal.addEventListener('abort', giveUp, { once: true })
      await promise.finally(() => signal.removeEventListener('abort', giveUp))
    },

    /** A page of the team is there to be read. */
    enter(teamId: string): Place {
      const backlog = teams.get(teamId) ?? { waiting: 0, reading: 0, held: new Set() }
      teams.set(teamId, backlog)
      backlog.waiting += 1
      let isWaiting = true
      function begin(): void {
        if (!isWaiting) return
        isWaiting = false
        backlog.waiting -= 1
        backlog.reading += 1
        release(backlog, 1)
      }
      return {
        begin,
        leave() {
          begin()
          backlog.reading -= 1
          // The site is slower than the reader.
          if (backlog.waiting === 0) release(backlog, Infinity)
          forgetIdle(teamId, backlog)
        },
      }
    },
  }
}

type Backlogs = ReturnType<typeof createBacklogs>

function release({ held }: Backlog, most: number): void {
  let many = 0
  for (const go of held) {
    if (many++ >= most) return
    held.delete(go)
    go()
  }
}

type Slots = Pick<Account, 'enter' | 'load'>

/** Longer than it takes a crawl to claim its next pages. */
const keptMs = 50

/**
 * Slots of teams, where each costs a message there and back: that of a page which has ended is kept a moment for the next page
 * of the team, as long as nobody of the team was waiting for one when that was last asked.
 */
export function createHandedOn({ enter, load }: Slots): Slots {
  const spare = new Map<string, (() => void)[]>()
  const crowded = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function letGo(): void {
    timer = undefined
    const all = [...spare.values()].flat()
    spare.clear()
    for (const leave of all) leave()
  }
  function keep(teamId: string, leave: () => void): void {
    if (crowded.has(teamId)) return leave()
    spare.set(teamId, [...(spare.get(teamId) ?? []), leave])
    timer ??= setTimeout(letGo, keptMs).unref()
  }
  return {
    async enter(teamId, signal) {
      signal.throwIfAborted()
      const leave = spare.get(teamId)?.pop() ?? (await enter(teamId, signal))
      return () => keep(teamId, leave)
    },
    async load(teamId) {
      const found = await load(teamId)
      if (found.waiting > 0) crowded.add(teamId)
      else crowded.delete(teamId)
      return found
    },
  }
}

type Known<T> = { at: number; answer: Promise<T> }

/** Asks again for a key only `ms` milliseconds after it was asked last, or after that failed. Older answers are forgotten. */
export function rememberedFor<T>(
  ms: number,
  ask: (key: string) => Promise<T>,
  known = new Map<string, Known<T>>(),
): (key: string) => Promise<T> {
  return (key) => {
    const now = performance.now()
    const last = known.get(key)
    if (last && now - last.at < ms) return last.answer
    forgetUntil(known, now - ms)
    const asked = { at: now, answer: ask(key) }
    known.set(key, asked)
    asked.answer.catch(() => {
      if (known.get(key) === asked) known.delete(key)
    })
    return asked.answer
  }
}

/** A map keeps its entries in the order they came, so the first are the oldest. */
function forgetUntil<T>(known: Map<string, Known<T>>, until: number): void {
  for (const [key, { at }] of known) {
    if (at > until) return
    known.delete(key)
  }
}

export type ReadingRules = {
  marks: Marks
  /** Whether a page is read elsewhere: it may need much time or memory, or a lane has ended while it was read. */
  isApart(page: Pick<ReadRequest, 'url' | 'html'>): boolean
  measure: Telemetry['measure']
}

/** What a crawler needs, as a lane has it: its own network and database, its own reading, and the rest by calls. */
export function lanePorts(
  config: Config,
  own: Pick<Ports, 'fetchPage' | 'clock' | 'hosts' | 'pages' | 'index' | 'snapshots' | 'crawls' | 'usage'>,
  call: Call<LaneCalls>,
  rules: ReadingRules,
): RunPorts {
  const slots = createHandedOn({
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

/** A crawl asks for both whenever one of its pages has ended. */
const [limitsMs, loadMs] = [1000, 100]

/** Pages are read one after the other in this thread; teams take turns, and everything else gets its turn in between. */
function createReading(
  call: Call<LaneCalls>,
  backlogs: Backlogs,
  { marks, isApart, measure }: ReadingRules,
): Ports['readHtml'] {
  const turns = createFairSemaphore({ usual: 1 })
  async function readHere(request: Parameters<Ports['readHtml']>[0], signal: AbortSignal, place: Place) {
    const leave = await turns.acquire(request.teamId, signal)
    try {
      place.begin()
      await setImmediate()
      signal.throwIfAborted()
      marks.reading(request.url)
      return await measure({ kind: 'read', name: 'html' }, async () => readHtml(request))
    } finally {
      marks.reading(undefined)
      marks.beat()
      leave()
    }
  }
  return async (request, signal) => {
    if (isApart(request)) return call('readHtml', request, signal)
    const place = backlogs.enter(request.teamId)
    return readHere(request, signal, place).finally(place.leave)
  }
}
