import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const bin = join(import.meta.dirname, '../../bin/gossamer.cjs')

export function tempDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'gossamer-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Folder of the browser installed by npm for tests; `setup` in build.ts unpacks it there. */
export const browserFolder = join(tmpdir(), `gossamer-test-browser-${process.getuid?.() ?? ''}`)

/** Links the unpacked browser into a data folder, because unpacking it for each server takes seconds and 210 MB. */
function shareBrowser(dataDir: string): void {
  const unpacked = existsSync(browserFolder) ? readdirSync(browserFolder) : []
  for (const name of unpacked.filter((each) => each.startsWith('chromium-'))) {
    const link = join(dataDir, 'browser', name)
    try {
      mkdirSync(join(dataDir, 'browser'), { recursive: true, mode: 0o700 })
      symlinkSync(join(browserFolder, name), link)
    } catch {
      // The folder already contains the browser, or is not writable.
    }
  }
}

/** Returns the environment of a program under test, without settings of this machine. */
export function cleanEnv(more: Record<string, string> = {}): Record<string, string> {
  const dataDir = more['GOSSAMER_DATA_DIR']
  if (dataDir !== undefined && dataDir !== 'memory') shareBrowser(dataDir)
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), ...more }
}

export type Program = {
  child: ChildProcessWithoutNullStreams
  stdout(): string
  stderr(): string
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Resolves when the text appears on stderr; rejects if the program exits before. */
  waitForStderr(text: RegExp): Promise<RegExpExecArray>
  kill(signal?: NodeJS.Signals): void
}

/** Starts the built program. */
export function startProgram(args: readonly string[], env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [bin, ...args], { env: cleanEnv(env) })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  child.stdin.on('error', () => {})
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  const waitForStderr = (text: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = text.exec(err)
        if (found) resolve(found)
      }
      child.stderr.on('data', look)
      look()
      void exited.then(() => reject(new Error(`the program ended without saying ${text}: ${err}`)))
    })
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    exited,
    waitForStderr,
    kill: (signal) => void child.kill(signal),
  }
}

/** Runs the program until it exits, with the given input. */
export async function runProgram(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const program = startProgram(args, env)
  program.child.stdin.end(input)
  const { code } = await program.exited
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

export type Server = { url: string; program: Program; stop(): Promise<void> }

/** Starts `gossamer serve` on a free port. */
export async function startServer(env: Record<string, string>): Promise<Server> {
  const program = startProgram(['serve', '--port', '0'], env)
  const [, url = ''] = await program.waitForStderr(/listens on (http:\S+)/)
  return {
    url,
    program,
    stop: async () => {
      program.kill('SIGTERM')
      await program.exited
    },
  }
}
