import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf, serve } from '../../helpers/listen.ts'
import type { Browser } from '../../../src/engine/browser/launch/process.ts'
import { navigate } from '../../../src/engine/browser/page/navigate.ts'
import type { Tab } from '../../../src/engine/browser/page/tab.ts'
import { openTab } from '../../../src/engine/browser/pool/browser-context.ts'
import type { ProfileState } from '../../../src/contracts/profile-state.ts'
import {
  type Collected,
  collectState,
  restoreState,
  type StorageContext,
  watchOrigins,
} from '../../../src/engine/browser/profile/browser-state.ts'

type ProfileSite = {
  /** The same server by its two names, which are two sites for a browser. */
  one: string
  other: string
  /** Method and path of every request, in order. */
  requests: string[]
  close(): void
}

const form = `<!doctype html><title>log in</title><form method="post" action="/login">
<input name="user"><input name="password" type="password"><button>Log in</button></form>`

const empty = '<!doctype html><title>empty</title>'
const storing = `${empty}<script>localStorage.setItem('by itself', '1')</script>`

/** Answers for every page of its site, and records the origins requested. */
const worker = `addEventListener('install', () => skipWaiting()); addEventListener('activate', () => clients.claim())
addEventListener('fetch', (event) => event.respondWith(new Response('<title>from the worker</title><script>if (location.pathname === "/") localStorage.setItem("wrong", "1")</script>', { headers: { 'content-type': 'text/html' } })))`

/** A site with a login, whose cookie ends with the session of the browser. */
export async function startProfileSite(): Promise<ProfileSite> {
  const requests: string[] = []
  const { port, close } = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.url === '/account') account(request, response)
    else if (request.url === '/login') void login(request, response)
    else if (request.url === '/worker.js') response.setHeader('content-type', 'text/javascript').end(worker)
    else response.setHeader('content-type', 'text/html').end(request.url === '/storing' ? storing : empty)
  })
  return { one: `http://127.0.0.1:${port}`, other: `http://localhost:${port}`, requests, close }
}

function account(request: IncomingMessage, response: ServerResponse): void {
  const isKnown = /(?:^|; )session=ada-1815(?:;|$)/.test(request.headers.cookie ?? '')
  response.setHeader('content-type', 'text/html')
  response.end(isKnown ? '<!doctype html><title>account</title><h1>Hello Ada</h1>' : form)
}

async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isRight = (await bodyOf(request)) === 'user=ada&password=secret'
  if (isRight) response.setHeader('set-cookie', 'session=ada-1815; HttpOnly; Path=/')
  response.writeHead(303, { location: '/account' }).end()
}

export type Visit = Collected & { restored: string[] }

/** Visits sites with a profile, in a separate context. */
export async function visit(
  browser: Browser,
  state: ProfileState | undefined,
  work: (tab: Tab, go: (url: string) => Promise<unknown>, place: StorageContext) => Promise<unknown>,
  more: { maxChars?: number } = {},
): Promise<Visit> {
  const signal = AbortSignal.timeout(25_000)
  const { connection } = browser
  const { tab, close } = await openTab(connection, {}, signal)
  const place = { connection, contextId: tab.contextId }
  const { warnings, partial } = await restoreState(place, state, signal)
  const origins = await watchOrigins(place, tab.session, signal)
  try {
    await work(tab, (url) => navigate(tab, url, () => undefined, signal), place)
    const options = { visited: origins.seen(), before: state, partial, ...more }
    return { ...(await collectState(place, options, signal)), restored: warnings }
  } finally {
    origins.stop()
    await close()
  }
}

/** Waits until a page is loaded, with this title if it is given. */
export async function loaded(tab: Tab, title?: string): Promise<void> {
  const isLoaded = `document.readyState === 'complete' && location.protocol === 'http:' && (${JSON.stringify(title ?? null)} ?? document.title) === document.title`
  while (!(await tab.evaluate(isLoaded).catch(() => false)))
    await new Promise((resolve) => void setTimeout(resolve, 20))
}
