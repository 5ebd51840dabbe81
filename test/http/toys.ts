import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { z } from 'zod'
import { fileContent } from '../../src/schema/scrape/file-upload.ts'
import type { Ports } from '../../src/contracts/ports.ts'
import type { Ctx, NewCtx, Team } from '../../src/kernel/ctx.ts'
import { errors, type OperationError } from '../../src/kernel/error-table.ts'
import { fail } from '../../src/kernel/error.ts'
import type { Invoke } from '../../src/kernel/invoke.ts'
import type { Log } from '../../src/kernel/log.ts'
import { type AnyOperation, defineOperation } from '../../src/kernel/operation.ts'
import { createHttpApp, type HttpAppOptions } from '../../src/surfaces/http/app.ts'
import { listen, type Listening, type ListenOptions } from '../../src/surfaces/http/server.ts'

/** Fields of an operation that most tests do not depend on. */
export const toyFacts = {
  title: 'Toy',
  about: 'A toy.',
  effect: 'read',
  example: {},
  input: z.object({}),
  output: z.looseObject({}),
  errors: [],
} as const

const shape = z.object({ kind: z.literal('square'), side: z.number() }).meta({ id: 'Square' })
const anyOutput = z.object({ got: z.record(z.string(), z.unknown()) })

/** Returns its input. */
const echo = defineOperation({
  ...toyFacts,
  name: 'toy_echo',
  route: 'POST /v2/toy/:id/echo',
  aliases: ['POST /v2/parrot/:id'],
  effect: 'create',
  example: { id: 'a', text: "it's" },
  input: z.object({
    id: z.string().describe('Whose echo.'),
    text: z.string().min(1).max(50).describe('What to say | or not.'),
    times: z.int().min(1).max(9).default(1),
    shapes: z.array(z.union([z.string(), shape])).optional(),
  }),
  output: anyOutput.extend({ shape: shape.optional() }),
  errors: ['JOB_NOT_FOUND', 'SCRAPE_DNS_RESOLUTION_ERROR'],
  run: async (input) => ({ got: input }),
})

/** A query of every type. */
const list = defineOperation({
  ...toyFacts,
  name: 'toy_list',
  route: 'GET /v2/toy',
  example: { limit: 2, tags: ['a', 'b'] },
  input: z.object({
    limit: z.int().max(10).default(5),
    ratio: z.number().nullable().optional(),
    all: z.boolean().default(false),
    tags: z.array(z.string()).optional(),
    sizes: z.array(z.int()).optional(),
    name: z.string().optional(),
    where: z.object({ x: z.number() }).optional(),
  }),
  output: anyOutput,
  mcp: false,
  run: async (input) => ({ got: input }),
})

const active = defineOperation({
  ...toyFacts,
  name: 'toy_active',
  route: 'GET /v2/toy/active',
  output: z.object({ baseUrl: z.string(), team: z.string() }),
  run: async (_, ctx) => ({ baseUrl: ctx.baseUrl, team: ctx.team.id }),
})

const read = defineOperation({
  ...toyFacts,
  name: 'toy_read',
  route: 'GET /v2/toy/:id',
  example: { id: 'a b' },
  input: z.object({ id: z.string() }),
  output: anyOutput,
  run: async (input) => ({ got: input }),
})

const stop = defineOperation({
  ...toyFacts,
  name: 'toy_stop',
  route: 'DELETE /v2/toy/:id',
  effect: 'destroy',
  example: { id: 'a', force: true },
  input: z.object({ id: z.string(), force: z.boolean().default(false) }),
  output: anyOutput,
  run: async (input) => ({ got: input }),
})

/** Takes a file of up to 2,000 bytes. */
const take = defineOperation({
  ...toyFacts,
  name: 'toy_take',
  route: 'POST /v2/take',
  effect: 'create',
  example: { file: { filename: 'a.txt', base64: 'aGk=' }, label: 'x' },
  input: z.object({
    file: z.object({ filename: z.string(), contentType: z.string().optional(), base64: fileContent }),
    label: z.string().optional(),
  }),
  output: anyOutput,
  errors: ['PAYLOAD_TOO_LARGE'],
  upload: { field: 'file', maxBytes: 2000 },
  run: async (input) => ({ got: input }),
})

/** Fails in the requested way. */
const breaks = defineOperation({
  ...toyFacts,
  name: 'toy_break',
  route: 'POST /v2/break',
  effect: 'create',
  example: { how: 'JOB_NOT_FOUND' },
  input: z.object({ how: z.string() }),
  errors: Object.keys(errors) as OperationError[],
  run: async ({ how }) => {
    if (how in errors) fail(how as OperationError, { details: { how } })
    throw new Error(`secret cause ${how}`)
  },
})

export const toys: readonly AnyOperation[] = [read, echo, list, active, stop, take, breaks]

export function toy(name: string): AnyOperation {
  return toys.find((operation) => operation.name === name) ?? fail('NOT_FOUND')
}

/** Validates the input, as the middleware does. */
export const validating: Invoke = async (operation, input, ctx) => {
  const checked = operation.input.safeParse(input)
  if (!checked.success) fail('BAD_REQUEST', { details: checked.error.issues })
  return operation.run(checked.data, ctx)
}

export const team: Team = { id: 'team', key: 'test', permissions: [] }
export const key = 'Bearer good'

export type LogLine = { level: string; event: string; facts: Record<string, unknown> }

export function memoryLog(): Log & { lines: LogLine[] } {
  const lines: LogLine[] = []
  const at =
    (level: string) =>
    (event: string, facts: object = {}) =>
      void lines.push({ level, event, facts: facts as Record<string, unknown> })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export const newCtx: NewCtx = (init) => ({
  jobId: crypto.randomUUID(),
  startedAt: 0,
  log: memoryLog(),
  progress: () => {},
  warn: () => {},
  queuedMs: 0,
  ports: {} as Ports,
  ...init,
})

export function ctxWith(signal: AbortSignal = new AbortController().signal): Ctx {
  return newCtx({ team, signal, baseUrl: 'http://here' })
}

export function toyApp(over: Partial<HttpAppOptions> = {}) {
  return createHttpApp({
    operations: toys,
    invoke: validating,
    newCtx,
    authenticate: async (authorization) => (authorization === key ? team : undefined),
    maxRequestBytes: 1000,
    allowedHosts: ['127.0.0.1', 'toys.example:8443'],
    allowedOrigins: ['https://good.example'],
    openApi: () => ({ openapi: '3.1.1' }),
    version: '1.2.3',
    log: memoryLog(),
    ...over,
  })
}

export type Toys = { server: Listening; log: ReturnType<typeof memoryLog>; close(): Promise<void> }

/** A listening server on a free loopback port; close it after use. */
export async function serveToys(
  over: Partial<HttpAppOptions> = {},
  listening: Partial<ListenOptions> = {},
): Promise<Toys> {
  const log = memoryLog()
  const server = await listen({ app: toyApp({ log, ...over }), host: '127.0.0.1', port: 0, log, ...listening })
  return { server, log, close: () => server.close(0) }
}

export type Response = {
  status: number
  headers: IncomingMessage['headers']
  text: string
  json: Record<string, unknown>
}

/** Sends a request with headers that fetch would change. */
export async function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  const sent = request(url, { method, headers: { authorization: key, ...headers }, agent: false })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = await response.toArray()
  const text = Buffer.concat(chunks).toString()
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: response.statusCode ?? 0, headers: response.headers, text, json }
}
