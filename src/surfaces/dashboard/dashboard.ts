import type { NewCtx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { Invoke } from '../../kernel/invoke.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Tool } from '../../kernel/tool.ts'
import { baseUrlOf } from '../http/base-url.ts'
import { answerAsset, loadAssets } from './assets.ts'
import { catalogueOf } from './catalogue.ts'
import { createLogin, isReading, type Login, type LoginOptions } from './login.ts'
import { withRows } from './page-rows.ts'

export type Dashboard = Pick<Login, 'authorizationOf'> & {
  /** Undefined for a request that is none of the dashboard's. */
  answer(request: Request): Promise<Response | undefined>
}
export type DashboardOptions = LoginOptions & {
  operations: readonly AnyOperation[]
  tools: readonly Tool[]
  invoke: Invoke
  newCtx: NewCtx
}

/** A page for people at `/`, and the few routes it has of its own. All else it asks of the REST API. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const login = createLogin(options)
  return {
    authorizationOf: login.authorizationOf,
    async answer(request) {
      const { pathname } = new URL(request.url)
      if (isReading(request)) return read(options, login, request)
      if (request.method !== 'POST') return undefined
      if (pathname === '/dashboard/login') return login.logIn(request)
      return pathname === '/dashboard/logout' ? login.logOut(request) : undefined
    },
  }
}

async function read(options: DashboardOptions, login: Login, request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  if (pathname === '/') return wantsHtml(request) ? login.open(request) : undefined
  const [, name, id] = /^\/dashboard\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? []
  if (pathname === '/dashboard/operations')
    return Response.json({ operations: catalogueOf(options.operations, options.tools) })
  if (name === 'pages' && id !== undefined) return listPages(options, login, { request, id })
  return name === undefined || id !== undefined ? undefined : answerAsset(await loadAssets(), name)
}

/** How far a crawl is, and a page of its table. Fails as `crawl_status` does. */
async function listPages(
  { operations, invoke, newCtx, ...rules }: DashboardOptions,
  { teamOf }: Login,
  { request, id }: { request: Request; id: string },
): Promise<Response> {
  const team = await teamOf(request)
  const operation = operations.find(({ name }) => name === 'crawl_status') ?? fail('NOT_FOUND')
  const skip = Number(new URL(request.url).searchParams.get('skip') ?? 0)
  const ctx = newCtx({ team, signal: request.signal, baseUrl: baseUrlOf(request, rules) })
  return Response.json(withRows(await invoke(operation, { id, skip, limit: 100 }, ctx)))
}

const wantsHtml = ({ headers }: Request) => headers.get('accept')?.includes('text/html') ?? false
