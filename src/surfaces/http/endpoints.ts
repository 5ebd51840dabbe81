import type { Hono } from 'hono'
import type { WebSocket } from 'ws'
import type { OfTeam } from '../../contracts/page-content.ts'
import { type ClientSocket, endpointPaths, type SessionEndpoint, type Sessions } from '../../contracts/session-port.ts'
import { fail } from '../../kernel/error.ts'
import type { Admission, SocketLimits, UpgradeRoute } from '../ws/upgrade.ts'
import {
  type PeerRequests,
  type Elsewhere,
  type ForwardedCaller,
  forwardPath,
  teamHeader,
} from '../../kernel/forwarding.ts'
import { readBody } from './body/input.ts'
import { baseUrlOf, type BaseUrlRules, isOwnOrigin } from './guard.ts'
import { createHash } from 'node:crypto'
import { parseJsonObject } from '../../util/json.ts'
import { type HttpEnv, wrongMethod } from './responses.ts'

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: object; sessionId?: string }

/** Id of our own message to the browser; larger than any id that clients use. */
const attachId = Number.MAX_SAFE_INTEGER

/**
 * Connects a client of one page to the endpoint of the browser: attaches to the page first, and routes messages
 * without a session id to it.
 */
function pageSocket(socket: ClientSocket, targetId: string): ClientSocket {
  /** Messages that arrive before the page is attached. */
  const early: (string | Uint8Array)[] = []
  let pageSession: string | undefined
  let callbacks: Parameters<ClientSocket['listen']>[0] | undefined

  function receive(data: string | Uint8Array): void {
    if (pageSession === undefined) early.push(data)
    else callbacks?.message(typeof data === 'string' ? inSession(data, pageSession) : data)
  }

  function attached({ result }: Message): void {
    pageSession = (result as { sessionId?: string } | undefined)?.sessionId
    if (pageSession === undefined) return socket.close(1008, 'The page is closed.')
    early.splice(0).forEach(receive)
  }

  function send(data: string | Uint8Array): void {
    const message = parsed(data)
    if (message?.id === attachId) return attached(message)
    if (pageSession === undefined || message === undefined) return
    // A client of one page needs only one event of the browser itself: the end of the page.
    const { sessionId, ...rest } = message
    if (sessionId === pageSession) socket.send(JSON.stringify(rest))
    else if (sessionId !== undefined || rest.id !== undefined) socket.send(data)
    else if (rest.method === 'Target.detachedFromTarget' && rest.params?.['sessionId'] === pageSession)
      socket.close(1000, 'The page is closed.')
  }

  return {
    ...socket,
    send,
    listen(listener) {
      callbacks = listener
      socket.listen({ message: receive, closed: () => listener.closed() })
      listener.message(
        JSON.stringify({ id: attachId, method: 'Target.attachToTarget', params: { targetId, flatten: true } }),
      )
    },
  }
}

function inSession(data: string, sessionId: string): string {
  const message = parsed(data)
  return message === undefined || message.sessionId !== undefined ? data : JSON.stringify({ ...message, sessionId })
}

function parsed(data: string | Uint8Array): Message | undefined {
  const message: object | undefined = parseJsonObject(String(data))
  return message
}

const style = `
:root { color-scheme: light dark; }
body {
  margin: 0; padding: 16vh 24px 0; text-align: center; font: 14px/1.4 system-ui, sans-serif;
  background: light-dark(#f3f4f6, #17181b); color: light-dark(#1c1e22, #e8e9ec);
}
svg { width: 44px; height: 44px; fill: none; stroke: light-dark(#646a73, #9aa0aa); stroke-width: 1.4; stroke-linecap: round; }
h1 { margin: 12px 0 6px; font-size: 22px; }
p { max-width: 46ch; margin: 0 auto; color: light-dark(#5c626b, #9aa0aa); }
`

/** Shown at the address of a live view that does not exist. */
const noLiveViewPage = {
  contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors *`,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>No live view</title>
<style>${style}</style>
</head>
<body>
<main>
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 5h18v14H3zM3 9h18M9 12l6 5M15 12l-6 5"/></svg>
<h1>This live view does not exist or has ended.</h1>
<p>Browser sessions end when they are closed and when their time is up. If it is still open, ask your agent for the address of its live view again.</p>
</main>
</body>
</html>
`,
}

/** Access to live sessions by the secret in the URL, which is the whole authorization: no API key is needed. */
export type SessionEndpoints = Pick<Sessions, 'endpoint'>
export type EndpointsOptions = BaseUrlRules & {
  endpoints: SessionEndpoints
  /** Sessions of other servers; each secret names the server of its session. */
  elsewhere?: Pick<Elsewhere, 'isElsewhere' | 'forward' | 'upgrade'> | undefined
  peerRequests?: PeerRequests | undefined
}
type Kind = 'cdp' | 'live'

/** Serves `/cdp/<secret>/json/…` and `/live/<secret>`. Call it after the guard of the app. */
export function serveEndpoints(app: Hono<HttpEnv>, options: EndpointsOptions): void {
  for (const kind of ['cdp', 'live'] as const)
    app.all(`/${kind}/*`, (c) =>
      isReading(c.req.method) ? readAnywhere(options, kind, c.req.raw) : wrongMethod(c.req.method, ['GET']),
    )
}

async function readAnywhere(options: EndpointsOptions, kind: Kind, request: Request): Promise<Response> {
  const { elsewhere, secret, sent } = ownerOf(options, kind, request)
  return (await elsewhere?.forward(secret, sent)) ?? readEndpoint(options, request)
}

/** The response of a session of this server. */
export const readEndpoint = (options: EndpointsOptions, request: Request): Promise<Response> =>
  endpointPathOf('cdp', request) ? readCdp(options, request) : readLive(options, request)

/** The secret of a session, the request to forward, and `elsewhere` if another server runs the session. */
function ownerOf(options: EndpointsOptions, kind: Kind, request: Request) {
  const secret = endpointPathOf(kind, request)?.secret ?? ''
  const { pathname, search } = new URL(request.url)
  const { method, headers, signal } = request
  const sent = { method, headers, signal, path: pathname + search, baseUrl: baseUrlOf(request, options) }
  return { secret, sent, elsewhere: options.elsewhere?.isElsewhere(secret) ? options.elsewhere : undefined }
}

/** The WebSockets of the same endpoints: CDP for programs, frames and input for live views. */
export function endpointSockets(options: EndpointsOptions): UpgradeRoute[] {
  const admitsOrigin = (request: Request) => isOwnPage(request, options)
  return [
    { admitsOrigin, limits: cdpLimits, match: (request) => socketAnywhere(options, 'cdp', request) },
    { admitsOrigin, match: (request) => socketAnywhere(options, 'live', request) },
    { admitsOrigin: isFromProgram, limits: cdpLimits, match: (request) => forwardedSocket(options, 'cdp', request) },
    { admitsOrigin: isFromProgram, match: (request) => forwardedSocket(options, 'live', request) },
  ]
}

async function socketAnywhere(options: EndpointsOptions, kind: Kind, request: Request): Promise<Admission | undefined> {
  const { elsewhere, secret, sent } = ownerOf(options, kind, request)
  const there = await elsewhere?.upgrade(secret, sent)
  return there ? { teamId: there.teamId, there } : socketHere(options, kind, request)
}

const socketHere = (options: EndpointsOptions, kind: Kind, request: Request) =>
  kind === 'cdp' ? cdpSocket(options, request) : liveSocket(options, request)

/** Answers a socket request of another server. The response names the team, whose limit counts the socket there too. */
async function forwardedSocket(
  { peerRequests, endpoints }: EndpointsOptions,
  kind: Kind,
  request: Request,
): Promise<Admission | undefined> {
  if (!peerRequests || !new URL(request.url).pathname.startsWith(`${forwardPath}/${kind}/`)) return undefined
  const received = await receiveForwarded(peerRequests, request)
  const admission = await socketHere({ endpoints }, kind, received.request)
  return admission && { ...admission, headers: [`${teamHeader}: ${admission.teamId}`] }
}

const isFromProgram = ({ headers }: Request) => headers.get('origin') === null

/** Programs send large scripts and files, and may not answer for minutes, such as at a breakpoint. */
const cdpLimits: SocketLimits = { maxMessageBytes: 64 * 1024 * 1024, maxMissedPings: 20 }

function endpointPathOf(kind: Kind, { url }: Request): { secret: string; rest: string } | undefined {
  const [, prefix, secret = '', rest = ''] = /^\/(\w+)\/([^/]+)(?:\/(.*?)\/?)?$/.exec(new URL(url).pathname) ?? []
  return prefix === kind ? { secret, rest } : undefined
}

async function readCdp(options: EndpointsOptions, request: Request): Promise<Response> {
  const { secret, rest } = endpointPathOf('cdp', request) ?? fail('NOT_FOUND')
  return answerCdp(await cdpEndpoint(options, secret), { secret, path: rest, baseUrl: baseUrlOf(request, options) })
}

async function readLive({ endpoints }: EndpointsOptions, request: Request): Promise<Response> {
  const path = endpointPathOf('live', request)
  const [, file] = /^files\/(\w{1,20})$/.exec(path?.rest ?? '') ?? []
  const endpoint = path && (path.rest === '' || file) ? await endpoints.endpoint(path.secret) : undefined
  if (endpoint?.kind !== 'view') return noLiveView()
  if (file === undefined) return answerLive(endpoint)
  return endpoint.role === 'control' ? answerFile(endpoint.file(file)) : fail('NOT_FOUND', noView)
}

async function cdpSocket(options: EndpointsOptions, request: Request): Promise<Admission | undefined> {
  const path = endpointPathOf('cdp', request)
  if (!path) return undefined
  const endpoint = await cdpEndpoint(options, path.secret)
  const { teamId } = endpoint
  const [, pageId] = /^devtools\/page\/([^/]+)$/.exec(path.rest) ?? []
  if (path.rest === '' || /^devtools\/browser(?:\/|$)/.test(path.rest))
    return { teamId, accept: (socket) => endpoint.connect(clientSocket(socket)) }
  const exists = pageId !== undefined && (await endpoint.pages()).some(({ id }) => id === pageId)
  if (!exists) return fail('NOT_FOUND')
  return { teamId, accept: (socket) => endpoint.connect(pageSocket(clientSocket(socket), pageId)) }
}

async function liveSocket({ endpoints }: EndpointsOptions, request: Request): Promise<Admission | undefined> {
  const path = endpointPathOf('live', request)
  if (!path) return undefined
  const endpoint = path.rest === 'ws' ? await endpoints.endpoint(path.secret) : undefined
  if (endpoint?.kind !== 'view') return fail('NOT_FOUND', noView)
  return { teamId: endpoint.teamId, accept: (socket) => endpoint.join(clientSocket(socket)) }
}

/** Fails with UNAUTHORIZED. */
async function cdpEndpoint({ endpoints }: EndpointsOptions, secret: string): Promise<CdpEndpoint & OfTeam> {
  const endpoint = await endpoints.endpoint(secret)
  return endpoint?.kind === 'cdp' ? endpoint : fail('UNAUTHORIZED', noSession)
}

const noSession = {
  message: 'This URL belongs to no open browser session.',
  hint: 'Use the exact cdpUrl of an open session, or open a new session with browser_create.',
}
const noView = {
  message: 'This live view does not exist or has ended.',
  hint: 'Use the exact live view URL, or open a new session with browser_create.',
}

const isReading = (method: string) => method === 'GET' || method === 'HEAD'

/** Pages of other sites must not reach a session even if they know its URL. Programs send no Origin. */
const isOwnPage = (request: Request, rules: BaseUrlRules) => isFromProgram(request) || isOwnOrigin(request, rules)

/** Responds with the live view page. */
async function answerLive(endpoint: ViewEndpoint): Promise<Response> {
  const { html, contentSecurityPolicy } = await endpoint.page()
  return document(html, contentSecurityPolicy, 200)
}

/** Responds with a file that a page downloaded. A browser must save it and never open it at our address. */
function answerFile({ name, base64 }: ReturnType<ViewEndpoint['file']>): Response {
  return new Response(Buffer.from(base64, 'base64'), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}

const noLiveView = () => document(noLiveViewPage.html, noLiveViewPage.contentSecurityPolicy, 404)

const document = (html: string, contentSecurityPolicy: string, status: number) =>
  new Response(html, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentSecurityPolicy },
  })

type ViewEndpoint = Extract<SessionEndpoint, { kind: 'view' }>
type CdpEndpoint = Extract<SessionEndpoint, { kind: 'cdp' }>
type CdpHttpRequest = { secret: string; path: string; baseUrl: string }

/** HTTP part of Chrome's debugging port, for clients that are given an http URL. Fails with NOT_FOUND. */
async function answerCdp(endpoint: CdpEndpoint, { secret, path, baseUrl }: CdpHttpRequest): Promise<Response> {
  const address = `${baseUrl.replace(/^http/, 'ws')}${endpointPaths.cdp(secret)}`
  switch (path) {
    case 'json/version':
      return json(versionOf(endpoint, address))
    case 'json':
    case 'json/list':
      return json((await endpoint.pages()).map((page) => entryOf(page, address)))
    case '':
      return fail('BAD_REQUEST', {
        message: 'This URL serves the Chrome DevTools Protocol over WebSocket.',
        hint: 'Connect with Playwright (connectOverCDP), Puppeteer (connect) or agent-browser (--cdp).',
      })
    default:
      return fail('NOT_FOUND', { hint: 'Available: json/version, json/list and the WebSocket itself.' })
  }
}

const versionOf = ({ version }: CdpEndpoint, webSocketDebuggerUrl: string) => ({
  Browser: version.product,
  'Protocol-Version': version.protocolVersion,
  'User-Agent': version.userAgent,
  webSocketDebuggerUrl,
})

const entryOf = ({ id, url, title }: { id: string; url: string; title: string }, address: string) => ({
  description: '',
  id,
  title,
  type: 'page',
  url,
  webSocketDebuggerUrl: `${address}/devtools/page/${id}`,
})

const json = (body: object) =>
  new Response(JSON.stringify(body, undefined, 2), { headers: { 'content-type': 'application/json; charset=UTF-8' } })

/** Time limit for sending buffered data and the closing handshake, ms. */
const closeMs = 5_000

/** Adapts a WebSocket that has just been opened. */
function clientSocket(socket: WebSocket): ClientSocket {
  return {
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(message)
    },
    bufferedBytes: () => socket.bufferedAmount,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    listen: ({ message, closed }) => {
      socket.on('message', (data: Buffer, isBinary) => message(isBinary ? data : data.toString()))
      socket.once('close', closed)
    },
    close: (code, reason) => {
      // A paused socket would not notice that the client closes it.
      socket.resume()
      socket.close(code, reason)
      // A client that does not read would keep the buffered data in memory.
      const late = setTimeout(() => socket.terminate(), closeMs).unref()
      socket.once('close', () => clearTimeout(late))
    },
  }
}

/** Limit for requests of other servers, which may contain pictures and files of pages. */
const maxForwardedBytes = 256 * 1024 * 1024

/** A request as it was sent to the server that forwarded it. */
export type Received = { request: Request; body: Uint8Array<ArrayBuffer>; caller: Partial<ForwardedCaller> }

/** Fails with UNAUTHORIZED or PAYLOAD_TOO_LARGE. */
export async function receiveForwarded(peerRequests: PeerRequests, forwarded: Request): Promise<Received> {
  const { method, headers, url } = forwarded
  const { pathname, search, origin } = new URL(url)
  const { caller, accepts } = peerRequests.admit({ method, path: pathname + search, headers }) ?? fail('UNAUTHORIZED')
  const body = await readBody(forwarded, maxForwardedBytes)
  if (!accepts(body)) fail('UNAUTHORIZED')
  const address = `${caller.baseUrl ?? origin}${pathname.slice(forwardPath.length)}${search}`
  return { request: new Request(address, { method, headers }), body, caller }
}
