import type { Duplex } from 'node:stream'
import type { Handling, Team } from './ctx.ts'

/** Path prefix of requests that other servers forward; the paths below follow it. */
export const forwardPath = '/internal'
/** Prefix of calls of a session; the name of the call follows. */
export const sessionPath = '/sessions/'
/** Answers 204. */
export const probePath = '/ping'
/** Header that names the team of a forwarded socket. */
export const teamHeader = 'x-gossamer-team'

/** Facts about a caller, sent by the server that received the call to the one that answers it. */
export type ForwardedCaller = {
  baseUrl: string
  /** Absent where a secret in the path grants access. */
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
/** An upgrade that another server has accepted. */
export type Upgraded = {
  teamId: string
  /** Connects the client with the other server, which from then on talk to each other. */
  join(client: Duplex, head: Buffer): void
  end(): void
}

/** Objects in the memory of other servers of the database. `held` is an id or a secret, which names its server. */
export type Elsewhere = {
  isElsewhere(held: string): boolean
  /**
   * The response of the server that holds it; undefined if that server has ended. Fails with REMOTE_UNAVAILABLE if it
   * does not answer.
   */
  forward(held: string, sent: ToForward): Promise<Response | undefined>
  /** The same for a WebSocket. Fails with the error of the other server if it refuses. */
  upgrade(held: string, sent: ToForward): Promise<Upgraded | undefined>
}

/** Checks and answers the requests of other servers. */
export type Door = {
  /**
   * Undefined if the request does not come from a server of this database, was changed in transit or was received
   * before.
   */
  admit(
    request: Pick<ToForward, 'method' | 'path' | 'headers'>,
  ): { caller: Partial<ForwardedCaller>; accepts(body: Uint8Array): boolean } | undefined
  /** Answers a call of the live browsers of this server. */
  answerSession(name: string, body: Uint8Array, signal: AbortSignal): Promise<Response>
}
