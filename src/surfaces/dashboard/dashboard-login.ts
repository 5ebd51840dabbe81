import type { Team } from '../../kernel/ctx.ts'
import { fail, toAppError } from '../../kernel/error.ts'
import { baseUrlOf, type BaseUrlRules, isOwnOrigin } from '../http/guard.ts'
import { readBody } from '../http/body/input.ts'
import { type Assets, loadAssets } from '../../web/web-assets.ts'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export type LoginOptions = BaseUrlRules & {
  authenticate(authorization: string | undefined): Promise<Team | undefined>
}
export type Login = {
  /** The page for logged-in users, the login form for others. If no key is needed, everyone is logged in. */
  open(request: Request): Promise<Response>
  /** A page for addresses that do not exist. */
  missing(): Promise<Response>
  logIn(request: Request): Promise<Response>
  logOut(request: Request): Response
  /** The team of a request that the page sends. Fails with UNAUTHORIZED or ORIGIN_REFUSED. */
  teamOf(request: Request): Promise<Team>
  /** The Authorization header behind the cookie of a request. Fails with ORIGIN_REFUSED if the page did not send it. */
  authorizationOf(request: Request): string | undefined
}

/** The header in which the page sends its token; a page of another site cannot set it. */
const tokenHeader = 'x-gossamer-token'
const longestForm = 8192

export function createLogin(options: LoginOptions): Login {
  const sessions = createDashboardSessions()
  // An expired access token counts as missing.
  const authenticate = (authorization: string | undefined) =>
    options.authenticate(authorization).catch((thrown: unknown) => {
      if (toAppError(thrown).status === 401) return undefined
      throw thrown
    })
  const sessionOf = (request: Request) => sessions.find(sessionIdOf(request, baseUrlOf(request, options)))
  const cookieFor = (request: Request, id?: string) => sessionCookie(baseUrlOf(request, options), id)

  function required(request: Request): DashboardSession {
    const session = sessionOf(request) ?? fail('UNAUTHORIZED', loggedOut)
    return hasToken(request, session) ? session : fail('ORIGIN_REFUSED', withoutToken)
  }

  return {
    async open(request) {
      const assets = await loadAssets()
      const known = sessionOf(request)
      const team = known && (await authenticate(known.authorization))
      if (known && team) return appDocument(assets, known.token, team)
      if (known) sessions.end(known.id)
      const keyless = await authenticate(undefined)
      if (!keyless) return loginDocument(assets)
      const { id, token } = sessions.open(keyless.id, undefined)
      return appDocument(assets, token, keyless, cookieFor(request, id))
    },
    missing: async () => documentOf(await loadAssets(), nothingHere, { status: 404 }),
    async logIn(request) {
      if (!isOwnOrigin(request, options)) fail('ORIGIN_REFUSED')
      const form = new URLSearchParams(new TextDecoder().decode(await readBody(request, longestForm)))
      const authorization = `Bearer ${form.get('key')?.trim() || '-'}`
      const team = await authenticate(authorization)
      if (!team) return loginDocument(await loadAssets(), 'unknown key')
      const { id } = sessions.open(team.id, authorization)
      return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookieFor(request, id) } })
    },
    logOut(request) {
      sessions.end(required(request).id)
      return new Response(null, { status: 204, headers: { 'set-cookie': cookieFor(request) } })
    },
    teamOf: async (request) => (await authenticate(required(request).authorization)) ?? fail('UNAUTHORIZED', loggedOut),
    authorizationOf(request) {
      const session = sessionOf(request)
      if (!session) return undefined
      if (hasToken(request, session)) return session.authorization
      // A user who opens a read-only route in a browser gets the response for requests without a login.
      return isReading(request) ? undefined : fail('ORIGIN_REFUSED', withoutToken)
    },
  }
}

const hasToken = ({ headers }: Request, session: DashboardSession) => isToken(session, headers.get(tokenHeader))

export const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD'

const loggedOut = { message: 'You are logged out.', hint: 'Reload the dashboard.' }
const withoutToken = {
  message: 'The request came with the cookie of the dashboard, but not from its page.',
  hint: 'Reload the dashboard. Programs send an API key instead of the cookie.',
}

const policyFor = (script: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The page for a user logged in with a key, or if no key is needed. */
function appDocument(assets: Assets, token: string, { id, key, permissions }: Team, cookie?: string) {
  const more = { headers: cookie === undefined ? {} : { 'set-cookie': cookie } }
  const isAdmin = key !== null && permissions.includes('admin')
  const facts = { token, user: key ?? '', team: id, admin: String(isAdmin) }
  const data = Object.entries(facts).map(([name, value]) => `data-${name}="${escaped(value)}"`)
  return documentOf(assets, `<div id="app" ${data.join(' ')}></div>`, more)
}

/** The login form; works without scripts. */
function loginDocument(assets: Assets, fault?: 'unknown key') {
  const says = fault && '<p id="fault" class="fault" role="alert">This key is not known here, or has been revoked.</p>'
  const refers = fault ? 'aria-invalid="true" aria-describedby="fault"' : ''
  const form = login.replace('<!-- fault -->', says ?? '').replace('data-fault', refers)
  return documentOf(assets, form, { status: fault ? 401 : 200 })
}

function documentOf(
  assets: Assets,
  body: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> },
): Response {
  const html = (assets.get('dashboard-page.html') ?? '').replace('<!-- body -->', () => body)
  const own = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyFor(/<script>([^]*?)<\/script>/.exec(html)?.[1] ?? ''),
    // With `no-referrer`, browsers would send forms without their origin.
    'referrer-policy': 'same-origin',
  }
  return new Response(html, { status, headers: { ...own, ...headers } })
}

const login = `<main class="login">
      <form method="post">
        <h1>Gossamer</h1>
        <p>Log in with an API key of this server. <code>gossamer keys add NAME</code> creates one.</p>
        <label for="key">API key</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required autofocus data-fault />
        <!-- fault -->
        <button type="submit" class="primary">Log in</button>
      </form>
    </main>`

const nothingHere = `<main class="login">
      <div>
        <h1>There is no such page</h1>
        <p><a href="/">Open the dashboard</a>. Programs find the routes in <a href="/openapi.json">openapi.json</a>.</p>
      </div>
    </main>`

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The name contains the port, because servers on other ports of the host get the same cookies. */
const cookieName = (baseUrl: string) => {
  const { port, protocol } = new URL(baseUrl)
  return `gossamer-dashboard-${port || (protocol === 'https:' ? '443' : '80')}`
}

function sessionIdOf(request: Request, baseUrl: string): string | undefined {
  const name = cookieName(baseUrl)
  const pairs = (request.headers.get('cookie') ?? '').split(/; */)
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Sets the cookie; without an id, deletes it. */
function sessionCookie(baseUrl: string, id?: string): string {
  const isSecure = baseUrl.startsWith('https:')
  const ends = id === undefined ? ['Max-Age=0'] : []
  return [`${cookieName(baseUrl)}=${id ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', ...ends]
    .concat(isSecure ? ['Secure'] : [])
    .join('; ')
}

/** A login. The id is in the cookie, the token in the page: a request needs both. */
export type DashboardSession = {
  id: string
  teamId: string
  token: string
  /** The key as sent, checked again at each request; undefined if no key is needed. */
  authorization: string | undefined
  usedAt: number
}
export type DashboardSessions = {
  open(teamId: string, authorization: string | undefined): DashboardSession
  find(id: string | undefined): DashboardSession | undefined
  end(id: string): void
}

const idleMs = 12 * 3_600_000
const maxSessions = 1000
/** Limit per team: a new login ends its least recently used one, so that it cannot displace the logins of others. */
const maxOfTeam = 100

/** Logins are stored in memory only: a restart ends them, and nothing is written to disk. */
export function createDashboardSessions(now: () => number = Date.now): DashboardSessions {
  const sessions = new Map<string, DashboardSession>()
  return {
    open(teamId, authorization) {
      const ofTeam = [...sessions.values()].filter((each) => each.teamId === teamId)
      const [oldest] = ofTeam.length >= maxOfTeam ? ofTeam : sessions.size >= maxSessions ? sessions.values() : []
      if (oldest) sessions.delete(oldest.id)
      const session = { id: secret(), teamId, token: secret(), authorization, usedAt: now() }
      sessions.set(session.id, session)
      return session
    },
    find(id) {
      const session = id === undefined ? undefined : sessions.get(id)
      if (!session) return undefined
      sessions.delete(session.id)
      if (now() - session.usedAt > idleMs) return undefined
      // The map is in order of last use.
      session.usedAt = now()
      sessions.set(session.id, session)
      return session
    },
    end: (id) => void sessions.delete(id),
  }
}

const secret = () => randomBytes(32).toString('base64url')

function isToken({ token }: DashboardSession, sent: string | null): boolean {
  const [own, other] = [Buffer.from(token), Buffer.from(sent ?? '')]
  return own.length === other.length && timingSafeEqual(own, other)
}
