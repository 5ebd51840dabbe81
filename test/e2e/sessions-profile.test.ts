import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderForAll, forAll, siteForAll } from '../helpers/for-all.ts'
import { loginRoutes, serverForTest, startSessionServer, type LiveSession } from './sessions-kit.ts'

const folder = folderForAll()
const site = siteForAll({ routes: loginRoutes })
const env = forAll(() => ({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }))
const server = forAll(() => startSessionServer(env))

const saver = (name: string) => ({ profile: { name } })
const reader = (name: string) => ({ profile: { name, saveChanges: false } })
const logIn = async (session: LiveSession) => {
  const acts = [
    { type: 'navigate', url: site.url('/sessions/account') },
    { type: 'click', target: 'button "Log in"' },
    { type: 'click', target: 'button "Dark"' },
  ]
  expect(await session.act(acts)).toMatchObject({ body: { ok: true, text: expect.stringContaining('Theme: dark') } })
}
const seenBy = async (session: LiveSession) => (await session.go(site.url('/sessions/account'))).body['text']
const scraped = async (options: object) => {
  const { body } = await server.call('POST /v2/scrape', { url: site.url('/sessions/account'), waitFor: 1, ...options })
  return (body['data'] as { markdown: string }).markdown
}
const locks = () =>
  (readdirSync(join(folder.path, 'profiles'), { recursive: true }) as string[]).filter((name) => name.includes('lock'))

describe('a profile', () => {
  it('saves changes of a session for scrapes and later sessions', async () => {
    const first = await server.open(saver('kept'))
    await logIn(first)
    expect(await scraped(reader('kept'))).toContain('Who are you?')
    await first.close()
    expect(await scraped(reader('kept'))).toMatch(/Hello Ada[^]*Theme: dark/)
    const second = await server.open(reader('kept'))
    expect(await seenBy(second)).toMatch(/Hello Ada[^]*Theme: dark/)
    await second.close()
    expect(await scraped({})).toContain('Who are you?')
    expect(locks()).toEqual([])
  })

  it('saves nothing of a read-only session', async () => {
    const session = await server.open(reader('unkept'))
    await logIn(session)
    await session.close()
    expect(await scraped(reader('unkept'))).toContain('Who are you?')
  })

  it('has one writer, which the error of others names', async () => {
    const holder = await server.open(saver('held'))
    const refused = await server.call('POST /v2/browser', saver('held'))
    expect(refused).toMatchObject({ status: 409, body: { success: false, code: 'PROFILE_IN_USE' } })
    expect(JSON.stringify(refused.body['details'])).toContain(holder.id)
    const other = await serverForTest(env)
    expect(await other.call('POST /v2/browser', saver('held'))).toMatchObject({ status: 409 })
    const beside = await other.open(reader('held'))
    await Promise.all([beside.close(), holder.close()])
    await (await other.open(saver('held'))).close()
  })

  it('is unlocked unchanged when the server of its writer is killed', async () => {
    const dying = await startSessionServer(env)
    const first = await dying.open(saver('survives'))
    await logIn(first)
    await first.close()
    await dying.open(saver('survives'))
    expect(dying.processes('browser')).toHaveLength(1)
    dying.program.kill('SIGKILL')
    await dying.program.exited
    const next = await server.open(saver('survives'))
    expect(await seenBy(next)).toContain('Hello Ada')
    await next.close()
    await dying.stop()
    expect(locks()).toEqual([])
  })
})
