import type { Hono } from 'hono'
import type { WebSocket } from 'ws'
import { type Door, doorPaths, type Sessions } from '../../contracts/session.ts'
import { fail } from '../../kernel/error.ts'
import type { Accept, SocketLimits, UpgradeRoute } from '../ws/upgrade.ts'
import { baseUrlOf, type BaseUrlRules } from './base-url.ts'
import { joinPage } from './endpoints-page.ts'
import type { HttpEnv } from './observe.ts'
import { peerOf } from './peer.ts'
import { wrongMethod } from './refusal.ts'

/** What the secrets of live sessions open. A secret is the whole permission: no other key is asked for. */
export type Doors = Pick<Sessions, 'door'>
export type DoorsOptions = BaseUrlRules & { doors: Doors }

/** `/cdp/<key>/json/…` and `/live/<key>`, to be answered under the guard of the app. */
export function openDoors(app: Hono<HttpEnv>, options: DoorsOptions): void {
  app.all('/cdp/*', (c) => (isReading(c.req.method) ? readCdp(options, c.req.raw) : wrongMethod(c.req.method, ['GET'])))
  app.all('/live/*', (c) =>
    isReading(c.req.method) ? readLive(options, c.req.raw) : wrongMethod(c.req.method, ['GET']),
  )
}

/** The same places as WebSockets: CDP for programs, frames and input for live views. */
export function doorRoutes(options: DoorsOptions): UpgradeRoute[] {
  const admitsOrigin = (request: Request) => isOwnPage(request, options)
  return [
    { admitsOrigin, limits: cdpLimits, match: (request) => cdpSocket(options, request) },
    { admitsOrigin, match: (request) => liveSocket(options, request) },
  ]
}

/** Programs send scripts and files, and may stand still for minutes: at a breakpoint, or between two steps. */
const cdpLimits: SocketLimits = { maxMessageBytes: 64 * 1024 * 1024, maxMissedPings: 20 }

type Place = { key: string; rest: string }

function placeOf(kind: 'cdp' | 'live', { url }: Request): Place | undefined {
  const [, found, key = '', rest = ''] = /^\/(\w+)\/([^/]+)(?:\/(.*?)\/?)?$/.exec(new URL(url).pathname) ?? []
  return found === kind ? { key, rest } : undefined
}

async function readCdp(options: DoorsOptions, request: Request): Promise<Response> {
  const { key, rest } = placeOf('cdp', request) ?? fail('NOT_FOUND')
  return answerCdp(await cdpDoor(options, key), { key, path: rest, baseUrl: baseUrlOf(request, options) })
}

async function readLive({ doors }: DoorsOptions, request: Request): Promise<Response> {
  const place = placeOf('live', request)
  const door = place?.rest === '' ? await doors.door(place.key) : undefined
  return door?.kind === 'view' ? answerLive(door) : noLiveView()
}

async function cdpSocket(options: DoorsOptions, request: Request): Promise<Accept | undefined> {
  const place = placeOf('cdp', request)
  if (!place) return undefined
  const door = await cdpDoor(options, place.key)
  const [, pageId] = /^devtools\/page\/([^/]+)$/.exec(place.rest) ?? []
  if (place.rest === '' || /^devtools\/browser(?:\/|$)/.test(place.rest))
    return (socket) => door.connect(peerOf(socket))
  const isThere = pageId !== undefined && (await door.pages()).some(({ id }) => id === pageId)
  return isThere ? (socket: WebSocket) => door.connect(joinPage(peerOf(socket), pageId)) : fail('NOT_FOUND')
}

async function liveSocket({ doors }: DoorsOptions, request: Request): Promise<Accept | undefined> {
  const place = placeOf('live', request)
  if (!place) return undefined
  const door = place.rest === 'ws' ? await doors.door(place.key) : undefined
  if (door?.kind !== 'view') return fail('NOT_FOUND', noView)
  return (socket) => door.join(peerOf(socket))
}

/** Fails with UNAUTHORIZED. */
async function cdpDoor({ doors }: DoorsOptions, key: string): Promise<Extract<Door, { kind: 'cdp' }>> {
  const door = await doors.door(key)
  return door?.kind === 'cdp' ? door : fail('UNAUTHORIZED', noSession)
}

const noSession = {
  message: 'This address opens no browser session, or the session is over.',
  hint: 'Use the cdpUrl of a live session as it was given, or make another session with browser_create.',
}
const noView = {
  message: 'This live view does not exist or has ended.',
  hint: 'Use a live view address as it was given, or make another session with browser_create.',
}

const isReading = (method: string) => method === 'GET' || method === 'HEAD'

/** Pages of other sites must not speak with a session, even if they know where; programs send no Origin. */
function isOwnPage(request: Request, rules: BaseUrlRules): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return true
  const host = URL.parse(origin)?.host
  return host !== undefined && [request.url, baseUrlOf(request, rules)].some((url) => new URL(url).host === host)
}

/** The document that shows a session. It holds no secret but its address, which goes nowhere. */
async function answerLive(door: Extract<Door, { kind: 'view' }>): Promise<Response> {
  const { html, contentSecurityPolicy } = await door.page()
  return document(html, contentSecurityPolicy, 200)
}

const noLiveView = () => document(missing, "default-src 'none'; frame-ancestors *", 404)

const document = (html: string, contentSecurityPolicy: string, status: number) =>
  new Response(html, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentSecurityPolicy },
  })

const missing = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No live view</title>
<h1>This live view does not exist or has ended.</h1>
<p>If the browser session is still open, ask for its live view address again.</p>
</html>
`

type CdpDoor = Extract<Door, { kind: 'cdp' }>
type Asked = { key: string; path: string; baseUrl: string }

/** What Chrome answers at its debugging port, for clients that are given an http address. Fails with NOT_FOUND. */
async function answerCdp(door: CdpDoor, { key, path, baseUrl }: Asked): Promise<Response> {
  const address = `${baseUrl.replace(/^http/, 'ws')}${doorPaths.cdp(key)}`
  switch (path) {
    case 'json/version':
      return json(versionOf(door, address))
    case 'json':
    case 'json/list':
      return json((await door.pages()).map((page) => entryOf(page, address)))
    case '':
      return fail('BAD_REQUEST', {
        message: 'This address speaks the Chrome DevTools Protocol over WebSocket.',
        hint: 'Connect with Playwright (connectOverCDP), Puppeteer (connect) or agent-browser (--cdp).',
      })
    default:
      return fail('NOT_FOUND', { hint: 'There are json/version, json/list and the WebSocket itself.' })
  }
}

const versionOf = ({ version }: CdpDoor, webSocketDebuggerUrl: string) => ({
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
