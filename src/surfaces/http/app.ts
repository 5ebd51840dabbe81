import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Ctx, Handling, NewCtx, Rate, Team } from '../../kernel/ctx.ts'
import { AppError, fail, failure, type RefusedNote, toAppError, toBody } from '../../kernel/error.ts'
import { type PeerRequests, type Elsewhere, forwardPath, probePath, sessionPath } from '../../kernel/forwarding.ts'
import type { Invoke } from '../../kernel/invoke.ts'
import { linkedFilePath, type LinkedFiles } from '../../contracts/fetch.ts'
import type { Log } from '../../kernel/log.ts'
import { refusalOfPath } from '../../kernel/offer.ts'
import {
  type AnyOperation,
  isFinished,
  type JobState,
  type Method,
  takesIdempotencyKey,
} from '../../kernel/operation.ts'
import { createRouter, type RouteMatch } from '../../kernel/route.ts'
import type { Dashboard } from '../dashboard/dashboard.ts'
import { isUnchanged, type TranslatedMatch, withV1 } from '../v1.ts'
import { baseUrlOf, isOwnOrigin, guard, type GuardRules } from './guard.ts'
import { readBody } from './body/input.ts'
import { readEndpoint, type Received, receiveForwarded, type SessionEndpoints, serveEndpoints } from './endpoints.ts'
import {
  answerFailure,
  answerFile,
  challengeOf,
  harden,
  type HttpEnv,
  jsonResponse,
  observe,
  type ProtectedResourceOptions,
  serveRead,
  serveResourceMetadata,
  wrongMethod,
} from './responses.ts'
import { createBodySlots, type BodySlots, type ReadOptions, readInput, type Sent } from './body/read-input.ts'

/** MCP over HTTP. It receives requests that passed the guards, with a body within the limit. */
export type McpOverHttp = {
  fetch(request: Request, caller: { team: Team; baseUrl: string; handling?: Handling | undefined }): Promise<Response>
}

type Metrics = {
  /** Metrics in the text format of Prometheus. */
  exposition(): Promise<string>
  /** Grants access to the metrics only. */
  token: string | undefined
}

const metricsPath = '/metrics'
/** Content type of the text format of Prometheus. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** Counters of the program. They cover all teams, so they need the metrics token or the admin key. */
function serveMetrics(app: Hono<HttpEnv>, { exposition, token }: Metrics, options: HttpAppOptions): void {
  serveRead(app, metricsPath, async ({ raw }) => {
    if (!isToken(raw.headers.get('authorization') ?? undefined, token)) requireAdmin(await authenticated(options, raw))
    return new Response(await exposition(), { headers: { 'content-type': metricsType } })
  })
}

function requireAdmin({ permissions }: Team): void {
  if (permissions.includes('admin')) return
  fail('PERMISSION_REQUIRED', {
    message: 'Metrics cover all teams, so they require the admin key of the server or the token of metrics.',
    hint: 'Send the key of GOSSAMER_ADMIN_KEY or the token of GOSSAMER_METRICS_TOKEN.',
    details: { permissions: ['admin'] },
  })
}

/** Digests have equal length, so the comparison takes constant time. */
function isToken(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined || authorization === undefined) return false
  return timingSafeEqual(digest(authorization.replace(/^Bearer /i, '')), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

export type HttpAppOptions = ProtectedResourceOptions &
  GuardRules &
  ReadOptions & {
    operations: readonly AnyOperation[]
    invoke: Invoke
    newCtx: NewCtx
    /** The team of an Authorization header, undefined if it grants no access. */
    authenticate(authorization: string | undefined): Promise<Team | undefined>
    mcp?: McpOverHttp | undefined
    /** Takes the requests of other servers; absent if there are none. */
    peerRequests?: PeerRequests | undefined
    /** Sessions of other servers. */
    elsewhere?: Elsewhere | undefined
    /** Records a call that was refused before it reached an operation. */
    refused?: RefusedNote | undefined
    /** Files that responses link to; open to everyone with a link. */
    files?: Pick<LinkedFiles, 'find'> | undefined
    /** Endpoints of live sessions; open to everyone with the secret. */
    endpoints?: SessionEndpoints | undefined
    /** A page for people, whose API requests carry its cookie. */
    dashboard?: Dashboard | undefined
    /** Generated on first request. */
    openApi: () => object
    version: string
    log: Log
    /** Runs the request handler within the trace of the request. */
    continued?: (<T>(headers: Headers, run: () => T) => T) | undefined
    metrics?: Metrics | undefined
    /** Adds to or replaces status and version in /health; its error becomes the response. */
    health?: (() => Promise<object>) | undefined
    /** Rejects while calls cannot be served; the reason becomes the response of /ready. */
    ready?: (() => Promise<void>) | undefined
  }

/** Reports the caller's rate in the fields of draft-ietf-httpapi-ratelimit-headers (RateLimit-Policy, RateLimit). */
const rateHeaders: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next()
  const rate = c.get('rate')
  if (!rate) return
  const { endpoint, limit, left, resetSeconds } = rate
  c.res.headers.set('ratelimit-policy', `"${endpoint}";q=${limit};w=60`)
  c.res.headers.set('ratelimit', `"${endpoint}";r=${left};t=${resetSeconds}`)
}

/** Every operation as REST, and MCP; /health, /ready and /openapi.json are open to all, /metrics to the operator. */
export function createHttpApp(options: HttpAppOptions): Hono<HttpEnv> {
  const router = withV1(createRouter(options.operations))
  const app = new Hono<HttpEnv>()
  const { mcp, files, endpoints, dashboard } = options
  const slots = createBodySlots()
  const isOfDashboard = (request: Request) => dashboard !== undefined && isOwnOrigin(request, options)
  app.use(observe(options.log), harden, rateHeaders, guard(options, isOfDashboard))
  const { continued } = options
  if (continued) app.use((c, next) => continued(c.req.raw.headers, next))
  serveRead(app, '/health', async () =>
    Response.json({ status: 'ok', version: options.version, ...(await options.health?.()) }),
  )
  serveRead(app, '/ready', async () => {
    await options.ready?.()
    return Response.json({ status: 'ready' })
  })
  let openApi: string | undefined
  serveRead(app, '/openapi.json', () => {
    openApi ??= JSON.stringify(options.openApi())
    return new Response(openApi, { headers: { 'content-type': 'application/json' } })
  })
  if (options.metrics) serveMetrics(app, options.metrics, options)
  serveResourceMetadata(app, options)
  if (files) serveRead(app, linkedFilePath(':id'), (request) => answerFile(files, request.param('id') ?? ''))
  if (endpoints) serveEndpoints(app, { ...options, endpoints })
  if (mcp) app.on(mcpMethods, '/mcp', (c) => answerMcp(options, mcp, c.req.raw))
  const { peerRequests } = options
  if (peerRequests) app.all(`${forwardPath}/*`, (c) => answerServer(options, peerRequests, c.req.raw))
  if (mcp) app.all('/mcp', (c) => wrongMethod(c.req.method, mcpMethods))
  if (dashboard) app.use(async (c, next) => (await dashboard.answer(c.req.raw)) ?? next())
  app.all('*', (c) =>
    answerOperation(options, router, {
      request: c.req.raw,
      requestId: c.get('requestId'),
      slots,
      reportRate: (rate) => c.set('rate', rate),
      setJobId: (jobId) => c.set('jobId', jobId),
    }),
  )
  app.onError(async (thrown, c) => {
    const isMissing = thrown instanceof AppError && thrown.code === 'NOT_FOUND'
    const page = isMissing ? await dashboard?.missing(c.req.raw) : undefined
    return (
      page ??
      answerFailure(thrown, c.get('requestId'), {
        log: options.log,
        challenge: (error) => challengeOf(error, c.req.raw, options),
      })
    )
  })
  return app
}

const mcpMethods: Method[] = ['GET', 'POST', 'DELETE']

type OperationRequest = {
  request: Request
  requestId: string
  slots: BodySlots
  reportRate(rate: Rate): void
  setJobId(jobId: string): void
}

async function answerOperation(
  options: HttpAppOptions,
  router: ReturnType<typeof withV1>,
  { request, requestId, slots, reportRate, setJobId }: OperationRequest,
): Promise<Response> {
  const match = router(request.method === 'HEAD' ? 'GET' : request.method, new URL(request.url))
  if (!match) return unknownRoute(options, request)
  if ('allowed' in match) return wrongMethod(request.method, match.allowed)
  return cancellable(request, async (signal) => {
    const team = await authenticated(options, request)
    const handling = handlingOf(request)
    const reading = readInput(request, { match, team, signal, slots, ...handling }, options)
    const sent = await reading.catch((thrown: unknown) => {
      options.refused?.({ teamId: team.id, operation: match.operation.name, error: toAppError(thrown) })
      throw thrown
    })
    try {
      const idempotencyKey = idempotencyKeyOf(request, match)
      const baseUrl = baseUrlOf(request, options)
      const known = { team, signal, baseUrl, requestId, idempotencyKey, ...handling }
      const ctx = options.newCtx({ ...known, reportRate, takesStored: isUnchanged(match) })
      setJobId(ctx.jobId)
      return await answered(options, match, sent, ctx)
    } finally {
      sent.release?.()
    }
  })
}

/**
 * Answers a request to a route that does not exist. If the caller has a key, the refusal is recorded for support, with
 * only the start of the path, and only if it resembles a route.
 */
async function unknownRoute(options: HttpAppOptions, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const notOffered = refusalOfPath(pathname)
  const error = notOffered ?? failure('NOT_FOUND')
  const authorization = request.headers.get('authorization')
  const team = authorization === null ? undefined : await options.authenticate(authorization).catch(() => undefined)
  const [path] = /^\/v\d\/[a-z-]{1,30}(?=\/|$)/.exec(pathname) ?? ['another path']
  if (team) options.refused?.({ teamId: team.id, operation: `${request.method} ${path}`, error })
  if (!notOffered) throw error
  // Some clients of these routes read problem details (RFC 9457), others the usual fields.
  return Response.json({ ...toBody(error), detail: error.message }, { status: error.status })
}

/**
 * True for a request of the next pages of a job. Clients of Firecrawl repeat it hundreds of times a second while the
 * job runs, so a response without results is delayed for a second, or until there is a result.
 */
const isForNextPages = ({ operation, query }: RouteMatch): boolean =>
  operation.watch !== undefined && query['skip'] !== undefined

const pauseMs = 200
const longestMs = 1000

async function delayed(call: () => Promise<object>, signal: AbortSignal): Promise<object> {
  const endsAt = performance.now() + longestMs
  let output = await call()
  while (lacksResults(output as JobState) && performance.now() < endsAt) {
    await sleep(pauseMs, undefined, { signal })
    output = await call()
  }
  return output
}

const lacksResults = (state: JobState) => !isFinished(state) && state.data.length === 0

async function answered({ invoke }: HttpAppOptions, match: TranslatedMatch, sent: Sent, ctx: Ctx) {
  const { input, notes, isChecked, release } = sent
  const { operation } = match
  const known = { ...ctx, ...(notes && { notes }), ...(isChecked && { checked: operation.name }), started: release }
  const call = () => invoke(operation, input, known)
  const output = await (isForNextPages(match) ? delayed(call, ctx.signal) : call())
  return jsonResponse({ success: true, ...match.output({ ...output }) })
}

/** Undefined for read-only calls, which ignore the key. Fails with BAD_REQUEST if it is not a UUID. */
function idempotencyKeyOf({ headers }: Request, { operation }: RouteMatch): string | undefined {
  const key = headers.get('x-idempotency-key') ?? undefined
  if (key === undefined || !takesIdempotencyKey(operation)) return undefined
  return isUuid(key)
    ? key.toLowerCase()
    : fail('BAD_REQUEST', { message: 'The header x-idempotency-key is not a UUID.' })
}

/** Reads `Prefer: handling=strict` (RFC 7240); without it, the setting of the server applies. */
function handlingOf({ headers }: Request): { handling?: Handling } {
  const [, wanted] = /(?:^|[,;])\s*handling\s*=\s*"?(strict|lenient)\b/i.exec(headers.get('prefer') ?? '') ?? []
  return wanted === undefined ? {} : { handling: wanted.toLowerCase() === 'strict' ? 'strict' : 'lenient' }
}

const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/**
 * Keeps each Request alive as long as its signal: a garbage-collected Request never aborts the signal copied from it.
 */
const requestOfSignal = new WeakMap<AbortSignal, Request>()

function answerMcp(options: HttpAppOptions, mcp: McpOverHttp, request: Request): Promise<Response> {
  return cancellable(request, async (signal) => {
    const team = await authenticated(options, request)
    const body = await readBody(request, options.maxRequestBytes).catch(tooLarge)
    if (body instanceof Response) return body
    const caller = { team, baseUrl: baseUrlOf(request, options), ...handlingOf(request) }
    return overMcp(mcp, { request, body, caller }, signal)
  })
}

type McpRequest = Pick<Received, 'request' | 'body'> & { caller: Parameters<McpOverHttp['fetch']>[1] }

async function overMcp(mcp: McpOverHttp, { request, body, caller }: McpRequest, signal: AbortSignal) {
  const { method, headers, url } = request
  const checked = new Request(url, { method, headers, signal, ...(body.byteLength > 0 && { body }) })
  requestOfSignal.set(signal, checked)
  const response = await mcp.fetch(checked, caller)
  return new Response(response.body, response)
}

/** Answers a request forwarded by another server like one received here. */
function answerServer(options: HttpAppOptions, peerRequests: PeerRequests, forwarded: Request): Promise<Response> {
  return cancellable(forwarded, async (signal) => {
    const { request, body, caller } = await receiveForwarded(peerRequests, forwarded)
    const { pathname } = new URL(request.url)
    const { mcp, endpoints } = options
    const { team, baseUrl } = caller
    if (pathname === probePath) return new Response(null, { status: 204 })
    if (pathname.startsWith(sessionPath))
      return peerRequests.answerSession(pathname.slice(sessionPath.length), body, signal)
    if (pathname === '/mcp' && mcp && team && baseUrl !== undefined)
      return overMcp(mcp, { request, body, caller: { ...caller, team, baseUrl } }, signal)
    return endpoints ? readEndpoint({ endpoints }, request) : fail('NOT_FOUND')
  })
}

/** MCP clients expect JSON-RPC in every response. */
function tooLarge(thrown: unknown): Response {
  const { code, message, status } = toAppError(thrown)
  if (code !== 'PAYLOAD_TOO_LARGE') throw thrown
  const error = { code: -32_600, message: `${code}: ${message}` }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers: { connection: 'close' } })
}

async function authenticated(options: HttpAppOptions, request: Request): Promise<Team> {
  const authorization = request.headers.get('authorization') ?? options.dashboard?.authorizationOf(request)
  return (await options.authenticate(authorization)) ?? fail('UNAUTHORIZED')
}

/** Calls `run` with a signal that aborts with REQUEST_CANCELLED; any error after the abort is reported as that. */
async function cancellable(request: Request, run: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  const cancellation = new AbortController()
  const cancel = () => cancellation.abort(failure('REQUEST_CANCELLED'))
  if (request.signal.aborted) cancel()
  request.signal.addEventListener('abort', cancel, { once: true })
  try {
    return await run(cancellation.signal)
  } catch (thrown) {
    throw toAppError(cancellation.signal.aborted ? cancellation.signal.reason : thrown)
  }
}
