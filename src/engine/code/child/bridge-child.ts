import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createFrames, type Frames } from '../frames.ts'
import { listenForCdp, type Relayed } from './cdp-bridge.ts'
import { type CommandCall, runCommand } from './run-command.ts'

type Code = { begin(job: object): void; end(): void }

/** The program that runs the code, in our place: what it prints is printed, and as it ends this process ends. */
function startCode(file: string, args: readonly string[], done: (how: unknown) => void): Code {
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  const socket = child.stdio[3] as Duplex
  socket.on('error', () => {})
  child.on('error', () => process.exit(127))
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
  const hearer = { message: (told: Record<string, unknown>) => done(told['done']), broken: () => process.exit(70) }
  const frames = createFrames(socket, hearer, Number.POSITIVE_INFINITY)
  return { begin: (job) => frames.send({ job }), end: () => socket.end() }
}

/**
 * Gives programs that know a browser by its address the one behind file descriptor 3. Arguments: `code` and a program, which is
 * started at once and ends this process with its own end; or `commands` and a program, which is started for each call that comes.
 */
const [mode, file = '', ...args] = process.argv.slice(2)
const socket = new Socket({ fd: 3, readable: true, writable: true })
let firstPage: string | undefined
const send: Frames['send'] = (told) => frames.send(told)
const code = mode === 'code' ? startCode(file, args, (done) => send({ done })) : undefined
const bridge = await listenForCdp(send, () => firstPage)
// What has come meanwhile waits in the socket.
const frames = createFrames(socket, { message: take, broken: () => process.exit(70) }, Number.POSITIVE_INFINITY)
socket.on('end', leave).on('error', leave)

function take(told: Record<string, unknown>): void {
  if ('client' in told) return bridge.hear(told as Relayed)
  if ('job' in told) return code?.begin({ ...(told['job'] as object), endpoint: bridge.endpoint })
  const { pageId, ...call } = told['call'] as CommandCall & { pageId?: string }
  firstPage = pageId
  void runCommand(file, bridge.endpoint, call).then((ran) => send({ ran }))
}

/** Code is let come to its end, which is ours. */
function leave(): void {
  if (code) code.end()
  else process.exit()
}
