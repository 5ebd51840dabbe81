import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { type AppError, fail, failure, toAppError } from '../../kernel/error.ts'
import type { JobState } from '../../kernel/job-state.ts'
import { createRouter, type RouteMatch } from '../../kernel/route.ts'
import type { HttpAppOptions } from '../http/app.ts'
import { baseUrlOf } from '../http/base-url.ts'
import type { UpgradeRoute } from './upgrade.ts'
import { type Frame, framesOf, type ReadJob } from './watch-frames.ts'

export type WatchOptions = Pick<
  HttpAppOptions,
  'operations' | 'invoke' | 'newCtx' | 'authenticate' | 'publicUrl' | 'trustProxy' | 'log'
>

/** Most results the operation gives at once. */
const pageSize = 100

/** The routes that tell how far a job is, as WebSockets: see Operation.watch. */
export function watchRoute(options: WatchOptions): UpgradeRoute {
  const router = createRouter(options.operations.filter(({ watch }) => watch !== undefined))
  return {
    match: (request) => {
      const found = router('GET', new URL(request.url))
      return found && 'operation' in found ? (socket) => watchJob(socket, found, request, options) : undefined
    },
  }
}

async function watchJob(socket: WebSocket, job: RouteMatch, request: Request, options: WatchOptions): Promise<void> {
  const gone = new AbortController()
  const { signal } = gone
  socket.once('close', () => gone.abort(failure('REQUEST_CANCELLED')))
  const send = (frame: Frame) => sendText(socket, JSON.stringify(frame))
  const rest = (ms: number) => sleep(ms, undefined, { signal })
  try {
    const read = await readerOf(job, request, signal, options)
    for await (const frame of framesOf(read, rest)) await send(frame)
    socket.close(1000)
  } catch (thrown) {
    if (socket.readyState === socket.OPEN) await refuse(socket, toAppError(thrown), options)
  }
}

/** Fails with UNAUTHORIZED. */
async function readerOf(
  { operation, slots }: RouteMatch,
  request: Request,
  signal: AbortSignal,
  options: WatchOptions,
): Promise<ReadJob> {
  const team = (await options.authenticate(credentialsOf(request))) ?? fail('UNAUTHORIZED')
  const baseUrl = baseUrlOf(request, options)
  return async (skip) => {
    const ctx = options.newCtx({ team, signal, baseUrl })
    return (await options.invoke(operation, { ...slots, skip, limit: pageSize }, ctx)) as JobState
  }
}

/** Browsers and the SDK of the public service cannot set headers of a WebSocket, so they send the key as its protocol. */
function credentialsOf({ headers }: Request): string | undefined {
  const key = headers.get('sec-websocket-protocol')?.split(',')[0]?.trim()
  return headers.get('authorization') ?? (key === undefined ? undefined : `Bearer ${key}`)
}

async function refuse(socket: WebSocket, error: AppError, { log }: WatchOptions): Promise<void> {
  if (error.status >= 500) log.warn('watch failed', { code: error.code, details: error.details, cause: error.cause })
  await sendText(socket, JSON.stringify({ type: 'error', error: error.message, code: error.code } satisfies Frame))
  socket.close(closeCodeOf(error))
}

/** 3000 and 3003 are registered for these meanings (IANA, WebSocket close codes). */
function closeCodeOf({ status }: AppError): number {
  if (status === 401) return 3000
  if (status === 403) return 3003
  return status < 500 ? 1008 : 1011
}

/** Long messages go in pieces, so that a slow reader can be told from one that does not read. */
const pieceBytes = 1024 * 1024

/**
 * Sends a text and resolves when all of it has left this process. A reader that takes no piece for `patienceMs` loses
 * its socket. Rejects when the socket is gone.
 */
export async function sendText(socket: WebSocket, text: string, patienceMs = 60_000): Promise<void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    const fin = at + pieceBytes >= bytes.byteLength
    await sendPiece(socket, { bytes: bytes.subarray(at, at + pieceBytes), fin }, patienceMs)
  }
}

function sendPiece(socket: WebSocket, { bytes, fin }: { bytes: Buffer; fin: boolean }, patienceMs: number) {
  return new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => socket.terminate(), patienceMs)
    socket.send(bytes, { binary: false, fin }, (error) => {
      clearTimeout(late)
      if (error) reject(error)
      else resolve()
    })
  })
}
