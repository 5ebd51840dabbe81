import { Console } from 'node:console'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { compileFunction, constants } from 'node:vm'
import { createConnection } from '../../browser/cdp/connection.ts'
import type { CdpMessage, WireListener } from '../../browser/cdp/shapes.ts'
import { localAnswer } from '../cdp-allowed.ts'
import { createFrames } from '../frames.ts'
import { createApi } from '../playwright/context.ts'
import { cleanEnvironment } from '../sandbox/sandbox.ts'
import { returningLast } from './last-expression.ts'
import { lockDown } from './lock-down.ts'

/** Deno where code would see that it is not Node: how values are printed, and an environment that is empty rather than not to be read. */
function likeNode(): void {
  globalThis.console = new Console(process.stdout, process.stderr)
  Object.defineProperty(process, 'env', {
    value: cleanEnvironment('/nonexistent', '/usr/bin:/bin'),
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

/** The same error with the line it is about, which Deno tells only of modules. Nothing of the text runs: it is inside a function. */
async function withLine(thrown: unknown, code: string): Promise<unknown> {
  if (!(thrown instanceof SyntaxError)) return thrown
  const module = `data:text/javascript,${encodeURIComponent(`(async () => {${code}\n})`)}`
  const said = await import(module).then(
    () => '',
    (error: unknown) => String((error as Partial<Error>).message),
  )
  const line = /:(\d+):\d+$/.exec(said)?.[1]
  return line === undefined
    ? thrown
    : Object.assign(new SyntaxError(thrown.message), { stack: `${String(thrown)}\n    at code.js:${line}` })
}

/**
 * A process that runs one piece of JavaScript with `page`, `context` and `browser`. File descriptor 3 brings the code and
 * carries the browser's messages; nothing else leads out. Arguments: a folder with playwright-core or `-`, and `locked`
 * where nothing but this process keeps the code in, `deno` where it is not Node.
 */
export type NodeJob = {
  code: string
  actionTimeoutMs: number
  pageId?: string | undefined
  contextId?: string | undefined
}
type Scope = { page: unknown; context: unknown; browser: unknown }
type Playwright = { chromium: { connectOverCDP(transport: object): Promise<PlaywrightBrowser> } }
type PlaywrightPage = { setDefaultTimeout(ms: number): void }
type PlaywrightContext = PlaywrightPage & {
  pages(): PlaywrightPage[]
  newPage(): Promise<PlaywrightPage>
  newCDPSession(
    page: PlaywrightPage,
  ): Promise<{ send(method: string): Promise<{ targetInfo: { targetId: string } }>; detach(): Promise<void> }>
}
type PlaywrightBrowser = { contexts(): PlaywrightContext[] }

const [folder = '-', how] = process.argv.slice(2)
const socket = new Socket({ fd: 3, readable: true, writable: true })
const { promise: job, resolve: begin } = Promise.withResolvers<NodeJob>()
let hear: (message: CdpMessage) => void = () => {}
const frames = createFrames(
  socket,
  {
    message: (message) => ('job' in message ? begin(message['job'] as NodeJob) : hear(message['cdp'] as CdpMessage)),
    broken: () => process.exit(70),
  },
  Number.POSITIVE_INFINITY,
)
// With the exit code that was set, if the code has come to its end.
socket.on('end', () => process.exit()).on('error', () => process.exit())
const cdp = (message: CdpMessage) => frames.send({ cdp: message })

const playwright =
  folder === '-' ? undefined : ((await import(pathToFileURL(`${folder}/index.mjs`).href)) as Playwright)
process.on('unhandledRejection', (thrown) => void finish(failureOf(thrown)))
process.on('uncaughtException', (thrown) => void finish(failureOf(thrown)))
// All that is needed is loaded before the code comes.
if (how === 'locked') lockDown()
if (how === 'deno') likeNode()
const given = await job
await finish(await run(given))

async function run({ code, ...rest }: NodeJob): Promise<Done> {
  try {
    const main = await compiled(code)
    const scope = await (playwright ? withPlaywright(playwright, rest) : withOwnApi(rest))
    const { page, context, browser } = scope
    return { lastValue: showValue(await main(page, context, browser, requireWith(scope))) }
  } catch (thrown) {
    return failureOf(thrown)
  }
}

async function compiled(code: string): Promise<(...all: unknown[]) => unknown> {
  const text = `return (async () => {${returningLast(code)}\n})()`
  const options = { filename: 'code.js', importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
  try {
    return compileFunction(text, ['page', 'context', 'browser', 'require'], options) as (...all: unknown[]) => unknown
  } catch (thrown) {
    throw how === 'deno' ? await withLine(thrown, code) : thrown
  }
}

type Done = { lastValue?: string | null; error?: string }

function failureOf(thrown: unknown): Done {
  const { name, message, stack } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Partial<Error>
  const said = message ?? String(thrown)
  const text = name === undefined || name === 'Error' ? said : `${name}: ${said}`
  process.stderr.write(`${ownLines(stack) ?? text}\n`)
  process.exitCode = 1
  return { error: text }
}

/** Where in the code it happened, without our own part of the way there. */
function ownLines(stack: string | undefined): string | undefined {
  const lines = stack?.split('\n').filter((line) => !/^\s+at /.test(line) || line.includes('code.js:'))
  return lines?.join('\n')
}

/**
 * What was written is out before the process ends, and the other side has read how it ended: what it still writes to a process
 * that is gone would cost it what it has not read.
 */
async function finish(done: Done): Promise<void> {
  const written = [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve)))
  await Promise.all(written)
  frames.send({ done })
}

function keep(path: string | undefined, bytes: Buffer): Buffer {
  if (path !== undefined) writeFileSync(path, bytes)
  return bytes
}

type Rest = Omit<NodeJob, 'code'>

async function withOwnApi({ actionTimeoutMs, pageId, contextId }: Rest): Promise<Scope> {
  const listening: { listener?: WireListener } = {}
  const connection = createConnection(
    {
      send: cdp,
      isFull: () => false,
      drained: async () => {},
      listen: (listener) => Object.assign(listening, { listener }),
      end: () => {},
    },
    // A fault of one of the code's own listeners is the code's.
    { error: (_event, facts) => process.stderr.write(`${String((facts as { error?: unknown }).error)}\n`) },
  )
  hear = (message) => listening.listener?.message(message)
  const { context, browser } = await createApi(connection, { contextId, timeoutMs: actionTimeoutMs, keep })
  return { context, browser, page: context.pageOf(pageId) ?? context.pages().at(-1) ?? (await context.newPage()) }
}

async function withPlaywright({ chromium }: Playwright, { actionTimeoutMs, pageId }: Rest): Promise<Scope> {
  const transport: { send: typeof cdp; close(): void; onmessage?: (message: CdpMessage) => void } = {
    send(message) {
      const answer = localAnswer(message)
      if (answer) hear(answer)
      else cdp(message)
    },
    close() {},
  }
  // It counts on a turn of its own for each message, as its own transports give it.
  hear = (message) => void setImmediate(() => transport.onmessage?.(message))
  const browser = await chromium.connectOverCDP(transport)
  const context = browser.contexts()[0]!
  context.setDefaultTimeout(actionTimeoutMs)
  const pages = context.pages()
  const idOf = async (page: PlaywrightPage) => {
    const session = await context.newCDPSession(page)
    const { targetInfo } = await session.send('Target.getTargetInfo')
    await session.detach()
    return targetInfo.targetId
  }
  const ids = pageId !== undefined && pages.length > 1 ? await Promise.all(pages.map(idOf)) : []
  const page = pages[ids.indexOf(pageId ?? '')] ?? pages.at(-1) ?? (await context.newPage())
  return { browser, context, page }
}

/** Code that starts with `require('playwright')` gets the browser that is there. */
function requireWith({ browser }: Scope): unknown {
  const load = createRequire(import.meta.url)
  const here = { launch: async () => browser, connectOverCDP: async () => browser, connect: async () => browser }
  const names = /^(?:playwright(?:-core)?|@playwright\/test|patchright)$/
  return (name: string): unknown => (names.test(name) ? (playwright ?? { chromium: here }) : load(name))
}

/** A value as text, for whoever asked: text as it is, bytes in base64, data as JSON, anything else as a console shows it. */
function showValue(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value === 'object' && !isPlain(value)) return inspect(value, { depth: 3, showProxy: false })
  try {
    return JSON.stringify(value) ?? inspect(value)
  } catch {
    return inspect(value, { depth: 3 })
  }
}

/** Objects of the API would show all their methods. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isData = prototype === Object.prototype || prototype === null || Array.isArray(value) || 'toJSON' in value
  return isData && !Object.values(value).some((each) => typeof each === 'function')
}
