import type { Ctx, NewCtx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { Invoke } from '../../kernel/invoke.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Tool } from '../../kernel/tool.ts'
import { baseUrlOf } from '../http/base-url.ts'
import { answerAsset, loadAssets } from './assets.ts'
import { callableOf } from '../call-as/callable.ts'
import { catalogueOf } from './catalogue.ts'
import { createLogin, isReading, type Login, type LoginOptions } from './login.ts'
import { withRows } from './page-rows.ts'
import { shortInput } from './short-input.ts'

export type Dashboard = Pick<Login, 'authorizationOf'> & {
  /** Undefined for a request that is none of the dashboard's. */
  answer(request: Request): Promise<Response | undefined>
}
export type DashboardOptions = LoginOptions & {
  operations: readonly AnyOperation[]
  tools: readonly Tool[]
  invoke: Invoke
  newCtx: NewCtx
  /** What a job was asked for, without secrets; undefined where that was not kept. */
  askedCall(id: string, ctx: Ctx): Promise<{ endpoint: string; input: Readonly<Record<string, unknown>> } | undefined>
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
  if (name === 'calls' && id !== undefined) return answerCall(options, login, { request, id })
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

/** The call that began a job, as far as it was kept: to be written down as others make it. */
async function answerCall(
  { operations, tools, newCtx, askedCall, ...rules }: DashboardOptions,
  { teamOf }: Login,
  { request, id }: { request: Request; id: string },
): Promise<Response> {
  const ctx = newCtx({ team: await teamOf(request), signal: request.signal, baseUrl: baseUrlOf(request, rules) })
  const asked = await askedCall(id, ctx)
  const operation = asked && operations.find(({ job }) => job?.endpoint === asked.endpoint && job.replay !== undefined)
  if (!operation) return Response.json({})
  return Response.json({ operation: callableOf(operation, tools), input: shortInput(operation, asked.input) })
}

const wantsHtml = ({ headers }: Request) => headers.get('accept')?.includes('text/html') ?? false
