import { spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { cleanEnvironment } from '../sandbox/sandbox.ts'

/** One command of agent-browser. */
export type CommandCall = { id: number; args: readonly string[]; input: string }
export type CommandResult = {
  id: number
  exitCode: number
  stdout: string
  stderr: string
  /** What it has written, for whoever called: files here are seen by nobody else. */
  file?: { path: string; base64: string }
}

const home = '/tmp'
const written = join(home, 'written')
/** A picture has its path here, since that of the caller may lead nowhere. */
const writing = new Set(['screenshot', 'pdf'])
const isPath = (word: string) => !word.startsWith('-') && /^\.{0,2}\/|\.(?:png|jpe?g|webp|pdf)$/i.test(word)

/** Runs the program with the browser of the bridge; its daemon stays as long as this sandbox. */
export async function runCommand(program: string, endpoint: string, call: CommandCall): Promise<CommandResult> {
  const { id, args } = call
  const name = args.find((word) => !word.startsWith('-')) ?? ''
  const at = writing.has(name) ? args.findLastIndex(isPath) : -1
  const path = args[at]
  const own = path === undefined ? undefined : `${written}${id}${extname(path)}`
  const asked = { ...call, args: own === undefined ? args : args.with(at, own) }
  const { stdout, stderr, exitCode } = await ended(program, asked, environment(endpoint))
  const said = (text: string) => (own === undefined ? text : text.replaceAll(own, path!))
  const file = path === undefined ? fileIn(stdout) : takeFile(own!, path)
  return { id, exitCode, stdout: said(stdout), stderr: said(stderr), ...(file && { file }) }
}

const environment = (endpoint: string) => ({
  ...cleanEnvironment(home, '/usr/bin:/bin'),
  AGENT_BROWSER_CDP: endpoint,
  AGENT_BROWSER_SESSION: 'session',
  AGENT_BROWSER_SOCKET_DIR: join(home, '.agent-browser-sockets'),
  AGENT_BROWSER_SCREENSHOT_DIR: home,
  AGENT_BROWSER_IDLE_TIMEOUT_MS: '0',
  AGENT_BROWSER_NO_VERSION_CHECK: '1',
  NO_COLOR: '1',
})

function ended(file: string, { args, input }: CommandCall, env: Record<string, string>) {
  return new Promise<{ stdout: string; stderr: string; exitCode: number }>((done) => {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: home, env })
    child.stdin.on('error', () => {}).end(input)
    const [stdout, stderr] = [child.stdout, child.stderr].map(textOf)
    child.on('error', () => {})
    child.on('close', (code) => done({ stdout: stdout!(), stderr: stderr!(), exitCode: code ?? 1 }))
  })
}

function textOf(stream: Readable): () => string {
  const parts: Buffer[] = []
  stream.on('data', (chunk: Buffer) => parts.push(chunk))
  return () => Buffer.concat(parts).toString('utf8')
}

/** Told no path, the program makes one up and says so. */
const fileIn = (stdout: string) => {
  const [path] = /\/tmp\/screenshot-[\w-]+\.\w+/.exec(stdout) ?? []
  return path === undefined ? undefined : takeFile(path, path)
}

function takeFile(own: string, path: string): CommandResult['file'] {
  if (!statSync(own, { throwIfNoEntry: false })?.isFile()) return undefined
  const base64 = readFileSync(own).toString('base64')
  rmSync(own)
  return { path, base64 }
}
