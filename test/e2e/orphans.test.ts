import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { send as sendHttp } from '../helpers/api.ts'
import { isAlive, processesBelow, until } from '../helpers/processes.ts'
import { runProgram, startProgram, startServer, tempDir, type Program } from '../helpers/program.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { sessionIdIn } from '../helpers/tool-call.ts'
import { loginRoutes } from './sessions-kit.ts'

/**
 * Time to wait until nothing is left, longer than the program promises, because ending processes is slow on a busy machine.
 * The work itself would never end: the site never responds, and the code runs forever.
 */
const patience = { timeout: 20_000 }

const site = siteForAll({ routes: loginRoutes })

type Stdio = {
  program: Program
  sendCall(name: string, args: object): void
  call(name: string, args: object): Promise<string>
}

/** Returns the settings of a program with its own folder for data and temporary files. */
function within(folder: string): Record<string, string> {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  return {
    GOSSAMER_DATA_DIR: join(folder, 'data'),
    GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
    GOSSAMER_UNSANDBOXED_CODE: 'always',
    TMPDIR: temporary,
  }
}

async function connected(folder: string): Promise<Stdio> {
  const program = startProgram([], within(folder))
  let last = 0
  const send = (method: string, params: object) => {
    program.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params })}\n`)
    return last
  }
  const answer = async (id: number) => {
    const line = () =>
      program
        .stdout()
        .split('\n')
        .find((each) => each.includes(`"id":${id}`) && each.endsWith('}'))
    await until(() => line() !== undefined)
    return line() ?? ''
  }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  await answer(send('initialize', params))
  const sendCall = (name: string, args: object) => send('tools/call', { name, arguments: args })
  return { program, sendCall, call: async (name, args) => answer(sendCall(name, args)) }
}

const profile = { name: 'ada' }
const login = () => [
  { type: 'navigate', url: site.url('/sessions/account') },
  { type: 'click', target: 'button "Log in"' },
]
/** True if the profile of the session has the login. */
async function isSaved(folder: string): Promise<boolean> {
  const options = JSON.stringify({ profile: { ...profile, saveChanges: false } })
  const { stdout } = await runProgram(['scrape', site.url('/sessions/account'), options], within(folder))
  return stdout.includes('Hello Ada')
}

async function openSession({ call, program }: Stdio): Promise<string> {
  const sessionId = sessionIdIn(await call('browser_create', { profile }))
  expect(processesBelow(program.child.pid ?? 0)).not.toEqual([])
  expect(await call('browser_act', { sessionId, acts: login() })).toContain('Hello Ada')
  return sessionId
}

async function hanging(run: () => void): Promise<void> {
  const before = site.requests.length
  run()
  await until(() => site.requests.length > before)
}

/** Work in progress when the program ends. */
const states: Readonly<Record<string, (stdio: Stdio) => Promise<void>>> = {
  'has nothing to do': async ({ call }) => void (await call('activity', {})),
  'waits for a site': async ({ call, sendCall }) => {
    await call('scrape', { url: site.url('/article') })
    await hanging(() => sendCall('scrape', { url: site.url('/hang') }))
  },
  'keeps a browser open': async (stdio) => void (await openSession(stdio)),
  'runs code beside a browser that waits for a site': async (stdio) => {
    const sessionId = await openSession(stdio)
    await hanging(() => {
      stdio.sendCall('scrape', { url: site.url('/hang'), waitFor: 1 })
      stdio.sendCall('browser_execute', { sessionId, code: 'for (;;);' })
    })
  },
}

const ends: Readonly<Record<string, (program: Program) => void>> = {
  'its stdin ends': ({ child }) => void child.stdin.end(),
  'it gets SIGTERM': ({ kill }) => kill('SIGTERM'),
  'it gets SIGKILL': ({ kill }) => kill('SIGKILL'),
  'nobody reads its stdout': ({ child }) => {
    child.stdout.destroy()
    for (const id of [98, 99]) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`)
  },
}

const read = (path: string) => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Returns the running processes that were seen below the program, and others whose command line contains its folder. */
const leftOf = (folder: string, seen: readonly number[]) =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && isAlive(pid))
    .filter(
      (pid) => seen.includes(pid) || ['environ', 'cmdline'].some((of) => read(`/proc/${pid}/${of}`).includes(folder)),
    )
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200))

// Folder of Node for compiled code.
const leftFiles = (folder: string) => readdirSync(join(folder, 'tmp')).filter((name) => name !== 'node-compile-cache')

/** Covers each state and each kind of end; code with a browser can leave most processes. */
const deaths: readonly [state: keyof typeof states, end: keyof typeof ends][] = [
  ['has nothing to do', 'it gets SIGKILL'],
  ['waits for a site', 'it gets SIGTERM'],
  ['keeps a browser open', 'nobody reads its stdout'],
  ['runs code beside a browser that waits for a site', 'its stdin ends'],
  ['runs code beside a browser that waits for a site', 'it gets SIGKILL'],
]

test.each(deaths)(
  'a program that %s saves its profile if it can, and leaves nothing behind when %s',
  async (state, how) => {
    const folder = tempDir()
    onTestFinished(folder.remove)
    const stdio = await connected(folder.path)
    const { child } = stdio.program
    await states[state]!(stdio)
    const seen = [child.pid ?? 0, ...processesBelow(child.pid ?? 0)]
    ends[how]!(stdio.program)
    await expect.poll(() => leftOf(folder.path, seen), patience).toEqual([])
    if (/browser/.test(state) && how !== 'it gets SIGKILL') expect(await isSaved(folder.path)).toBe(true)
    if (how === 'it gets SIGKILL') {
      const next = await connected(folder.path)
      await next.call('activity', {})
      await expect.poll(() => leftFiles(folder.path)).toEqual([])
      next.program.child.stdin.end()
      await next.program.exited
    }
    expect(leftFiles(folder.path)).toEqual([])
  },
)

test('a server that is stopped during browser, code and scrape calls saves the profile and leaves no process behind', async () => {
  const folder = tempDir()
  onTestFinished(folder.remove)
  const { url, program } = await startServer(within(folder.path))
  const post = (path: string, body: object) => sendHttp(url + path, { body })
  const { id } = (await (await post('/v2/browser', { profile })).json()) as { id: string }
  expect((await post(`/v2/browser/${id}/act`, { acts: login() })).status).toBe(200)
  void post(`/v2/browser/${id}/execute`, { code: 'for (;;);', timeout: 300 }).catch(() => undefined)
  await hanging(() => void post('/v2/scrape', { url: site.url('/hang'), waitFor: 1 }).catch(() => undefined))
  const pid = program.child.pid ?? 0
  const seen = [pid, ...processesBelow(pid)]
  expect(seen.length).toBeGreaterThan(1)
  program.kill('SIGTERM')
  await expect.poll(() => leftOf(folder.path, seen), patience).toEqual([])
  expect(leftFiles(folder.path)).toEqual([])
  expect(await isSaved(folder.path)).toBe(true)
})
