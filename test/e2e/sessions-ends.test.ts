import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlive, processesBelow, until } from '../helpers/processes.ts'
import { runProgram, startProgram, tempDir, type Program } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { sessionIdIn } from '../helpers/tool-call.ts'
import { loginRoutes, startSessionServer } from './sessions-kit.ts'

const folder = tempDir()
let site: Site
let env: Record<string, string>
beforeAll(async () => {
  site = await startSite({ routes: loginRoutes })
  env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }
})
afterAll(async () => {
  await site.close()
  folder.remove()
})

const login = () => [
  { type: 'navigate', url: site.url('/sessions/account') },
  { type: 'click', target: 'button "Log in"' },
]
const isSaved = async (name: string) => {
  const options = JSON.stringify({ profile: { name, saveChanges: false } })
  return (await runProgram(['scrape', site.url('/sessions/account'), options], env)).stdout.includes('Hello Ada')
}

/** A program over stdio that answers calls of tools. */
function overStdio(program: Program) {
  let id = 0
  const send = (message: object) => program.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = async (method: string, params: object): Promise<string> => {
    const mine = ++id
    send({ id: mine, method, params })
    const line = () =>
      program
        .stdout()
        .split('\n')
        .find((each) => each.includes(`"id":${mine}`) && each.includes('"result"'))
    await until(() => line() !== undefined)
    return line() ?? ''
  }
  return {
    call: (name: string, args: object) => request('tools/call', { name, arguments: args }),
    /** A call whose answer is not awaited. */
    begin: (name: string, args: object) => send({ id: ++id, method: 'tools/call', params: { name, arguments: args } }),
    async initialize() {
      const clientInfo = { name: 'test', version: '1' }
      await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
      send({ method: 'notifications/initialized' })
    },
  }
}

const ends: [how: string, end: (program: Program) => void][] = [
  ['its client closes stdin', (program) => void program.child.stdin.end()],
  ['nobody reads its stdout any more', (program) => void program.child.stdout.destroy()],
]

describe('a program over stdio with running session code', { timeout: 120_000 }, () => {
  it.each(ends)('ends with its session when %s, and saves the profile', async (how, end) => {
    const program = startProgram([], env)
    const client = overStdio(program)
    await client.initialize()
    const opened = await client.call('browser_create', { profile: { name: how } })
    const sessionId = sessionIdIn(opened)
    expect(await client.call('browser_act', { sessionId, acts: login() })).toContain('Hello Ada')
    client.begin('browser_execute', { sessionId, code: 'for (;;);', timeout: 300 })
    client.begin('browser_snapshot', { sessionId })
    const below = processesBelow(program.child.pid ?? 0)
    expect(below.length).toBeGreaterThan(0)
    end(program)
    // A closed pipe is detected only by writing to it.
    if (how.includes('stdout')) client.begin('activity', { show: 'browsers' })
    expect(await program.exited).toMatchObject({ signal: null })
    await until(() => !below.some(isAlive))
    expect(await isSaved(how)).toBe(true)
  })
})

describe('a server with running session code', { timeout: 120_000 }, () => {
  it('ends with all sessions on SIGTERM, and saves their profiles', async () => {
    const server = await startSessionServer(env)
    const names = ['one', 'two']
    const sessions = await Promise.all(names.map((name) => server.open({ profile: { name } })))
    for (const session of sessions) expect(await session.act(login())).toMatchObject({ body: { ok: true } })
    const running = sessions.map((session) => session.run('for (;;);', { timeout: 300 }).catch(() => 'cut off'))
    const below = server.processes()
    server.program.kill('SIGTERM')
    expect(await server.program.exited).toMatchObject({ signal: null })
    await Promise.all(running)
    await until(() => !below.some(isAlive))
    for (const name of names) expect(await isSaved(name)).toBe(true)
    await server.stop()
  })
})
