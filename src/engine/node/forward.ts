import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import { errorCode, fail, fromBody } from '../../kernel/error.ts'
import { forwardPath, probePath, teamHeader, type Upgraded } from '../../kernel/forwarding.ts'
import { parseJsonObject } from '../../util/json.ts'

const callerHeader = 'x-gossamer-caller'
const dialMs = 5000
const keepAliveMs = 10_000

/**
 * Headers that are not forwarded: those of one connection, and those that the receiver may accept only from the
 * forwarding server.
 */
const notForwarded = new Set(
  'host connection keep-alive transfer-encoding content-length upgrade expect te trailer origin cookie forwarded'
    .concat(' authorization x-forwarded-for x-forwarded-host x-forwarded-proto ', callerHeader)
    .split(' '),
)

export type Reachable = { id: string; url: string }
export type Forwarded = {
  method: string
  /** Path as served by the receiver, with its query. */
  path: string
  headers?: Headers | undefined
  body?: Uint8Array
  /** Caller of the original request, as determined by the forwarding server. */
  caller?: object
  secret: string
  signal?: AbortSignal | undefined
}

/**
 * Sends a request to another server; aborting the signal closes the connection. Returns undefined if that server has
 * ended, even if another one now listens at its URL. Fails with REMOTE_UNAVAILABLE if it does not respond.
 */
export async function forwardTo(node: Reachable, forwarded: Forwarded): Promise<Response | undefined> {
  const length = { 'content-length': String(forwarded.body?.byteLength ?? 0) }
  const answer = await exchange(node, forwarded, length).catch((cause: unknown) => failed(cause, forwarded.signal))
  return answer && responseOf(answer as IncomingMessage)
}

/** Opens a WebSocket at another server, like `forwardTo`. Fails with the error of the other server if that refuses. */
export async function upgradeAt(node: Reachable, forwarded: Forwarded): Promise<Upgraded | undefined> {
  const headers = { connection: 'Upgrade', upgrade: 'websocket' }
  const answer = await exchange(node, forwarded, headers).catch((cause: unknown) => failed(cause, forwarded.signal))
  if (answer === undefined || 'join' in answer) return answer
  const refused = responseOf(answer)
  if (refused) throw fromBody(refused.status, parseJsonObject(await refused.text()))
  return undefined
}

/** Request for which a credential is valid, apart from its body. */
type NodeRequest = {
  method: string
  /** Includes the query. */
  path: string
  /** Caller on whose behalf the request is sent, as encoded in its header. */
  caller: string
}
type Receiver = {
  /** Shared by all servers on a database; never sent itself. */
  secret: string
  /** The only server that accepts the credential. */
  nodeId: string
}

/** Maximum age of a credential; allows for clock differences between servers. */
const maxAgeMs = 60_000

/** Authorization header that proves knowledge of the secret to another server. Valid once. */
export function nodeCredential(
  request: NodeRequest & { body: Uint8Array },
  { now, ...receiver }: Receiver & { now: number },
): string {
  const stamp = `${now}.${randomUUID()}.${digestOf(request.body)}`
  return `Gossamer-Node ${stamp}.${macOf(stamp, request, receiver)}`
}

export const digestOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url')

/**
 * Returns undefined if the credential of a request is invalid or used. Otherwise returns a function that marks the
 * credential as used. Given the body, that function returns false if the body differs or the credential was used
 * meanwhile.
 */
type NodeCheck = (
  authorization: string | null,
  request: NodeRequest,
  now: number,
) => ((body: Uint8Array) => boolean) | undefined

export function createNodeCheck(receiver: Receiver): NodeCheck {
  /** Used credentials, with the end of their validity. */
  const used = new Map<string, number>()
  return (authorization, request, now) => {
    const [, stamp = '', at, digest, mac = ''] =
      /^Gossamer-Node ((\d{1,15})\.[\w-]{36}\.([\w-]{43}))\.([\w-]{43})$/.exec(authorization ?? '') ?? []
    if (!(Math.abs(now - Number(at)) <= maxAgeMs) || used.has(stamp)) return undefined
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(stamp, request, receiver)))) return undefined
    return (body) => {
      if (used.has(stamp) || digestOf(body) !== digest) return false
      for (const [old, until] of used) if (until < now) used.delete(old)
      used.set(stamp, Number(at) + maxAgeMs)
      return true
    }
  }
}

/** Digests path and caller, so text in them cannot imitate another part. */
function macOf(stamp: string, { method, path, caller }: NodeRequest, { secret, nodeId }: Receiver): string {
  const parts = ['gossamer node', nodeId, stamp, method, digestOf(path), digestOf(caller)]
  return createHmac('sha256', secret).update(parts.join('\n')).digest('base64url')
}

async function exchange(
  { id, url }: Reachable,
  { method, headers: given = new Headers(), body = new Uint8Array(), ...forwarded }: Forwarded,
  more: Record<string, string> = {},
): Promise<IncomingMessage | Upgraded> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'))
  const { secret, signal } = forwarded
  const caller = Buffer.from(JSON.stringify(forwarded.caller ?? {})).toString('base64url')
  const path = forwardPath + forwarded.path
  const headers = {
    ...Object.fromEntries([...given].filter(([name]) => !notForwarded.has(name))),
    authorization: nodeCredential({ method, path, caller, body }, { secret, nodeId: id, now: Date.now() }),
    [callerHeader]: caller,
    ...more,
  }
  // Uses a new connection, because the other side may have closed an old one and a call must not be sent twice.
  const sent = request(url + path, { method, headers, agent: false, ...(signal && { signal }) })
  closeIfUnreachable(sent)
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('upgrade', (...accepted) => resolve(upgradedOf(...accepted)))
    // Stays attached, because an error after the response must not remain unhandled.
    sent.on('error', reject)
    sent.end(body)
  })
}

function closeIfUnreachable(sent: ClientRequest): void {
  sent.once('socket', (socket) => {
    // A stream may be silent for hours; keep-alive detects a lost connection.
    socket.setKeepAlive(true, keepAliveMs)
    const late = setTimeout(() => sent.destroy(new Error('No connection in time.')), dialMs)
    const connected = () => clearTimeout(late)
    socket.once('connect', connected).once('close', connected)
  })
}

function failed(cause: unknown, signal: AbortSignal | undefined): undefined {
  signal?.throwIfAborted()
  if (errorCode(cause) === 'ECONNREFUSED') return undefined
  return fail('REMOTE_UNAVAILABLE', { message: notReached, hint: 'Try again in a moment.', cause })
}

export const notReached = 'The server that holds this session does not answer.'

/** Status from a server that does not accept the credential, because it is not the addressed one. */
const unauthorized = 401
const withoutBody = new Set([204, 304])

function responseOf(incoming: IncomingMessage): Response | undefined {
  const { statusCode: status = 502, headersDistinct } = incoming
  // Ignored, because the client gets the bytes received before the error.
  incoming.on('error', () => {})
  if (status === unauthorized) return void incoming.destroy()
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    if (!notForwarded.has(name)) for (const value of values) headers.append(name, value)
  if (withoutBody.has(status)) incoming.resume()
  const body = withoutBody.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}

function upgradedOf({ headers }: IncomingMessage, server: Duplex, firstBytes: Buffer): Upgraded {
  const forwarded = ['upgrade', 'connection', 'sec-websocket-accept', 'sec-websocket-protocol']
  const lines = forwarded.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${String(headers[name])}`]))
  server.on('error', () => server.destroy())
  return {
    teamId: String(headers[teamHeader]),
    end: () => server.destroy(),
    join(client, head) {
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      client.write(firstBytes)
      server.write(head)
      client.pipe(server).pipe(client)
      client.once('close', () => server.destroy())
      server.once('close', () => client.destroy())
    },
  }
}

/** Returns the caller that a forwarded request states. Trust it only if the credential is valid. */
export const statedCaller = (headers: Headers): { encoded: string; caller: Record<string, unknown> | undefined } => {
  const encoded = headers.get(callerHeader) ?? ''
  return { encoded, caller: parseJsonObject(Buffer.from(encoded, 'base64url').toString()) }
}

/** `refused`: the server responded with this status. `silent`: it did not respond, for this reason. */
export type Probe =
  | { kind: 'admitted'; ms: number }
  | { kind: 'refused'; status: number }
  | { kind: 'silent'; reason: string }

/** Tests if a server accepts requests that prove knowledge of the secret, and measures the time. */
export async function probeNode(node: Reachable, secret: string): Promise<Probe> {
  const start = performance.now()
  const signal = AbortSignal.timeout(dialMs)
  try {
    const answer = await exchange(node, { method: 'GET', path: probePath, secret, signal })
    const { statusCode: status = 502 } = (answer as IncomingMessage).resume()
    return status === 204 ? { kind: 'admitted', ms: Math.ceil(performance.now() - start) } : { kind: 'refused', status }
  } catch (cause) {
    return { kind: 'silent', reason: cause instanceof Error ? cause.message : String(cause) }
  }
}
