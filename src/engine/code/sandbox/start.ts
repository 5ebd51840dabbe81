import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Command } from './sandbox.ts'

/** Descriptors of every command: stdin is empty, 3 and 4 are sockets, and those from 5 on hold its inputs. */
const sockets = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const
export const firstInput = sockets.length

export function startCommand({ file, args, env, cwd, inputs = [] }: Command): ChildProcess {
  const child = spawn(file, args, {
    env,
    cwd,
    // Its own process group, so that killing it also kills its children.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: [...sockets, ...inputs.map(() => 'pipe' as const)],
  })
  for (const stream of child.stdio) stream?.on('error', () => {})
  inputs.forEach((bytes, index) => (child.stdio[firstInput + index] as Writable | null | undefined)?.end(bytes))
  return child
}

/** What a program prints; undefined when it fails or takes too long. */
export function outputOf(command: Command, timeoutMs: number): Promise<string | undefined> {
  const child = startCommand(command)
  const parts: Buffer[] = []
  const stdout = child.stdout as Readable
  stdout.on('data', (part: Buffer) => parts.push(part))
  child.stderr?.resume()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const end = (code: number | null) => {
      clearTimeout(timer)
      for (const stream of child.stdio) stream?.destroy()
      resolve(code === 0 ? Buffer.concat(parts).toString('utf8') : undefined)
    }
    child.once('error', () => end(null))
    child.once('exit', (code) => (stdout.readableEnded ? end(code) : stdout.once('close', () => end(code))))
  })
}
