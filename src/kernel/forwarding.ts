import type { Duplex } from 'node:stream'
import type { Handling, Team } from './ctx.ts'

/** Path prefix of requests between servers; the other paths of this file follow it. */
export const forwardPath = '/internal'
/** Prefix of calls to live browsers; the name of the call follows. */
export const sessionPath = '/sessions/'
/** Path that checks if a server can be reached: it answers 204. */
export const probePath = '/ping'
/** Header that names the team of a forwarded socket. */
export const teamHeader = 'x-gossamer-team'

/** Facts about a caller, sent by the server that received the call to the one that answers it. */
export type ForwardedCaller = {
  baseUrl: string
  /** Absent if a secret in the path grants access. */
  team?: Team | undefined
  handling?: Handling | undefined
}
export type ToForward = ForwardedCaller & {
  method: string
  /** Path at the other server below `forwardPath`, with its query. */
  path: string
  headers: Headers
  body?: Uint8Array
  signal?: AbortSignal | undefined
}
/** An upgrade to a WebSocket that another server has accepted. */
export type Upgraded = {
  teamId: string
  /** Connects the socket of the client with that of the other server. */
  join(client: Duplex, head: Buffer): void
  end(): void
}

/** Objects in the memory of other servers. `key` is the id or the secret of an object, which names its server. */
export type Elsewhere = {
  isElsewhere(key: string): boolean
  /**
   * Sends a request to the server of the object. Undefined if that server has ended. Fails with REMOTE_UNAVAILABLE if
   * it does not answer.
   */
  forward(key: string, request: ToForward): Promise<Response | undefined>
  /** Like `forward`, for a WebSocket. Fails with the error of the other server if it refuses. */
  upgrade(key: string, request: ToForward): Promise<Upgraded | undefined>
}

/** Checks and answers requests of other servers. */
export type PeerRequests = {
  /** Returns the caller; undefined if the request is not from a server of this database, was changed or is repeated. */
  admit(
    request: Pick<ToForward, 'method' | 'path' | 'headers'>,
  ): { caller: Partial<ForwardedCaller>; accepts(body: Uint8Array): boolean } | undefined
  /** Answers a call of the live browsers of this server. */
  answerSession(name: string, body: Uint8Array, signal: AbortSignal): Promise<Response>
}
