import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isAlive, memoryOf, until } from '../helpers/processes.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'
import { loginRoutes, startSessionServer, type LiveSession, type SessionServer } from './sessions-kit.ts'

/** Number of sessions that die; a longer run is requested by hand. */
// oxlint-disable-next-line node/no-process-env -- set by hand for a longer run
const count = Number(process.env['GOSSAMER_TEST_DEATHS'] ?? 6)
const mayGrowBytes = 64 * 1024 * 1024
const mayGrowFiles = 8

const folder = folderForAll()
let server: SessionServer
let env: Record<string, string>
const site = siteForAll({ routes: loginRoutes })
beforeAll(async () => {
  env = {
    GOSSAMER_DATA_DIR: join(folder.path, 'data'),
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_MAX_SESSIONS: '1',
  }
  server = await startSessionServer(env)
})
afterAll(() => server?.stop())

/** All sessions save to the same profile, so a lock left behind would block the next one. */
const options = { profile: { name: 'mortal' }, ttl: 300 }
const locks = () =>
  (readdirSync(join(folder.path, 'data', 'profiles'), { recursive: true }) as string[]).filter((name) =>
    name.endsWith('.lock'),
  )
/** Kills a process, unless it has ended in the meantime. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
const aMoment = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 500))

async function opened(): Promise<LiveSession> {
  const session = await server.open(options)
  const { ok, text } = (await session.go(site.url('/sessions/plain'))).body
  expect({ ok, text }).toEqual({ ok: true, text: expect.stringContaining('Plain page') })
  return session
}

/** Code that runs forever. */
async function running(session: LiveSession) {
  const before = new Set(server.processes('code'))
  const answer = session.run('for (;;);', { timeout: 300 }).catch(() => ({ status: 0, body: {} }))
  await aMoment()
  return { answer, started: server.processes('code').filter((pid) => !before.has(pid)) }
}

const deaths: Record<string, () => Promise<void>> = {
  async 'is closed while code runs'() {
    const session = await opened()
    const { answer } = await running(session)
    expect(await session.close()).toMatchObject({ status: 200 })
    expect(await answer).toMatchObject({ status: 410 })
  },
  async 'loses its browser while code runs'() {
    const session = await opened()
    const { answer } = await running(session)
    server.killBrowser()
    expect(await answer).toMatchObject({ status: 410 })
    expect(await session.close()).toMatchObject({ status: 200 })
  },
  async 'loses its pages'() {
    const session = await opened()
    server.processes('page').forEach(kill)
    expect(await session.look()).toMatchObject({ status: 502, body: { code: 'SESSION_FAILED' } })
    expect(await session.state()).toMatchObject({ status: 200 })
    expect(await session.close()).toMatchObject({ status: 200 })
  },
  async 'loses the process of its code'() {
    const session = await opened()
    const answer = session.run('for (;;);', { timeout: 300 })
    await aMoment()
    const settled = answer.then(() => true)
    const killed = new Set<number>()
    // The next process is already waiting for code, and one of them runs it.
    while (!(await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 100, false))])))
      for (const pid of server.processes('code').filter(isAlive)) {
        kill(pid)
        killed.add(pid)
      }
    // The server replaces a waiting process after its exit was reported.
    await until(() => ![...killed].some((pid) => existsSync(`/proc/${pid}`)))
    expect(await answer).toMatchObject({ status: 200, body: { success: true, exitCode: null } })
    expect(await session.run('6 * 7')).toMatchObject({ status: 200, body: { result: '42' } })
    expect(await session.close()).toMatchObject({ status: 200 })
  },
  async 'loses its browser while it opens'() {
    const opening = server.call('POST /v2/browser', options)
    await until(() => server.processes('browser').length > 0)
    await aMoment()
    server.processes('browser').forEach((pid) => isAlive(pid) && kill(pid))
    const { status, body } = await opening
    if (status === 200) await server.call(`DELETE /v2/browser/${String(body['id'])}`)
    else expect(status).toBeGreaterThanOrEqual(500)
  },
  async 'is left by its caller while it opens'() {
    const leaving = new AbortController()
    const opening = server.call('POST /v2/browser', options, { signal: leaving.signal }).catch(() => undefined)
    await until(() => server.processes('browser').length > 0)
    leaving.abort()
    await opening
  },
}
const ways = Object.entries(deaths)

const left = (way: string) => () => ({ way, processes: server.processes(), files: server.leftFiles(), locks: locks() })

async function serverDies(): Promise<void> {
  const { answer } = await running(await opened())
  const below = server.processes()
  server.program.kill('SIGKILL')
  await answer
  await until(() => !below.some(isAlive))
  await server.stop()
  server = await startSessionServer(env)
}

const held = () => ({ bytes: memoryOf(server.pid), files: readdirSync(`/proc/${server.pid}/fd`).length })
/** After its first session a server holds what it will ever need. */
function expectNoMoreThan(first: ReturnType<typeof held>): void {
  const now = held()
  expect(now.files).toBeLessThanOrEqual(first.files + mayGrowFiles)
  expect(now.bytes).toBeLessThan(first.bytes + mayGrowBytes)
}

it(`${count} sessions killed in every way leave nothing behind`, { timeout: count * 60_000 }, async () => {
  const life = Math.ceil(count / 3)
  let first: ReturnType<typeof held> | undefined
  for (let round = 0; round < count; round++) {
    const [way, die] = ways[round % ways.length]!
    await die()
    await expect.poll(left(way)).toEqual({ way, processes: [], files: [], locks: [] })
    first ??= held()
    if (round % life !== life - 1) continue
    expectNoMoreThan(first)
    first = undefined
    await serverDies()
  }
  await (await opened()).close()
  expect(locks()).toEqual([])
  // Sessions of dead servers have ended, or are listed for up to a minute as those of another server.
  const { sessions } = (await server.call('GET /v2/browser?status=active')).body as { sessions: object[] }
  for (const each of sessions) expect(each).not.toHaveProperty('cdpUrl')
})
