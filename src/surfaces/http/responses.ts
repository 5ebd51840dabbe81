import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Hono, HonoRequest, MiddlewareHandler } from 'hono'
import { requiredScope } from '../../contracts/account-ports.ts'
import type { Log } from '../../kernel/log.ts'
import { isRecord, jsonPieces } from '../../util/json.ts'
import type { Method } from '../../kernel/operation.ts'
import { type AppError, type ErrorCode, fail, failure, toAppError, toBody } from '../../kernel/error.ts'
import type { LinkedFiles } from '../../contracts/fetch.ts'
import { baseUrlOf, type BaseUrlRules } from './guard.ts'
import type { Rate } from '../../kernel/ctx.ts'

export type HttpEnv = { Variables: { requestId: string; jobId: string | undefined; rate: Rate | undefined } }

const saneId = /^[\w.:-]{1,128}$/

/** Default headers: a response is data for one caller, never to be cached, framed, sniffed or used as a script. */
const defaultHeaders: readonly [string, string][] = [
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
]

/** Gives each request an id, and logs it without query, headers and body. */
export function observe(log: Log): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const start = performance.now()
    const sent = c.req.header('x-request-id') ?? ''
    const requestId = saneId.test(sent) ? sent : crypto.randomUUID()
    c.set('requestId', requestId)
    await next()
    c.res.headers.set('x-request-id', requestId)
    const ms = Math.round(performance.now() - start)
    const { method, path } = c.req
    const jobId = c.get('jobId')
    log.info('request', {
      method,
      path: loggedPath(path),
      status: c.res.status,
      ms,
      requestId,
      ...(jobId && { jobId }),
    })
  }
}

/**
 * Adds the default headers that a response does not set. A policy with `frame-ancestors` replaces `x-frame-options`.
 */
export const harden: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  const hasFrameRule = headers.get('content-security-policy')?.includes('frame-ancestors') ?? false
  for (const [name, value] of defaultHeaders)
    if (!headers.has(name) && !(hasFrameRule && name === 'x-frame-options')) headers.set(name, value)
}

/** Removes secrets from a path for the log: each segment after `cdp`, `live` or `files`. */
export const loggedPath = (path: string): string => path.replace(/(^|\/)(cdp|live|files)\/+[^/]+/gi, '$1$2/…')

/** File extensions, since a browser cannot derive a file name from the id in a link. */
const endings: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** Responds with a file that another response links to. Its id grants access. Fails with NOT_FOUND. */
export async function answerFile({ find }: Pick<LinkedFiles, 'find'>, id: string): Promise<Response> {
  const file = await find(id)
  if (!file)
    fail('NOT_FOUND', {
      message: 'The file does not exist or has expired.',
      hint: 'Read the result that linked to it again, or scrape the page again.',
    })
  const { mediaType, bytes } = file
  const name = `page.${endings[mediaType] ?? 'pdf'}`
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': mediaType,
      'content-disposition': `inline; filename="${name}"`,
      'cache-control': 'private, max-age=3600, immutable',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** Shorter responses are sent in one write. */
const minStreamed = 64 * 1024
/** Shorter chunks are joined with their neighbours. */
const minAlone = 16 * 1024

/**
 * A JSON response. A long one is streamed in its stored chunks: given whole to Response, it would be copied, and copies
 * outside the heap make V8 collect the whole heap.
 */
export function jsonResponse(value: object): Response {
  const pieces = jsonPieces(value)
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const type = { 'content-type': 'application/json' }
  if (length < minStreamed) return new Response(Buffer.concat(pieces), { headers: type })
  const chunks = chunksOf(pieces)
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value: chunk } = chunks.next()
      if (done) controller.close()
      else controller.enqueue(chunk)
    },
  })
  return new Response(body, { headers: { ...type, 'content-length': String(length) } })
}

function* chunksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array, void> {
  let short: Uint8Array[] = []
  for (const piece of pieces) {
    if (piece.byteLength < minAlone) short.push(piece)
    else {
      if (short.length > 0) yield Buffer.concat(short)
      yield piece
      short = []
    }
  }
  if (short.length > 0) yield Buffer.concat(short)
}

type FailureOptions = {
  log: Log
  /** `WWW-Authenticate` of the response; by default for API keys only. */
  challenge?: ((error: AppError) => string | undefined) | undefined
}

/** Response to a failed request. The caller gets the error id, the log gets the cause. */
export function answerFailure(
  thrown: unknown,
  requestId: string,
  { log, challenge = keyChallenge }: FailureOptions,
): Response {
  const error = toAppError(thrown)
  logFailure(log, error, requestId)
  return refusal(error, headersOf(error, challenge(error)))
}

export function wrongMethod(method: string, allowed: readonly Method[]): Response {
  const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } })
  return refusal(failure('METHOD_NOT_ALLOWED'), { allow })
}

/** Serves a route that supports only GET and HEAD. */
export function serveRead(
  app: Hono<HttpEnv>,
  path: string,
  answer: (request: HonoRequest) => Response | Promise<Response>,
): void {
  app.get(path, (c) => answer(c.req))
  app.all(path, (c) => wrongMethod(c.req.method, ['GET']))
}

function refusal(error: AppError, headers: Record<string, string>): Response {
  return Response.json(toBody(error), { status: error.status, headers })
}

/** Seconds to wait before a retry: most scrapes are short, so a slot is soon free; a session lasts for minutes. */
const secondsOfCode: ReadonlyMap<string, number> = new Map<ErrorCode, number>([
  ['QUEUE_FULL', 2],
  ['SESSION_LIMIT', 30],
  ['AUTHORIZATION_UNAVAILABLE', 10],
])

/** Seconds after which a retry is worthwhile; undefined if that is unknown. */
export function retryAfterOf({ code, details }: Pick<AppError, 'code' | 'details'>): number | undefined {
  const seconds = isRecord(details) ? details['retryAfterSeconds'] : undefined
  return typeof seconds === 'number' ? seconds : secondsOfCode.get(code)
}

function headersOf({ status, code, details }: AppError, challenge: string | undefined): Record<string, string> {
  if (challenge !== undefined) return { 'www-authenticate': challenge }
  const retryAfter = retryAfterOf({ code, details })
  if (retryAfter !== undefined) return { 'retry-after': String(retryAfter) }
  // The rest of the body is not read, so the connection cannot be reused.
  return status === 413 ? { connection: 'close' } : {}
}

const keyChallenge = ({ status }: AppError) => (status === 401 ? 'Bearer' : undefined)

function logFailure(log: Log, error: AppError, requestId: string): void {
  if (error.status < 500) return
  const level = error.code === 'UNKNOWN_ERROR' ? 'error' : 'warn'
  log[level]('request failed', { code: error.code, requestId, details: error.details, cause: error.cause })
}

/** Writes the response to a failed request on a raw socket, and closes the socket. */
export function refuseSocket(duplex: Duplex, error: AppError): void {
  const body = JSON.stringify(toBody(error))
  const retryAfter = retryAfterOf(error)
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
  ]
  // Destroyed, because the client may never end its side.
  duplex.once('finish', () => duplex.destroy())
  duplex.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

export type ProtectedResourceOptions = BaseUrlRules & {
  /** Issuer of the access tokens that are accepted in addition to API keys. */
  authorizationServer?: string | undefined
}

const wellKnown = '/.well-known/oauth-protected-resource'
/** REST and MCP; the metadata of each is found by its path (RFC 9728, section 3.1). */
const resources = ['', '/mcp'] as const

/**
 * Serves the metadata from which clients learn where to get a token; open to all. It lists only the minimum scope,
 * because clients request all listed scopes.
 */
export function serveResourceMetadata(app: Hono<HttpEnv>, options: ProtectedResourceOptions): void {
  const { authorizationServer } = options
  if (authorizationServer === undefined) return
  for (const path of resources) {
    serveRead(app, wellKnown + path, ({ raw }) =>
      Response.json({
        resource: baseUrlOf(raw, options) + path,
        authorization_servers: [authorizationServer],
        scopes_supported: [requiredScope],
        bearer_methods_supported: ['header'],
        resource_name: 'Gossamer',
      }),
    )
  }
}

/** `WWW-Authenticate` of an error response (RFC 6750, section 3); undefined if a token would not help. */
export function challengeOf(error: AppError, request: Request, options: ProtectedResourceOptions): string | undefined {
  const { status, code, message } = error
  const lacksScope = code === 'INSUFFICIENT_SCOPE'
  if (status !== 401 && !lacksScope) return undefined
  if (options.authorizationServer === undefined) return 'Bearer'
  const path = new URL(request.url).pathname === '/mcp' ? '/mcp' : ''
  const fields = { resource_metadata: baseUrlOf(request, options) + wellKnown + path, scope: requiredScope }
  // A request without credentials gets no error code.
  const fault = (lacksScope || request.headers.has('authorization')) && {
    error: lacksScope ? 'insufficient_scope' : 'invalid_token',
    error_description: message.replace(/[^ -~]|["\\]/g, ''),
  }
  const pairs = Object.entries({ ...fields, ...fault }).map(([name, value]) => `${name}="${value}"`)
  return `Bearer ${pairs.join(', ')}`
}
