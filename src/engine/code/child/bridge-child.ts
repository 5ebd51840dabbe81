import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createFrames, type Frames } from '../frames.ts'
import { listenForCdp, type Relayed } from './cdp-bridge.ts'
import { type CommandCall, runCommand } from './run-command.ts'

/** Messages from the process that holds the browser. */
type ParentMessage = Relayed & { job: object; call: CommandCall & { pageId?: string } }
type Code = { begin(job: object): void; end(): void }

/** Starts the program that runs the code; its output is ours, and this process exits as it does. */
function startCode(file: string, args: readonly string[], done: (how: unknown) => void): Code {
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  const socket = child.stdio[3] as Duplex
  socket.on('error', () => {})
  child.on('error', () => process.exit(127))
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
  const handlers = { message: ({ done: how }: { done?: unknown }) => done(how), broken: () => process.exit(70) }
  const frames = createFrames<{ done: unknown }>(socket, handlers, Number.POSITIVE_INFINITY)
  return { begin: (job) => frames.send({ job }), end: () => socket.end() }
}

/**
 * Serves the browser behind file descriptor 3 at a CDP URL, for programs that connect to one. Arguments: `code` and a program
 * to start at once, with which this process exits; or `commands` and a program to start for each call.
 */
const [mode, file = '', ...args] = process.argv.slice(2)
const socket = new Socket({ fd: 3, readable: true, writable: true })
let firstPage: string | undefined
const send: Frames['send'] = (message) => frames.send(message)
const code = mode === 'code' ? startCode(file, args, (done) => send({ done })) : undefined
const bridge = await listenForCdp(send, () => firstPage)
// Messages that arrived meanwhile wait in the socket.
const frames = createFrames<ParentMessage>(
  socket,
  { message: take, broken: () => process.exit(70) },
  Number.POSITIVE_INFINITY,
)
socket.on('end', leave).on('error', leave)

function take({ client, cdp, job, call: received }: Partial<ParentMessage>): void {
  if (client !== undefined) return bridge.hear({ client, ...(cdp && { cdp }) })
  if (job) return code?.begin({ ...job, endpoint: bridge.endpoint })
  if (!received) return
  const { pageId, ...call } = received
  firstPage = pageId
  void runCommand(file, bridge.endpoint, call).then((ran) => send({ ran }))
}

/** Lets running code finish; this process exits with it. */
function leave(): void {
  if (code) code.end()
  else process.exit()
}
