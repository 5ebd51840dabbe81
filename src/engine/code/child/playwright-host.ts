import { spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { createFrames } from '../../../util/nul-frames.ts'
import { once } from '../../../util/async.ts'
import { type CommandCall, type CommandState, runCommand } from './agent-browser.ts'
import { type ConnectOptions, connectPlaywright, loadPlaywright, openLink } from './connect-playwright.ts'
import { EventEmitter } from 'node:events'
import { compileFunction } from 'node:vm'

/**
 * Call of another process on objects of Playwright: a path that starts at an object which that process has received.
 */
type CallPath = readonly (
  | readonly ['object', string]
  | readonly ['get', string]
  | readonly ['call', string, readonly unknown[]]
)[]
type Callable = (...given: unknown[]) => unknown
type Members = Record<string, unknown>

type Objects = {
  follow(path: unknown): Promise<unknown>
}

/** Maximum number of objects; each is kept until the code ends. */
const maxObjects = 20_000

/** `callBack` calls a function of the other process by its number. */
function createObjects(
  roots: Readonly<Record<string, object>>,
  callBack: (number: number, given: readonly unknown[]) => Promise<unknown>,
): Objects {
  const known = new Map<string, object>(Object.entries(roots))
  const ids = new Map<object, string>(Object.entries(roots).map(([id, object]) => [object, id]))
  const callbacks = new Map<number, Callable>()

  function encode(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return plain(value)
    if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
    if (value instanceof Error) return value.message
    if (value instanceof Date) return value.toISOString()
    if (Array.isArray(value)) return value.map(encode)
    if (!isOfPlaywright(value))
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encode(each)]))
    if (known.size > maxObjects) throw new Error('The code holds too many objects of the page.')
    const id = ids.get(value) ?? `o${ids.size}`
    ids.set(value, id)
    known.set(id, value)
    return { $object: id, properties: propertiesOf(value) }
  }

  async function decode(value: unknown): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return Promise.all(value.map(decode))
    const given = value as Members
    if ('$regular' in given) return new RegExp(String(given['$regular']), String(given['flags']))
    if ('$bytes' in given) return Buffer.from(String(given['$bytes']), 'base64')
    if ('$path' in given) return reach(given['$path'])
    if ('$callback' in given) return callbackOf(Number(given['$callback']))
    const pairs = Object.entries(given).map(async ([key, each]) => [key, await decode(each)] as const)
    return Object.fromEntries(await Promise.all(pairs))
  }

  /** Returns the same function for the same number, so a listener can be removed. */
  function callbackOf(number: number): Callable {
    const made = callbacks.get(number) ?? (async (...given) => decode(await callBack(number, given.map(encode))))
    callbacks.set(number, made)
    return made
  }

  async function reach(path: unknown): Promise<unknown> {
    let at: unknown
    for (const [kind, name, given] of path as CallPath) {
      if (kind === 'object') at = known.get(name)
      else {
        const member = memberOf(at, name)
        const values = kind === 'call' ? ((await decode(given)) as unknown[]) : []
        const script = kind === 'call' ? scriptAt[name] : undefined
        if (script !== undefined) values[script] = calledInPage(values[script])
        if (kind === 'call' && typeof member !== 'function') throw new Error(`'${name}' is not callable`)
        at = await (typeof member === 'function' ? (Reflect.apply(member as Callable, at, values) as unknown) : member)
      }
    }
    return at
  }

  return { follow: async (path) => encode(await reach(path)) }
}

function memberOf(object: unknown, name: string): unknown {
  const isMember =
    typeof object === 'object' &&
    object !== null &&
    isOfPlaywright(object) &&
    !name.startsWith('_') &&
    name in object &&
    !(name in Object.prototype)
  if (!isMember) throw new Error(`'${name}' is not there`)
  return (object as Members)[name]
}

/** True for an object of a class that is not built into JavaScript or Node, except for event emitters. */
function isOfPlaywright(value: object): boolean {
  const creator: unknown = (Object.getPrototypeOf(value) as { constructor?: unknown } | null)?.constructor
  const isOurs = typeof creator === 'function' && !Function.prototype.toString.call(creator).includes('[native code]')
  return isOurs && !(value instanceof EventEmitter)
}

/** Index of the script argument of these methods. */
const scriptAt: Readonly<Record<string, number | undefined>> = {
  evaluate: 0,
  evaluateAll: 0,
  evaluateHandle: 0,
  waitForFunction: 0,
  $eval: 1,
  $$eval: 1,
}

/**
 * Other languages send functions as text. If the text is an expression that yields a function, the page calls it;
 * statements remain unchanged.
 */
function calledInPage(script: unknown): unknown {
  if (typeof script !== 'string') return script
  try {
    compileFunction(`return (${script}\n)`)
  } catch {
    return script
  }
  const text = `(...given) => { const it = (${script}\n); return typeof it === 'function' ? it(...given) : it }`
  return Object.assign(() => {}, { toString: () => text })
}

/** Attributes in Python that are functions without arguments in JavaScript. */
const properties = (
  'args backgroundPages browser browserType childFrames clock context contexts coverage defaultValue devices element ' +
  'error failure first frames fromServiceWorker headers keyboard last location mainFrame message method mouse name ok ' +
  'owner page pages parentFrame postData postDataBuffer postDataJSON redirectedFrom redirectedTo request resourceType ' +
  'serviceWorker serviceWorkers status statusText suggestedFilename timing touchscreen tracing url version video ' +
  'viewportSize workers'
).split(' ')
/** Names that are attributes only in classes that also have the other name; in other classes they are methods. */
const dependent: readonly (readonly [name: string, other: string])[] = [
  ['contentFrame', 'nth'],
  ['frame', 'headers'],
  ['text', 'args'],
  ['type', 'args'],
  ['type', 'dismiss'],
]

const propertiesOf = (value: object): string[] => [
  ...properties.filter((name) => name in value),
  ...dependent.filter(([name, other]) => name in value && other in value).map(([name]) => name),
]

/** Encodes numbers that JSON lacks, and replaces values that cannot be sent by null. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    return { $number: String(value) }
  return typeof value === 'function' || typeof value === 'symbol' ? null : (value ?? null)
}

type ParentMessage = { job: ConnectOptions & { code?: string }; call: CommandCall }

/*
 * Runs Playwright, in the same sandbox, for code that is not JavaScript. File descriptor 3 carries the browser's
 * messages, as for Node code. Arguments: the file with Playwright, and optionally the program that runs the code. With
 * a program, this process answers its calls and exits with it; otherwise it runs agent-browser commands until the
 * session ends.
 */
const [playwrightFile = '', program, ...args] = process.argv.slice(2)
const { promise: job, resolve: begin } = Promise.withResolvers<ParentMessage['job']>()
// Code that still runs may end normally, and this process exits with it.
const { link, send } = openLink<ParentMessage>(take, () => (code ? code.end() : process.exit()))
const code = program === undefined ? undefined : startCode(program, args)
// The code receives its own errors; rejections of calls that it does not await are ignored.
process.on('unhandledRejection', () => {})

/** The first call that needs Playwright loads it. */
const connect = once(async () => {
  const playwright = await loadPlaywright(playwrightFile)
  const { actionTimeoutMs, ...given } = await job
  // Starting this process has used part of the time limit.
  const leftMs = Math.max(actionTimeoutMs / 2, actionTimeoutMs - performance.now())
  return { playwright, ...(await connectPlaywright(playwright, link, { ...given, actionTimeoutMs: leftMs })) }
})
const openState = once(async (): Promise<CommandState> => {
  const { page, context } = await connect()
  return { page, context, refs: [] }
})

function take({ job: received, call }: Partial<ParentMessage>): void {
  if (received) {
    begin(received)
    code?.send({ job: { code: received.code } })
  }
  if (call) void runCall(call).then((ran) => send({ ran }))
}

async function runCall({ id, args: given, input, timeoutMs }: CommandCall) {
  const state = await openState()
  state.context.setDefaultTimeout(timeoutMs)
  return { id, ...(await runCommand(state, given, input)) }
}

type ObjectRequest = { request: number; path: unknown }
type CodeMessage = ObjectRequest & { done: object; returned: number; value: unknown; error: string }

function startCode(file: string, given: readonly string[]) {
  const child = spawn(file, given, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  const pipe = child.stdio[3] as Duplex
  pipe.on('error', () => {})
  child.on('error', () => process.exit(127))
  child.on('exit', (exitCode, signal) => (signal ? process.kill(process.pid, signal) : process.exit(exitCode ?? 1)))
  const calls: PromiseWithResolvers<unknown>[] = []

  function callBack(callback: number, values: readonly unknown[]): Promise<unknown> {
    const call = Promise.withResolvers<unknown>()
    own.send({ callback, call: calls.push(call) - 1, arguments: values })
    return call.promise
  }
  const objects = once(async () => {
    const { playwright, page, context, browser } = await connect()
    return createObjects({ playwright, page, context, browser }, callBack)
  })

  async function answer({ request, path }: ObjectRequest): Promise<void> {
    try {
      own.send({ response: request, value: await (await objects()).follow(path) })
    } catch (thrown) {
      const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown))
      own.send({ response: request, error: { name, message } })
    }
  }

  function receive({ done, request, path, returned, value, error }: Partial<CodeMessage>): void {
    if (done) send({ done })
    else if (request !== undefined) void answer({ request, path })
    else if (returned !== undefined && error !== undefined) calls[returned]?.reject(new Error(error))
    else if (returned !== undefined) calls[returned]?.resolve(value)
  }
  const own = createFrames<CodeMessage>(
    pipe,
    { message: receive, broken: () => process.exit(70) },
    Number.POSITIVE_INFINITY,
  )
  return { send: own.send, end: () => void pipe.end() }
}
