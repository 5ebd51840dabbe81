import type { Team } from '../../kernel/ctx.ts'
import { fail, toAppError } from '../../kernel/error.ts'
import { baseUrlOf, type BaseUrlRules, isOwnOrigin } from '../http/base-url.ts'
import { readBody } from '../http/body/bytes.ts'
import { loadAssets } from './assets.ts'
import { sessionCookie, sessionIdOf } from './cookie.ts'
import { appDocument, loginDocument } from './document.ts'
import { createDashboardSessions, type DashboardSession, isToken } from './sessions.ts'

export type LoginOptions = BaseUrlRules & {
  authenticate(authorization: string | undefined): Promise<Team | undefined>
}
export type Login = {
  /** The page for whoever is logged in, the way in for others. Where no key is needed, anybody is logged in. */
  open(request: Request): Promise<Response>
  logIn(request: Request): Promise<Response>
  logOut(request: Request): Response
  /** Who sends a request from the page. Fails with UNAUTHORIZED or ORIGIN_REFUSED. */
  teamOf(request: Request): Promise<Team>
  /** The Authorization that the cookie of a request stands for. Fails with ORIGIN_REFUSED where the page did not send it. */
  authorizationOf(request: Request): string | undefined
}

/** The header in which the page sends its token; a page of another site can set none. */
const tokenHeader = 'x-gossamer-token'
const longestForm = 8192

export function createLogin(options: LoginOptions): Login {
  const sessions = createDashboardSessions()
  // An access token that has expired is as good as none.
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
      const { id, token } = sessions.open(undefined)
      return appDocument(assets, token, keyless, cookieFor(request, id))
    },
    async logIn(request) {
      if (!isOwnOrigin(request, options)) fail('ORIGIN_REFUSED')
      const form = new URLSearchParams(new TextDecoder().decode(await readBody(request, longestForm)))
      const authorization = `Bearer ${form.get('key')?.trim() || '-'}`
      if (!(await authenticate(authorization))) return loginDocument(await loadAssets(), 'unknown key')
      const { id } = sessions.open(authorization)
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
      // Opened by hand in a browser, a route that only reads answers as it does to anybody.
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
