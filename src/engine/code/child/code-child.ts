import { Console } from 'node:console'
import { createRequire } from 'node:module'
import { inspect } from 'node:util'
import { compileFunction, constants } from 'node:vm'
import type { BrowserType } from 'playwright-core'
import { cleanEnvironment } from '../sandbox/run-in-sandbox.ts'
import { type ConnectOptions, connectPlaywright, loadPlaywright, openLink, type Scope } from './connect-playwright.ts'
import { returningLast } from './last-expression.ts'
import { lockDown } from './lock-down.ts'

/**
 * Hides differences of Deno: formats console output as Node does, and replaces the environment, which Deno hides, by a
 * readable one.
 */
function likeNode(): void {
  globalThis.console = new Console(process.stdout, process.stderr)
  Object.defineProperty(process, 'env', {
    value: cleanEnvironment('/nonexistent', '/usr/bin:/bin'),
    writable: true,
    enumerable: true,
    configurable: true,
  })
  // All required files are already loaded.
  const { Deno } = globalThis as { Deno?: { permissions: { revokeSync(what: object): void } } }
  Deno?.permissions.revokeSync({ name: 'read', path: playwrightFile })
}

/**
 * Adds the line to a syntax error. Deno reports it only for modules, so the code is imported within a function that
 * never runs.
 */
async function withLine(thrown: unknown, code: string): Promise<unknown> {
  if (!(thrown instanceof SyntaxError)) return thrown
  const module = `data:text/javascript,${encodeURIComponent(`(async () => {${code}\n})`)}`
  const reason = await import(module).then(
    () => '',
    (error: unknown) => String((error as Partial<Error>).message),
  )
  const line = /:(\d+):\d+$/.exec(reason)?.[1]
  return line === undefined
    ? thrown
    : Object.assign(new SyntaxError(thrown.message), { stack: `${String(thrown)}\n    at code.js:${line}` })
}

type NodeJob = ConnectOptions & { code: string }

/*
 * Runs a piece of JavaScript with Playwright's `page`, `context` and `browser`. File descriptor 3, the only connection
 * of this process, carries the code and the browser's messages. Arguments: the file with Playwright; then `locked` if
 * only this process confines the code, or `deno` under Deno.
 */
const [playwrightFile = '', how] = process.argv.slice(2)
const { promise: job, resolve: begin } = Promise.withResolvers<NodeJob>()
const { link, send } = openLink<{ job: NodeJob }>(
  ({ job: received }) => received && begin(received),
  // The exit code is already set if the code has ended.
  () => process.exit(),
)

const playwright = await loadPlaywright(playwrightFile)
process.on('unhandledRejection', (thrown) => void finish(failureOf(thrown)))
process.on('uncaughtException', (thrown) => void finish(failureOf(thrown)))
// All required files are loaded before the code arrives.
if (how === 'locked') lockDown()
if (how === 'deno') likeNode()
const given = await job
await finish(await run(given))

async function run({ code, ...rest }: NodeJob): Promise<CodeOutcome> {
  try {
    const main = await compiled(code)
    const scope = await connectPlaywright(playwright, link, rest)
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

type CodeOutcome = { lastValue?: string | null; error?: string }

function failureOf(thrown: unknown): CodeOutcome {
  const { name, message, stack } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Partial<Error>
  const description = message ?? String(thrown)
  const text = name === undefined || name === 'Error' ? description : `${name}: ${description}`
  process.stderr.write(`${ownLines(stack) ?? text}\n`)
  process.exitCode = 1
  return { error: text }
}

function ownLines(stack: string | undefined): string | undefined {
  const lines = stack?.split('\n').filter((line) => !/^\s+at /.test(line) || line.includes('code.js:'))
  return lines?.join('\n')
}

/**
 * Flushes the output before reporting the outcome, because the other side ends this process once it has the outcome.
 */
async function finish(done: CodeOutcome): Promise<void> {
  const written = [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve)))
  await Promise.all(written)
  send({ done })
}

/** Returns a `require` that also accepts the names of Playwright. */
function requireWith(scope: Scope): unknown {
  const load = createRequire(import.meta.url)
  const names = /^(?:playwright(?:-core)?|@playwright\/test|patchright)$/
  return (name: string): unknown => (names.test(name) ? playwrightFor(scope) : load(name))
}

/**
 * Returns the module for code that loads Playwright by name: its launch and connect return the browser of the session.
 */
function playwrightFor({ browser, context }: Scope): object {
  const chromium: Partial<BrowserType> = {
    name: () => 'chromium',
    executablePath: () => '',
    launch: async () => browser,
    connect: async () => browser,
    connectOverCDP: async () => browser,
    launchPersistentContext: async () => context,
  }
  const { devices, errors, selectors, request } = playwright
  return { chromium, devices, errors, selectors, request }
}

/** Returns the last value as text: strings unchanged, bytes in base64, data as JSON, anything else as in a console. */
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

/** True for JSON data. API objects are inspected instead. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isData = prototype === Object.prototype || prototype === null || Array.isArray(value) || 'toJSON' in value
  return isData && !Object.values(value).some((each) => typeof each === 'function')
}
