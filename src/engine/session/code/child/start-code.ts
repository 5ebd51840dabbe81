import { spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { createFrames } from '../frames.ts'

type Code = { begin(job: object): void; end(): void }

/** The program that runs the code, in our place: what it prints is printed, and as it ends this process ends. */
export function startCode(file: string, args: readonly string[], done: (how: unknown) => void): Code {
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  const socket = child.stdio[3] as Duplex
  socket.on('error', () => {})
  child.on('error', () => process.exit(127))
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
  const hearer = { message: (told: Record<string, unknown>) => done(told['done']), broken: () => process.exit(70) }
  const frames = createFrames(socket, hearer, Number.POSITIVE_INFINITY)
  return { begin: (job) => frames.send({ job }), end: () => socket.end() }
}
