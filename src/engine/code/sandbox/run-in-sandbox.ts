import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Language } from '../../../contracts/session-port.ts'

/** A readable file or folder of the machine, and its path in a sandbox with its own file system. */
export type Read = { path: string; as: string }

/** A program that runs code of one language, with its required files. */
export type Program = {
  language: Language
  file: string
  args: readonly string[]
  reads: readonly Read[]
  /** Libraries that the program loads from a path in its arguments. */
  loads?: readonly Read[]
  /** Maximum size of each written file, in blocks of 512 bytes; default: 64 MB. */
  maxFileBlocks?: number
  /** RLIMIT_DATA of each process in KB; default: 768 MB. */
  maxDataKb?: number
}

export type Command = {
  file: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** Contents of file descriptors 5, 6 and so on. */
  inputs?: readonly Uint8Array[]
}

export type Sandbox = {
  readonly name: 'bubblewrap' | 'deno' | 'permission' | 'none'
  /**
   * `strong`: enforced by the kernel or by a runtime designed for it. `weak`: protects against mistakes, but not
   * against an attacker.
   */
  readonly strength: 'strong' | 'weak'
  readonly about: string
  /** Added to each result of code in this sandbox. */
  readonly warning?: string
  pathOf(read: Read): string
  /** The JavaScript runtime to use instead of Node. */
  readonly runtime?: string
  /** Extra arguments of our child program. */
  readonly childArgs: readonly string[]
  command(program: Program): Command
}

/** Maximum JavaScript heap, MB. */
export const heapMb = 384

/** Returns all environment variables that code gets. */
export const cleanEnvironment = (home: string, path: string): Record<string, string> => ({
  PATH: path,
  HOME: home,
  TMPDIR: home,
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
})

/** Returns shell commands that limit each process; `watchTree` limits all of them together. */
export const limitsOf = ({ maxFileBlocks = 131_072, maxDataKb = 786_432 }: Program): string =>
  `ulimit -c 0; ulimit -f ${maxFileBlocks}; ulimit -n 256; ulimit -d ${maxDataKb}`

/** Descriptors of every command: stdin is empty, 3 and 4 are sockets, and 5 onwards contain its inputs. */
const sockets = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const
export const firstInput = sockets.length

export function startCommand({ file, args, env, cwd, inputs = [] }: Command): ChildProcess {
  const child = spawn(file, args, {
    env,
    cwd,
    // A separate process group, so killing it also kills its children.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: [...sockets, ...inputs.map(() => 'pipe' as const)],
  })
  for (const stream of child.stdio) stream?.on('error', () => {})
  inputs.forEach((bytes, index) => (child.stdio[firstInput + index] as Writable | null | undefined)?.end(bytes))
  return child
}

/** Returns the output of a program; undefined if it fails or takes too long. */
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
