import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createFrames, type Frames } from '../../../util/nul-frames.ts'
import { once } from '../../../util/lazy.ts'
import { type CommandCall, type CommandState, runCommand } from './agent-browser.ts'
import {
  type BrowserMessage,
  type ConnectOptions,
  connectPlaywright,
  createLink,
  loadPlaywright,
} from './connect-playwright.ts'
import { createObjects } from './objects.ts'

type ParentMessage = BrowserMessage & { job: ConnectOptions & { code?: string }; call: CommandCall }

/**
 * Holds Playwright, in the same sandbox, for code that is not JavaScript. File descriptor 3 carries the browser's messages, as
 * it does for Node code. Arguments: the file that has Playwright, and either the program that runs the code, whose calls this
 * process answers and with which it exits, or nothing: then it runs commands of agent-browser until the session ends.
 */
const [playwrightFile = '', program, ...args] = process.argv.slice(2)
const socket = new Socket({ fd: 3, readable: true, writable: true })
const { promise: job, resolve: begin } = Promise.withResolvers<ParentMessage['job']>()
const send: Frames['send'] = (message) => frames.send(message)
const link = createLink(send)
const code = program === undefined ? undefined : startCode(program, args)
const frames = createFrames<ParentMessage>(
  socket,
  { message: take, broken: () => process.exit(70) },
  Number.POSITIVE_INFINITY,
)
// Code that is running may still end by itself; this process exits with it.
const leave = () => (code ? code.end() : process.exit())
socket.on('end', leave).on('error', leave)
// The code is told of its own errors; those of what it does not wait for are nobody's.
process.on('unhandledRejection', () => {})

/** Playwright is loaded by the first call that needs it. */
const connect = once(async () => {
  const playwright = await loadPlaywright(playwrightFile)
  const { actionTimeoutMs, ...given } = await job
  // Starting has taken part of this time.
  const leftMs = Math.max(actionTimeoutMs / 2, actionTimeoutMs - performance.now())
  return { playwright, ...(await connectPlaywright(playwright, link, { ...given, actionTimeoutMs: leftMs })) }
})
const openState = once(async (): Promise<CommandState> => {
  const { page, context } = await connect()
  return { page, context, refs: [] }
})

function take({ cdp, file, job: received, call }: Partial<ParentMessage>): void {
  if (cdp) return link.receive({ cdp, ...(file !== undefined && { file }) })
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

  function hear({ done, request, path, returned, value, error }: Partial<CodeMessage>): void {
    if (done) send({ done })
    else if (request !== undefined) void answer({ request, path })
    else if (returned !== undefined && error !== undefined) calls[returned]?.reject(new Error(error))
    else if (returned !== undefined) calls[returned]?.resolve(value)
  }
  const own = createFrames<CodeMessage>(
    pipe,
    { message: hear, broken: () => process.exit(70) },
    Number.POSITIVE_INFINITY,
  )
  return { send: own.send, end: () => void pipe.end() }
}
