import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { Team } from '../../kernel/ctx.ts'
import { type AppError, fail, failure, toAppError } from '../../kernel/error.ts'
import { isFinished, type JobState } from '../../kernel/operation.ts'
import { createRouter, type RouteMatch } from '../../kernel/route.ts'
import type { HttpAppOptions } from '../http/app.ts'
import { baseUrlOf } from '../http/guard.ts'
import { jsonPieces, StoredJson } from '../../util/json.ts'
import { createFairSemaphore, type FairSemaphore } from '../../util/semaphore.ts'
import { withV1 } from '../v1.ts'
import type { UpgradeRoute } from './upgrade.ts'

export type WatchOptions = Pick<
  HttpAppOptions,
  'operations' | 'invoke' | 'newCtx' | 'authenticate' | 'publicUrl' | 'trustProxy' | 'log'
>

/** Close reason in the form of a message, because SDK 1.x parses it as one. */
const closeReason = JSON.stringify({ type: 'closed' })

/** Maximum results per call of the operation. */
const pageSize = 100

/**
 * Limits of messages in memory that contain a whole job, each up to `maxStateBytes`. A client that does not read keeps
 * one for a minute.
 */
const wholeMessages = { usual: 16, reserved: 4 }

/** Serves operations with `watch` as WebSockets, which report the progress of a job. */
export function watchRoute(options: WatchOptions): UpgradeRoute {
  const router = withV1(createRouter(options.operations.filter(({ watch }) => watch !== undefined)))
  const whole = createFairSemaphore(wholeMessages)
  return {
    match: async (request) => {
      const job = router('GET', new URL(request.url))
      if (!job || !('operation' in job)) return undefined
      const team = await options.authenticate(credentialsOf(request))
      // Unauthorised clients get the error over the socket; all of them share the slots of one team.
      return { teamId: team?.id ?? '', accept: (socket) => watchJob(socket, { job, request, team, whole }, options) }
    },
  }
}

type Watch = { job: RouteMatch; request: Request; team: Team | undefined; whole: FairSemaphore }

/** JSON.stringify as UTF-8 bytes, with stored objects copied verbatim. */
export const jsonBytes = (value: object): Uint8Array<ArrayBuffer> => Buffer.concat(jsonPieces(value))

async function watchJob(socket: WebSocket, watch: Watch, options: WatchOptions): Promise<void> {
  const cancellation = new AbortController()
  const { signal } = cancellation
  socket.once('close', () => cancellation.abort(failure('REQUEST_CANCELLED')))
  const send = (frame: Frame) => sendBytes(socket, jsonBytes(frame))
  const pace = {
    rest: (ms: number) => sleep(ms, undefined, { signal }),
    wholeTurn: () => watch.whole.acquire(watch.team?.id ?? '', signal),
  }
  try {
    const read = readerOf(watch, signal, options)
    for await (const frame of framesOf(read, pace)) await send(frame)
    socket.close(1000, closeReason)
  } catch (thrown) {
    if (socket.readyState === socket.OPEN) await refuse(socket, toAppError(thrown), options)
  }
}

/** Fails with UNAUTHORIZED. */
function readerOf({ job, request, team }: Watch, signal: AbortSignal, options: WatchOptions): ReadJob {
  const { operation, slots } = job
  if (!team) return fail('UNAUTHORIZED')
  const baseUrl = baseUrlOf(request, options)
  return async (skip) => {
    const ctx = options.newCtx({ team, signal, baseUrl, takesStored: true })
    return (await options.invoke(operation, { ...slots, skip, limit: pageSize }, ctx)) as JobState
  }
}

/** The credentials of a client. Browsers and the SDK of Firecrawl send the key as the WebSocket's protocol. */
function credentialsOf({ headers }: Request): string | undefined {
  const key = headers.get('sec-websocket-protocol')?.split(',')[0]?.trim()
  return headers.get('authorization') ?? (key === undefined ? undefined : `Bearer ${key}`)
}

async function refuse(socket: WebSocket, error: AppError, { log }: WatchOptions): Promise<void> {
  if (error.status >= 500) log.warn('watch failed', { code: error.code, details: error.details, cause: error.cause })
  await sendBytes(socket, jsonBytes({ type: 'error', error: error.message, code: error.code } satisfies Frame))
  socket.close(closeCodeOf(error), closeReason)
}

/** 3000 and 3003 are registered for these meanings (IANA, WebSocket close codes). */
function closeCodeOf({ status }: AppError): number {
  if (status === 401) return 3000
  if (status === 403) return 3003
  return status < 500 ? 1008 : 1011
}

/** Long messages are sent in chunks, to distinguish a slow reader from one that does not read. */
const pieceBytes = 1024 * 1024

/**
 * Sends a text in UTF-8 and resolves when all of it has left this process. A reader that accepts no chunk for
 * `patienceMs` loses its socket. Rejects if the socket is closed.
 */
export async function sendBytes(socket: WebSocket, bytes: Uint8Array, patienceMs = 60_000): Promise<void> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    const fin = at + pieceBytes >= bytes.byteLength
    await sendPiece(socket, { bytes: bytes.subarray(at, at + pieceBytes), fin }, patienceMs)
  }
}

function sendPiece(socket: WebSocket, { bytes, fin }: { bytes: Uint8Array; fin: boolean }, patienceMs: number) {
  return new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => socket.terminate(), patienceMs)
    socket.send(bytes, { binary: false, fin }, (error) => {
      clearTimeout(late)
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Messages over the wire, one JSON object each. */
export type Frame =
  | { type: 'catchup' | 'status' | 'done'; data: JobState & { success: true } }
  | { type: 'document'; data: object }
  | { type: 'error'; error: string; code?: string }

/** Reads the progress of the job, with results from index `skip` on. */
type ReadJob = (skip: number) => Promise<JobState>
type Rest = (ms: number) => Promise<void>
type Pace = {
  rest: Rest
  /** Waits until another whole job may be in memory; returns the function that releases the slot. */
  wholeTurn(): Promise<() => void>
}

const maxStateBytes = 10 * 1024 * 1024
const pauseMs = 250
const longPauseMs = 1000
const patienceMs = 60_000

/**
 * Frames of a job: its current state, each new result, the end. Clients of Firecrawl treat a `catchup` or
 * `status` with a final status as the end and its `data` as all results, so no status is final while results are
 * still to come, and the last one contains them again. They treat every `done` as success: `status` before it is more
 * precise.
 */
export async function* framesOf(read: ReadJob, pace: Pace): AsyncGenerator<Frame, void> {
  const { state, seen, isAll } = yield* allOf('catchup', read, pace)
  const last = isAll ? state : yield* further(read, pace.rest, seen)
  if (last.status === 'failed') yield { type: 'error', error: last.error ?? 'The job failed.' }
  if (!isAll) yield* allOf('status', read, pace)
  yield framed('done', { ...last, data: [] })
}

type SentState = { state: JobState; seen: number; isAll: boolean }

/** Sends the state with as many results as fit into one message, and keeps none of them in memory. */
async function* allOf(type: 'catchup' | 'status', read: ReadJob, pace: Pace): AsyncGenerator<Frame, SentState> {
  const release = await pace.wholeTurn()
  try {
    const state = await readAll(read)
    const isAll = isFinished(state) && state.data.length >= state.completed
    yield framed(type, isAll || type === 'status' ? state : { ...state, status: 'scraping' })
    return { state: { ...state, data: [] }, seen: state.data.length, isAll }
  } finally {
    release()
  }
}

const framed = (type: 'catchup' | 'status' | 'done', state: JobState): Frame => ({
  type,
  data: { success: true, ...state },
})

/** Reads as many pages of results as one message may contain, at least one. */
async function readAll(read: ReadJob): Promise<JobState> {
  let state = await read(0)
  let data = [...state.data]
  let size = sizeOf(data)
  while (data.length < state.completed) {
    const next = await read(data.length)
    size += sizeOf(next.data)
    // The page is omitted as a whole, so `next` still points to it.
    if (next.data.length === 0 || size > maxStateBytes) break
    data = data.concat(next.data)
    state = next
  }
  return { ...state, data }
}

const sizeOf = (data: readonly object[]) => data.reduce((sum, document) => sum + jsonSize(document), 0)
const jsonSize = (document: object) =>
  document instanceof StoredJson ? document.byteLength : Buffer.byteLength(JSON.stringify(document))

/** Sends results from index `skip` on until the job is over; returns its last state. */
async function* further(read: ReadJob, rest: Rest, skip: number): AsyncGenerator<Frame, JobState> {
  let seen = skip
  let quietMs = 0
  let wasOver = false
  for (;;) {
    const state = await read(seen)
    for (const data of state.data) yield { type: 'document', data }
    seen += state.data.length
    const isNews = state.data.length > 0
    // The counters of a state may be newer than its results, so the end is believed at the second reading.
    if (isFinished(state) && (seen >= state.completed || (wasOver && !isNews))) return state
    wasOver = isFinished(state)
    quietMs = isNews ? 0 : quietMs
    if (isNews && seen < state.completed) continue
    const ms = quietMs < patienceMs ? pauseMs : longPauseMs
    await rest(ms)
    quietMs += ms
  }
}
