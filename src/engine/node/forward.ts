import type { ClientRequest, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { errorCode } from '../../kernel/error.ts'
import { parseJsonObject } from '../../util/json.ts'
import { nodeCredential, type Reachable } from './dial.ts'

/** Where a server takes requests of MCP that came to another one, which has checked who sends them. */
export const forwardPath = '/internal/mcp'
const callerHeader = 'x-gossamer-caller'
const dialMs = 5000
const keepAliveMs = 10_000

/** What the other server is not to take for its own: it learns of the caller from us. */
const leftOut = new Set(
  'host connection keep-alive transfer-encoding content-length upgrade expect te trailer origin cookie forwarded'
    .concat(' authorization x-forwarded-for x-forwarded-host x-forwarded-proto')
    .split(' '),
)

type Forwarded = {
  request: Request
  body: Buffer
  /** As the other server would have found out. */
  caller: object
  secret: string
}

/**
 * The answer of another server to a request, streams included, or a 502 that says that there is none. Undefined where that run of
 * the program is over: nobody listens there, or another one does. It ends with the request.
 */
export async function forwardTo(
  { id, url }: Reachable,
  { request, body, caller, secret }: Forwarded,
): Promise<Response | undefined> {
  const { request: send } = await (url.startsWith('https:') ? import('node:https') : import('node:http'))
  const headers = {
    ...Object.fromEntries([...request.headers].filter(([name]) => !leftOut.has(name))),
    authorization: nodeCredential({ secret, nodeId: id, now: Date.now() }),
    [callerHeader]: Buffer.from(JSON.stringify(caller)).toString('base64url'),
    'content-length': String(body.length),
  }
  const { method, signal } = request
  // A connection of its own: one that is kept may have been closed by the other side, and a call must not be sent twice.
  const sent = send(`${url}${forwardPath}`, { method, headers, signal, agent: false })
  const answer = answerOf(sent)
  sent.end(body)
  try {
    return responseOf(await answer)
  } catch (cause) {
    signal.throwIfAborted()
    return errorCode(cause) === 'ECONNREFUSED' ? undefined : Response.json(noAnswer, { status: 502 })
  }
}

/** Clients of MCP look for JSON-RPC in every answer. */
const noAnswer = {
  jsonrpc: '2.0',
  error: {
    code: -32_000,
    message: 'REMOTE_UNAVAILABLE: The server that holds this session does not answer; try again',
  },
  id: null,
}

function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    // It stays: a stream that breaks later is told by its own end.
    sent.on('error', reject)
    sent.once('socket', (socket) => {
      // A stream may be silent for hours; a machine that was cut off is found out by the system.
      socket.setKeepAlive(true, keepAliveMs)
      const late = setTimeout(() => sent.destroy(new Error('no connection in time')), dialMs)
      const there = () => clearTimeout(late)
      socket.once('connect', there).once('close', there)
    })
  })
}

/** Not to be answered by a run of the program that the request was not meant for. */
const unauthorized = 401
const withoutBody = new Set([204, 304])

function responseOf(incoming: IncomingMessage): Response | undefined {
  const { statusCode: status = 502, headersDistinct } = incoming
  if (status === unauthorized) return void incoming.destroy()
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    if (!leftOut.has(name)) for (const value of values) headers.append(name, value)
  // What is read of it is what the client takes.
  incoming.on('error', () => {})
  if (withoutBody.has(status)) incoming.resume()
  const body = withoutBody.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}

/** Who sent a forwarded request. Only for one whose credential is right. */
export const forwardedCaller = (headers: Headers): Record<string, unknown> | undefined =>
  parseJsonObject(Buffer.from(headers.get(callerHeader) ?? '', 'base64url').toString())
