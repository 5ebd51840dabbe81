import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSite, type Site } from '../helpers/site.ts'
import { loginRoutes, startSessionServer, type SessionServer } from './sessions-kit.ts'

let site: Site
let server: SessionServer
let sdk: Firecrawl
beforeAll(async () => {
  site = await startSite({ routes: loginRoutes })
  server = await startSessionServer({ GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` })
  sdk = new Firecrawl({ apiKey: 'fc-any', apiUrl: server.url, maxRetries: 1 })
}, 60_000)
afterAll(async () => {
  await server?.stop()
  await site?.close()
})

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was not refused'),
    ({ status, code }: { status?: number; code?: string }) => ({ status, code }),
  )

describe('the public service’s SDK', () => {
  it('opens a browser, runs code in it in three languages, lists it and ends it', { timeout: 120_000 }, async () => {
    const opened = await sdk.browser({ ttl: 120, activityTtl: 60, streamWebView: true })
    expect(opened).toMatchObject({ success: true, cdpUrl: expect.stringContaining('ws://') })
    expect(opened).toMatchObject({ liveViewUrl: expect.stringContaining(`${server.url}/live/`) })
    expect(Date.parse(opened.expiresAt ?? '')).toBeGreaterThan(Date.now())
    const id = opened.id ?? ''

    // Without a language the SDK asks for bash.
    const page = site.url('/sessions/plain')
    expect(await sdk.browserExecute(id, { code: `agent-browser open ${page}` })).toMatchObject({
      success: true,
      exitCode: 0,
      killed: false,
    })
    const node = { code: 'console.log(await page.title())', language: 'node' as const }
    expect(await sdk.browserExecute(id, node)).toMatchObject({ stdout: 'Plain\n', result: 'Plain\n', exitCode: 0 })
    const python = { code: 'print(page.url)', language: 'python' as const, timeout: 30 }
    expect(await sdk.browserExecute(id, python)).toMatchObject({ stdout: `${page}\n`, exitCode: 0 })

    const { sessions } = await sdk.listBrowsers({ status: 'active' })
    expect(sessions).toMatchObject([{ id, status: 'active', streamWebView: true, cdpUrl: opened.cdpUrl }])
    const ended = await sdk.deleteBrowser(id)
    expect(ended).toMatchObject({ success: true, creditsBilled: expect.any(Number) })
    expect(ended.sessionDurationMs).toBeGreaterThan(0)
    expect((await sdk.listBrowsers({ status: 'active' })).sessions).toEqual([])
    expect((await sdk.listBrowsers()).sessions).toMatchObject([{ id, status: 'destroyed' }])
    expect(await refusal(sdk.browserExecute(id, { code: 'true' }))).toEqual({ status: 410, code: 'SESSION_GONE' })
    expect(await sdk.deleteBrowser(id)).toEqual(ended)
  })

  it('keeps what a session changed, for a scrape and for the next session', { timeout: 120_000 }, async () => {
    const profile = { name: 'sdk', saveChanges: true }
    const { id = '' } = await sdk.browser({ profile })
    const login = `await page.goto('${site.url('/sessions/account')}')
await page.click('text=Log in')
await page.textContent('h1')`
    expect(await sdk.browserExecute(id, { code: login, language: 'node' })).toMatchObject({ result: 'Hello Ada' })
    expect(await refusal(sdk.browser({ profile }))).toEqual({ status: 409, code: 'PROFILE_IN_USE' })
    await sdk.deleteBrowser(id)
    const { markdown } = await sdk.scrape(site.url('/sessions/account'), {
      formats: ['markdown'],
      profile: { name: 'sdk', saveChanges: false },
    })
    expect(markdown).toContain('Hello Ada')
  })
})
