import { describe, expect, it } from 'vitest'
import { forAll, folderForAll, siteForAll } from '../helpers/for-all.ts'
import { type McpClient, stdioClient } from '../helpers/mcp-client.ts'
import { loginRoutes } from './sessions-kit.ts'

const folder = folderForAll()
const site = siteForAll({ routes: loginRoutes })
const client = forAll(() =>
  stdioClient({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }),
)
const call: McpClient['call'] = (...given) => client.call(...given)

const openSessions = async () => (await call('activity', { show: 'browsers' })).text
const account = () => site.url('/sessions/account')

describe('an agent over stdio', () => {
  it('opens a browser, acts in it, takes a snapshot, runs code and closes it', async () => {
    const opened = await call('browser_create', { ttl: 120 })
    const { sessionId, liveViewUrl, ...others } = JSON.parse(opened.text) as Record<string, string>
    expect(opened.isError).toBe(false)
    expect(others).toEqual({})
    expect(liveViewUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/live\//)
    expect((await fetch(String(liveViewUrl))).status).toBe(200)

    const acts = [
      { type: 'navigate', url: site.url('/sessions/account') },
      { type: 'fill', target: 'Name', value: 'Ada' },
      { type: 'click', target: 'button "Log in"' },
    ]
    const acted = await call('browser_act', { sessionId, acts })
    expect(acted.text).toContain('Hello Ada')
    expect(acted.isError).toBe(false)
    const looked = await call('browser_snapshot', { sessionId, interactiveOnly: true, screenshot: true })
    expect(looked.text).toMatch(/button "Dark" e\d+/)
    expect(looked.pictures).toEqual(['image/jpeg'])
    const [, ref] = /button "Dark" (e\d+)/.exec(looked.text) ?? []
    expect((await call('browser_act', { sessionId, acts: [{ type: 'click', target: ref }] })).text).toContain('dark')

    expect((await call('browser_execute', { sessionId, code: "await page.textContent('#theme')" })).text).toContain(
      'Theme: dark',
    )
    const failed = await call('browser_execute', { sessionId, code: 'throw new Error("mine")', language: 'node' })
    expect(failed.text).toContain('exit code 1')
    expect(failed.isError).toBe(true)
    expect(failed.text.match(/mine/g)).toHaveLength(1)
    const missed = await call('browser_act', { sessionId, acts: [{ type: 'click', target: 'e9999' }] })
    expect(missed.isError).toBe(true)
    expect(missed.text).toContain('Act 1 of 1 failed')
    // The call itself opens `url`, which does not count as an action of the caller.
    const missing = [{ type: 'click', target: 'e9999' }]
    const missedThere = await call('browser_act', { sessionId, url: site.url('/article'), acts: missing })
    expect(missedThere.text).toContain('Act 1 of 1 failed')
    const listed = new RegExp(
      `^Session ${sessionId}: opened at .* UTC, open until .* UTC at most\\. .*/live/\\S+ CDP: ws://\\S+$`,
    )
    expect(await openSessions()).toMatch(listed)

    expect((await call('browser_close', { sessionId })).text).toMatch(/^Closed after \d+ s, at [\d.]+ credits\.$/)
    const late = await call('browser_act', { sessionId, acts: [{ type: 'back' }] })
    expect(late.isError).toBe(true)
    expect(late.text).toContain('SESSION_GONE')
    expect(late.text).toContain('browser_create')
    await expect(fetch(String(liveViewUrl))).resolves.toMatchObject({ status: 404 })
  })

  it('acts and runs code without opening a browser first', async () => {
    const acts = [
      { type: 'fill', target: 'Name', value: 'Ada' },
      { type: 'click', target: 'button "Log in"' },
    ]
    const acted = await call('browser_act', { url: account(), acts })
    expect(acted.isError).toBe(false)
    expect(acted.text).toContain('Hello Ada')
    const [, sessionId] = /Opened session ([\da-f-]{36})\./.exec(acted.text) ?? []
    const again = await call('browser_execute', { sessionId, url: account(), code: "await page.textContent('h1')" })
    expect(again.text).toContain('Hello Ada')
    expect(again.text).not.toContain('Opened session')
    expect(await openSessions()).toContain(`Session ${sessionId}: opened`)

    const last = await call('browser_act', { sessionId, acts: [{ type: 'extract' }], keep: false })
    expect(last.text).toContain('Hello Ada')
    expect(await openSessions()).toBe('No browser is open.')
  })

  it('opens no browser if none is needed or its id could not be returned', async () => {
    const code = 'await page.title()'
    const ran = await call('browser_execute', { url: account(), code, keep: false })
    expect(ran.text).toContain('Log in')
    expect(ran.text).not.toContain('Opened session')
    const unread = await call('browser_execute', { url: 'http://no-such-host.invalid/', code, keep: false })
    expect(unread.isError).toBe(true)
    expect(unread.text).toContain('The code did not run.')
    expect(unread.text).not.toContain('Log in')
    const lost = await call('browser_act', { acts: [{ type: 'click', target: 'Save' }] })
    expect(lost.isError).toBe(true)
    expect(lost.text).toContain('To open a new session, send url instead.')
    expect(await openSessions()).toBe('No browser is open.')
  })
})
