import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort, reportPdf } from './stand-in.ts'

export type Outcome = { code: number; output: string; faults: string; line: number }
export type Sandbox = { run(script: string): Promise<Outcome>; end(): void }
export type Place = {
  root: string
  /** Folder of programs that take precedence over those installed. */
  programs: string
  /** Working directory of the commands; a new folder by default. */
  cwd?: string
  standIn: string
  curl: string
}

const timeoutMs = 180_000
const servedPort = '3002'

/** Runs the commands of related pages with a separate home, data and ports, and a stand-in for example.com. */
export async function openSandbox(place: Place): Promise<Sandbox> {
  const home = mkdtempSync(join(tmpdir(), 'gossamer-docs-home-'))
  const ports = new Map([[servedPort, await freePort()]])
  const cwd = place.cwd ?? join(home, 'work')
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'report.pdf'), await reportPdf())
  const env = environment(place, home, ports.get(servedPort) ?? 0)
  let isServed = false
  return {
    run: async (script) => {
      // Pages about the API assume a running server.
      const serves = script.includes('gossamer serve')
      if (!isServed && !serves && /(?:localhost|127\.0\.0\.1):3002|\$GOSSAMER_URL/.test(script)) {
        isServed = true
        await runBash('gossamer serve', cwd, env)
      }
      isServed ||= serves
      for (const [port] of script.matchAll(portPattern)) if (!ports.has(port)) ports.set(port, await freePort())
      return runBash(here(script, place, ports), cwd, env)
    },
    end: () => {
      const servers = join(home, 'servers')
      if (existsSync(servers))
        for (const pid of readFileSync(servers, 'utf8').split('\n').filter(Boolean)) stop(Number(pid))
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

const portPattern = /(?<=(?:localhost|127\.0\.0\.1):|--port[ =])\d{4,5}/g
const exampleOrigin = /https:\/\/(?:[\w-]+\.)*example\.(?:com|net|org)/g

/** Adapts a command to the local ports, stand-in and checkout. */
function here(script: string, { standIn, root }: Place, ports: ReadonlyMap<string, number>): string {
  return script
    .replace(portPattern, (port) => String(ports.get(port) ?? port))
    .replaceAll(exampleOrigin, standIn)
    .replaceAll('/path/to/gossamer', root)
}

function environment({ root, programs, standIn, curl }: Place, home: string, port: number): NodeJS.ProcessEnv {
  const { PATH = '', LANG = 'C.UTF-8' } = process.env
  return {
    PATH: [programs, dirname(process.execPath), PATH].join(delimiter),
    LANG,
    HOME: home,
    SHOP_PASSWORD: 'a password',
    DOCS_CHECK_ROOT: root,
    DOCS_CHECK_SERVERS: join(home, 'servers'),
    DOCS_CHECK_CURL: curl,
    GOSSAMER_URL: `http://127.0.0.1:${port}`,
    GOSSAMER_API_KEY: 'none',
    GOSSAMER_PORT: String(port),
    GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
    GOSSAMER_SEARXNG_URL: standIn,
    GOSSAMER_SEARCH_PROVIDERS: 'searxng',
    npm_config_prefix: join(home, 'npm'),
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
}

/** Stops at the first failing command. Commands are traced, to get the line of the failure. */
async function runBash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  // Bash ignores PS4 from the environment when run as root.
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', `PS4='+$LINENO '; set -x; ${script}`], {
    cwd,
    env: { ...env, BASH_XTRACEFD: '3' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), timeoutMs)
  const trace = child.stdio[3] as NodeJS.ReadableStream
  const [output, faults, traced, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    text(trace),
    once(child, 'close'),
  ])
  clearTimeout(timer)
  const lines = [...traced.matchAll(/^\++(\d+) /gm)].map(([, line]) => Number(line))
  return { code: Number(code ?? 137), output, faults, line: lines.at(-1) ?? 1 }
}

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // Already exited.
  }
}
