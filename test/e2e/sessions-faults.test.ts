import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { html, type Routes } from '../helpers/site/route.ts'
import { forAll, forEach, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { serverForTest, sharedSessionServer } from './sessions-kit.ts'

const text = 'Enough to read on a page that does little. '.repeat(4)
const routes: Routes = {
  '/sessions/plain': html(`<!doctype html><title>Plain</title><h1>Plain page</h1><p>${text}</p>`),
  '/sessions/hangs': html(
    `<!doctype html><title>Hangs</title><h1>Hangs</h1><p>${text}</p><button onclick="setTimeout(() => { for (;;); }, 300)">Hang</button>`,
  ),
  // Its script hangs while the next page loads, which blocks the navigation forever.
  '/sessions/clings': html(
    `<!doctype html><title>Clings</title><h1>Clings</h1><p>${text}</p><button onclick="setTimeout(() => { for (;;); }, 1500)">Cling</button>`,
  ),
  '/sessions/late': async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await html(`<!doctype html><title>Late</title><h1>Late page</h1><p>${text}</p>`)(exchange)
  },
  '/sessions/asks': html(
    '<!doctype html><title>Asks</title><h1>Asks</h1><button onclick="out.textContent = confirm(\'secret words?\')">Ask</button><p id="out"></p>',
  ),
  '/sessions/floods': html(
    '<!doctype html><title>Floods</title><button onclick="for (let i = 0; i < 20; i++) open(`/sessions/plain?${i}`)">Flood</button>',
  ),
  '/sessions/saves': html('<!doctype html><title>Saves</title><a download href="/file.zip">Get it</a>'),
}
const site = siteForAll({ routes })
const server = forAll(sharedSessionServer, leftOpen)
// Each test has its own session, because a fault may leave something behind.
const session = forEach(() => server.open())

const click = (target: string) => session.act([{ type: 'click', target }])
const tabCount = async () => ((await session.state()).body['tabs'] as object[]).length

it('without a browser, a session is refused, and leaves nothing behind', async () => {
  const without = await serverForTest({ GOSSAMER_BROWSER_PATH: '/nowhere/chrome' })
  const options = { profile: { name: 'mine' } }
  for (let times = 0; times < 2; times++)
    expect(await without.call('POST /v2/browser', options)).toMatchObject({
      status: 503,
      body: { success: false, code: 'BROWSER_UNAVAILABLE' },
    })
  expect((await without.call('GET /v2/browser')).body['sessions']).toEqual([])
  expect(without.processes()).toEqual([])
  expect(without.leftFiles()).toEqual([])
})

describe('a page that hangs', () => {
  it('does not block the session for long, and another page can be opened', async () => {
    await session.go(site.url('/sessions/hangs'))
    await click('button "Hang"')
    await aMoment()
    // The script of the page is stopped.
    expect(await session.look()).toMatchObject({ body: { title: 'Hangs' } })
    await click('button "Hang"')
    expect(await session.state()).toMatchObject({ status: 200 })
    expect(await session.go(site.url('/sessions/plain'))).toMatchObject({ body: { ok: true, title: 'Plain' } })
    expect(await session.picture()).toMatchObject({ status: 200 })
  })

  it('and blocks the next page is left with its tab', async () => {
    await session.go(site.url('/sessions/clings'))
    await click('button "Cling"')
    const gone = await session.go(site.url('/sessions/late'))
    expect(gone).toMatchObject({
      body: { ok: true, title: 'Late', text: expect.stringContaining('its tab was closed') },
    })
    expect(await tabCount()).toBe(1)
    expect(await session.look()).toMatchObject({ body: { snapshot: expect.stringContaining('Late page') } })
  })
})

it('an open dialog is reported by every call that needs the page, without its text in errors, and can be answered', async () => {
  await session.go(site.url('/sessions/asks'))
  expect((await click('button "Ask"')).body['text']).toContain('secret words?')
  const looked = await session.look({ screenshot: true })
  expect(looked).toMatchObject({ status: 200, body: { warning: expect.stringContaining('dialog (confirm)') } })
  expect(looked.body['snapshot']).toContain('secret words?')
  expect(looked.body).not.toHaveProperty('screenshot')
  const pictured = await session.picture()
  expect(pictured).toMatchObject({ status: 502, body: { code: 'SESSION_FAILED' } })
  expect(JSON.stringify(pictured.body)).toContain('browser_act')
  expect(JSON.stringify(pictured.body)).not.toContain('secret')
  expect(await session.run('await page.title()', { timeout: 2 })).toMatchObject({
    body: { killed: true, error: expect.stringContaining('A dialog (confirm) is open') },
  })
  const answered = await session.act([{ type: 'dialog', accept: true }])
  expect(answered.body['text']).toContain('true')
  expect(await session.run('await page.title()')).toMatchObject({ body: { result: 'Asks' } })
})

it('a tab that crashes does not end the session', async () => {
  await session.go(site.url('/sessions/plain'))
  await crashed(String(session.created['cdpUrl']))
  for (const answer of [await session.look(), await session.picture()])
    expect(answer).toMatchObject({
      status: 502,
      body: { code: 'SESSION_FAILED', hint: expect.stringContaining('tab') },
    })
  const acts = [
    { type: 'tab', do: 'open', url: site.url('/sessions/plain') },
    { type: 'tab', do: 'close', tab: 't1' },
  ]
  expect(await session.act(acts)).toMatchObject({ status: 200, body: { ok: true } })
  expect(await session.look()).toMatchObject({ body: { snapshot: expect.stringContaining('Plain page') } })
  expect(await session.run('await page.title()')).toMatchObject({ body: { result: 'Plain' } })
})

describe('many tabs', () => {
  it('that a page opens are limited to ten', async () => {
    await session.go(site.url('/sessions/floods'))
    await click('button "Flood"')
    expect(await tabCount()).toBeLessThanOrEqual(10)
    await session.run('for (const other of context.pages()) if (other !== page) await other.close()')
    await expect.poll(tabCount).toBe(1)
  })

  it('that code opens are limited to thirty, and the session continues', async () => {
    const opening = 'for (let i = 0; i < 34; i++) await context.newPage()'
    expect(await session.run(opening, { timeout: 60 })).toMatchObject({ body: { exitCode: 1 } })
    expect(await tabCount()).toBe(30)
    await session.run('for (const other of context.pages()) if (other !== page) await other.close()', { timeout: 60 })
    await expect.poll(tabCount).toBe(1)
    expect(await session.go(site.url('/sessions/plain'))).toMatchObject({ body: { ok: true } })
  })
})

describe('concurrent calls', () => {
  it('are executed one after the other in each page, without deadlock', async () => {
    await session.go(site.url('/sessions/plain'))
    const all = await Promise.all([
      session.run(`${add('a')}; await page.waitForTimeout(300); ${add('b')}`),
      session.act([
        { type: 'wait', milliseconds: 100 },
        { type: 'press', key: 'End' },
      ]),
      session.run(`${add('c')}; await page.waitForTimeout(100); ${add('d')}`),
      session.look(),
      session.picture(),
      session.state(),
      server.call('GET /v2/browser'),
    ])
    expect(all.map(({ status }) => status)).toEqual(Array.from(all, () => 200))
    const { result } = (await session.run('await page.title()')).body
    expect(['Plainabcd', 'Plaincdab']).toContain(result)
  })

  it('end when their caller aborts, so the next one can start', async () => {
    const leaving = new AbortController()
    const left = session.run('for (;;);', { timeout: 300 }, { signal: leaving.signal })
    await aMoment()
    const waiting = session.run('6 * 7')
    await aMoment()
    leaving.abort()
    await expect(left).rejects.toThrow('abort')
    expect(await waiting).toMatchObject({ status: 200, body: { result: '42' } })
  })
})

/** Long enough for a call to arrive before the next. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 500))

const add = (mark: string) => `await page.evaluate((mark) => { document.title += mark }, '${mark}')`

/** Kills the process of the first page, like a crash. */
async function crashed(cdpUrl: string): Promise<void> {
  const list = (await (await fetch(`${cdpUrl.replace(/^ws/, 'http')}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(list[0]?.webSocketDebuggerUrl ?? '')
  const gone = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      if (/targetCrashed/i.test(data.toString())) resolve()
    })
  })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ id: 1, method: 'Inspector.enable' }))
  socket.send(JSON.stringify({ id: 2, method: 'Page.crash' }))
  await gone
  socket.close()
}
