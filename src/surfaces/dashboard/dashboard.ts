import type { Ctx, NewCtx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { Invoke } from '../../kernel/invoke.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { CataloguedOperation } from '../../web/dashboard/views/call-fields.ts'
import type { Tool } from '../../kernel/tool.ts'
import { baseUrlOf } from '../http/guard.ts'
import { type Assets, loadAssets } from '../../web/web-assets.ts'
import { callableOf } from '../../kernel/written-call.ts'
import { createLogin, isReading, type Login, type LoginOptions } from './dashboard-login.ts'
import { inputSchema } from '../../kernel/json-schema.ts'
import type { PageRow } from '../../web/dashboard/views/job-view.ts'
import type { Entry, JobList } from '../../web/dashboard/views/job-data.ts'
import { isRecord } from '../../util/json.ts'
import { isDeepStrictEqual } from 'node:util'

export type Dashboard = Pick<Login, 'authorizationOf'> & {
  /** Undefined for a request that does not belong to the dashboard. */
  answer(request: Request): Promise<Response | undefined>
  /** The page for an address that does not exist; undefined for programs. */
  missing(request: Request): Promise<Response | undefined>
}
export type DashboardOptions = LoginOptions & {
  operations: readonly AnyOperation[]
  tools: readonly Tool[]
  invoke: Invoke
  newCtx: NewCtx
  /** Jobs of the team that have not ended. */
  runningJobs(ctx: Ctx): Promise<Entry[]>
  monitorOf(checkId: string, ctx: Ctx): Promise<string | undefined>
  /** Why a running crawl waits, and its pages with an error status. */
  crawlFacts(
    id: string,
    window: { skip: number; limit: number },
    ctx: Ctx,
  ): Promise<{ doing?: string; refused: number; refusedPages: readonly object[] }>
  /** Acts of a live browser that has ended. */
  timelineOf(id: string, ctx: Ctx): Promise<object>
  /** The input of a job, without secrets; undefined if it was not stored. */
  findRecordedCall(
    id: string,
    ctx: Ctx,
  ): Promise<{ endpoint: string; input: Readonly<Record<string, unknown>> } | undefined>
}

/** A page for people at `/`, with a few routes of its own. It uses the REST API for everything else. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const login = createLogin(options)
  return {
    authorizationOf: login.authorizationOf,
    missing: async (request) => (isReading(request) && wantsHtml(request) ? login.missing() : undefined),
    async answer(request) {
      const { pathname } = new URL(request.url)
      if (isReading(request)) return answerReading(options, login, request)
      if (request.method !== 'POST') return undefined
      if (pathname === '/' && isForm(request)) return login.logIn(request)
      return pathname === '/dashboard/logout' ? login.logOut(request) : undefined
    },
  }
}

const mediaTypes: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

/** Serves a script or a style sheet; undefined for any other name. */
function answerAsset(assets: Assets, name: string): Response | undefined {
  const text = assets.get(name)
  const mediaType = mediaTypes[name.split('.').at(-1) ?? '']
  if (text === undefined || mediaType === undefined) return undefined
  return new Response(text, {
    headers: {
      'content-type': `${mediaType}; charset=utf-8`,
      'cache-control': 'public, max-age=31536000, immutable',
    },
  })
}

async function answerReading(options: DashboardOptions, login: Login, request: Request): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/') return wantsHtml(request) ? login.open(request) : undefined
  const [, name, id] = /^\/dashboard\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? []
  if (pathname === '/dashboard/operations')
    return Response.json({ operations: catalogueOf(options.operations, options.tools) })
  const list = lists.get(`${name}${id === undefined ? '' : '/'}`)
  if (list) {
    const team = await login.teamOf(request)
    const ctx = options.newCtx({ team, signal: request.signal, baseUrl: baseUrlOf(request, options) })
    return Response.json(await list(options, { ctx, query: searchParams, id: id ?? '' }))
  }
  return name === undefined || id !== undefined ? undefined : answerAsset(await loadAssets(), name)
}

type PageRequest = { ctx: Ctx; query: URLSearchParams; id: string }

/** Calls an operation by its name. */
const run = ({ operations, invoke }: DashboardOptions, name: string, input: object, ctx: Ctx) =>
  invoke(operations.find((each) => each.name === name) ?? fail('NOT_FOUND'), input, ctx)

/** Progress of a crawl, and some rows of its table. Fails as `crawl_status` does. */
async function listPages(options: DashboardOptions, { ctx, query, id }: PageRequest): Promise<object> {
  const window = { skip: Number(query.get('skip') ?? 0), limit: Number(query.get('limit') ?? 100) }
  const state = withRows(await run(options, 'crawl_status', { id, ...window }, ctx))
  const isOfErrors = query.get('show') === 'refused'
  const { refusedPages, ...facts } = await options.crawlFacts(id, isOfErrors ? window : { skip: 0, limit: 0 }, ctx)
  return { ...state, ...facts, ...(isOfErrors && { rows: refusedPages.map((page) => rowOf({ ...page })) }) }
}

/** All running jobs, and the requested calls of the last 24 hours. */
async function listJobs(options: DashboardOptions, { ctx, query }: PageRequest): Promise<JobList> {
  const [running, recent, queue, credits] = await Promise.all([
    options.runningJobs(ctx),
    run(options, 'activity', { ...Object.fromEntries(query), limit: Number(query.get('limit') ?? 100) }, ctx),
    run(options, 'queue_status', {}, ctx),
    run(options, 'credit_usage', {}, ctx),
  ])
  const { data, has_more: hasMore } = recent as { data: JobList['recent']; has_more: boolean }
  const { activeJobsInQueue: active, waitingJobsInQueue: waiting } = queue as Record<string, number>
  const { data: balance } = credits as { data: { usedCredits: number } }
  const runningIds = new Set(running.map(({ id }) => id))
  const ended = data
    .filter(({ id }) => !runningIds.has(id))
    .map(async (row) =>
      row.endpoint === 'monitor' ? { ...row, monitorId: await options.monitorOf(row.id, ctx) } : row,
    )
  const counts = { active: active ?? 0, waiting: waiting ?? 0, credits: balance.usedCredits }
  return { running, recent: await Promise.all(ended), hasMore, ...counts }
}

/** The recorded call that started a job, which the page displays as code. */
async function showCall(
  { operations, tools, findRecordedCall }: DashboardOptions,
  { ctx, id }: PageRequest,
): Promise<object> {
  const call = await findRecordedCall(id, ctx)
  const operation = call && operations.find(({ job }) => job?.endpoint === call.endpoint && job.replay !== undefined)
  if (!operation) return {}
  return { operation: callableOf(operation, tools), input: shortInput(operation, call.input) }
}

/** Routes of the page below /dashboard/. Those that end with a slash are followed by the id of a job. */
const lists: ReadonlyMap<string, (options: DashboardOptions, request: PageRequest) => Promise<object>> = new Map([
  ['jobs', listJobs],
  ['pages/', listPages],
  ['calls/', showCall],
  ['timelines/', ({ timelineOf }, { ctx, id }) => timelineOf(id, ctx)],
])

/** The login form is sent to the address of the page, so that the browser keeps its fragment. */
const isForm = ({ headers }: Request) => headers.get('content-type')?.includes('form-urlencoded') ?? false

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

/** The input without the fields that equal their defaults, all of which a recorded call contains. */
export function shortInput({ input: schema }: Pick<AnyOperation, 'input'>, given: Fields): Fields {
  const read = (fields: Fields): Fields | undefined => schema.safeParse(fields).data
  const whole = read(given)
  if (!whole) return given
  const isRedundant = (fields: Fields) => isDeepStrictEqual(read(fields), whole)
  return shorter(given, (fields) => fields, isRedundant)
}

/** The fields without those that `isRedundant`. `within` puts the fields into the whole input. */
function shorter(fields: Fields, within: (fields: Fields) => Fields, isRedundant: (whole: Fields) => boolean): Fields {
  let needed = fields
  for (const name of Object.keys(fields)) {
    const { [name]: value, ...others } = needed
    if (isRedundant(within(others))) needed = others
    else if (isRecord(value))
      needed = { ...needed, [name]: shorter(value, (inner) => within({ ...needed, [name]: inner }), isRedundant) }
  }
  return needed
}
