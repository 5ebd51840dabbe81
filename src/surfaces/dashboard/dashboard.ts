import type { Ctx, NewCtx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { Invoke } from '../../kernel/invoke.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { CataloguedOperation } from '../../web/dashboard/views/call-fields.ts'
import type { Tool } from '../../kernel/tool.ts'
import { baseUrlOf } from '../http/guard.ts'
import { answerAsset, loadAssets } from '../../web/web-assets.ts'
import { callableOf } from '../../kernel/written-call.ts'
import { createLogin, isReading, type Login, type LoginOptions } from './dashboard-login.ts'
import { inputSchema } from '../../kernel/json-schema.ts'
import type { PageRow } from '../../web/dashboard/views/job-view.ts'
import { isRecord } from '../../util/json.ts'
import { isDeepStrictEqual } from 'node:util'

export type Dashboard = Pick<Login, 'authorizationOf'> & {
  /** Undefined for a request that does not belong to the dashboard. */
  answer(request: Request): Promise<Response | undefined>
}
export type DashboardOptions = LoginOptions & {
  operations: readonly AnyOperation[]
  tools: readonly Tool[]
  invoke: Invoke
  newCtx: NewCtx
  /** The input of a job, without secrets; undefined if it was not stored. */
  askedCall(id: string, ctx: Ctx): Promise<{ endpoint: string; input: Readonly<Record<string, unknown>> } | undefined>
}

/** A page for people at `/`, with a few routes of its own. It uses the REST API for everything else. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const login = createLogin(options)
  return {
    authorizationOf: login.authorizationOf,
    async answer(request) {
      const { pathname } = new URL(request.url)
      if (isReading(request)) return answerReading(options, login, request)
      if (request.method !== 'POST') return undefined
      if (pathname === '/dashboard/login') return login.logIn(request)
      return pathname === '/dashboard/logout' ? login.logOut(request) : undefined
    },
  }
}

async function answerReading(options: DashboardOptions, login: Login, request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  if (pathname === '/') return wantsHtml(request) ? login.open(request) : undefined
  const [, name, id] = /^\/dashboard\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? []
  if (pathname === '/dashboard/operations')
    return Response.json({ operations: catalogueOf(options.operations, options.tools) })
  if (name === 'pages' && id !== undefined) return listPages(options, login, { request, id })
  if (name === 'calls' && id !== undefined) return answerCall(options, login, { request, id })
  return name === undefined || id !== undefined ? undefined : answerAsset(await loadAssets(), name)
}

/** Progress of a crawl, and one page of its table. Fails as `crawl_status` does. */
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

/** The stored call that started a job, for display in other notations. */
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

export const catalogueOf = (operations: readonly AnyOperation[], tools: readonly Tool[]): CataloguedOperation[] =>
  operations.map((operation) => ({
    ...callableOf(operation, tools),
    title: operation.title,
    about: operation.about,
    effect: operation.effect,
    example: operation.example,
    schema: inputSchema(operation),
  }))

/** A response of `crawl_status` with its pages as rows, without their contents, which may be megabytes. */
function withRows(output: object): { rows: PageRow[] } {
  const { data, ...state } = output as { data?: unknown }
  return { ...state, rows: Array.isArray(data) ? data.filter(isRecord).map(rowOf) : [] }
}

function rowOf({ markdown, metadata }: Record<string, unknown>): PageRow {
  const facts = isRecord(metadata) ? metadata : {}
  return {
    url: textOf(facts['url'] ?? facts['sourceURL']),
    title: textOf(facts['title']),
    status: Number(facts['statusCode'] ?? 0),
    scrapeId: textOf(facts['scrapeId']),
    characters: textOf(markdown).length,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

type Fields = Readonly<Record<string, unknown>>

/** An input without fields at their defaults: a stored call contains all defaults. */
export function shortInput({ input: schema }: Pick<AnyOperation, 'input'>, given: Fields): Fields {
  const read = (fields: Fields): Fields | undefined => schema.safeParse(fields).data
  const whole = read(given)
  if (!whole) return given
  const isNeedless = (fields: Fields) => isDeepStrictEqual(read(fields), whole)
  return shorter(given, (fields) => fields, isNeedless)
}

/** `within` returns the whole input with these fields in their place. */
function shorter(fields: Fields, within: (fields: Fields) => Fields, isNeedless: (whole: Fields) => boolean): Fields {
  let kept = fields
  for (const name of Object.keys(fields)) {
    const { [name]: value, ...others } = kept
    if (isNeedless(within(others))) kept = others
    else if (isRecord(value))
      kept = { ...kept, [name]: shorter(value, (inner) => within({ ...kept, [name]: inner }), isNeedless) }
  }
  return kept
}
