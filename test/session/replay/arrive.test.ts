import type { LookupFunction } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PageAction } from '../../../src/contracts/render-port.ts'
import type { Replay } from '../../../src/contracts/session-port.ts'
import { createRenderer } from '../../../src/engine/browser/pool/browser-renderer.ts'
import { createFetcher } from '../../../src/engine/net/http/client.ts'
import { createForwardProxies } from '../../../src/engine/net/proxy/forward-proxy.ts'
import { createAdHosts } from '../../../src/engine/net/proxy/block-list.ts'
import { createTabs } from '../../../src/engine/session/page/tabs.ts'
import { arrive } from '../../../src/engine/session/replay-session.ts'
import { browserHere, openHere, quiet } from '../../browser/programs/machine.ts'
import { failureOf } from '../../helpers/fakes.ts'
import { forAll, siteForAll } from '../../helpers/for-all.ts'
import { lookScript, replayRoutes } from './site.ts'
import { ruleForAll } from '../../net/rule-for-all.ts'

const lookup: LookupFunction = (_host, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

const site = siteForAll({ routes: replayRoutes })
const world = forAll(openWorld)

/** Scrapes and sessions share one forward proxy, and have one browser each. */
async function openWorld() {
  const ruleOf = ruleForAll([`127.0.0.1:${site.port}`, `localhost:${site.port}`])
  const forwardProxies = createForwardProxies({ ruleOf, adHosts: createAdHosts([]), lookup })
  const fetcher = createFetcher({ userAgent: 'files', ruleOf, lookup })
  const renderer = createRenderer({
    settings: { browserPath: (await browserHere()).path },
    dataDir: '/nowhere',
    forwardProxies,
    profiles: { open: () => Promise.reject(new Error('no profile is asked for here')) },
    chooseProxy: () => undefined,
    fetchPage: fetcher.fetchPage,
    log: quiet,
  })
  const proxy = await forwardProxies.proxyFor({ teamId: 'team', blockAds: false })
  const browser = await openHere({ proxy: proxy.server })
  return {
    renderer,
    browser,
    proxy: proxy.server,
    proxyErrorOf: proxy.errorOf,
    async close() {
      await Promise.all([renderer.close(), browser.close()])
      await forwardProxies.close()
      await fetcher.close()
    },
  }
}

const visit = (path: string, more: Partial<Replay> = {}): Replay => ({
  url: site.url(path),
  headers: {},
  skipTlsVerification: false,
  mobile: false,
  location: undefined,
  blockAds: false,
  proxy: 'basic',
  waitForMs: 0,
  actions: [],
  screenshot: undefined,
  wantsBranding: false,
  profile: undefined,
  maxBytes: 20_000_000,
  ...more,
})
const soon = () => AbortSignal.timeout(25_000)

/** Opens a tab in a new context. */
async function openTab(browser = world.browser) {
  const { connection, version } = browser
  const { browserContextId: contextId } = await connection.browser.send('Target.createBrowserContext', {
    disposeOnDetach: true,
  })
  const tabs = await createTabs(connection, { contextId }, soon())
  onTestFinished(() => tabs.unfollow())
  const tab = tabs.current()
  return {
    tab,
    tabs,
    arrive: (replay: Replay, signal = soon()) =>
      arrive(tab, replay, { connection, version, proxyErrorOf: world.proxyErrorOf }, signal),
    look: () => tab.evaluate<Record<string, unknown>>(lookScript, soon()),
  }
}

const click = (selector: string): PageAction => ({ type: 'click', selector, all: false })
const added: PageAction[] = [click('#name'), { type: 'write', text: 'Ünïcode 🕸' }, click('#add')]

/** Scrapes a page; returns its final state, and the headers that the site received. */
async function scraped(replay: Replay) {
  const from = site.requests.length
  const actions: PageAction[] = [...replay.actions, { type: 'executeJavascript', script: `return ${lookScript}` }]
  const page = await world.renderer.renderPage({ ...replay, actions, teamId: 'team', signal: soon() })
  return { look: page.live.actions?.javascriptReturns.at(-1)?.value, sent: sentSince(from) }
}

function sentSince(from: number) {
  const { headers } = site.requests.slice(from).find(({ url }) => url.startsWith('/replay/stage')) ?? {}
  const { connection: _, ...rest } = headers ?? {}
  return rest
}

describe('a replayed page has the state of its scrape', () => {
  test.each<[name: string, more: Partial<Replay>, path?: string]>([
    ['without options', {}],
    ['after a wait', { waitForMs: 700 }, '/replay/stage?late'],
    ['after actions', { actions: added }],
    ['after a script', { actions: [{ type: 'executeJavascript', script: 'note("from a script")' }] }],
    ['after a click on a link', { actions: [click('#on'), { type: 'wait', selector: 'p' }] }],
    ['after a click that opens a window', { actions: [click('#window')] }],
    ['with mobile emulation', { mobile: true, actions: added }],
    ['with a location', { location: { country: 'DE', languages: ['de-DE', 'en'] }, waitForMs: 500 }],
    ['with the viewport of a screenshot', { screenshot: { fullPage: false, viewport: { width: 640, height: 480 } } }],
    [
      'with headers and cookies',
      { headers: { 'User-Agent': 'Somebody/1.0', Cookie: 'theme=dark; a=b', 'X-Custom': 'yes' }, waitForMs: 500 },
    ],
  ])('%s', async (_, more, path = '/replay/stage') => {
    const replay = visit(path, more)
    const before = await scraped(replay)
    const { arrive: again, look, tabs } = await openTab()
    const from = site.requests.length
    expect(await again(replay)).toBeUndefined()
    expect(await look()).toEqual(before.look)
    expect(sentSince(from)).toEqual(before.sent)
    expect(tabs.targetIds()).toHaveLength(1)
  })

  test('and loads pictures, for people who watch', async () => {
    const { arrive: again, tab } = await openTab()
    await again(visit('/replay/stage'))
    expect(await tab.evaluate('document.querySelector("img").naturalWidth', soon())).toBe(1)
  })

  test('without repeating read-only actions', async () => {
    const { arrive: again, look } = await openTab()
    const readOnly: PageAction[] = [
      { type: 'screenshot', fullPage: true },
      { type: 'scrape' },
      { type: 'pdf', format: 'A4', landscape: false, scale: 1 },
    ]
    await again(visit('/replay/stage', { actions: [...readOnly, ...added, ...readOnly] }))
    expect(await look()).toMatchObject({ text: expect.stringContaining('Ünïcode 🕸'), at: 0 })
  })

  test('and leaves later dialogs to the caller', async () => {
    const { arrive: again, tab } = await openTab()
    await again(visit('/replay/stage', { actions: [click('#ask'), click('#alert')] }))
    expect([tab.dialogs.open(), tab.dialogs.past().count, tab.takeConsoleErrors()]).toEqual([undefined, 0, []])
    const opened = tab.dialogs.opened(soon())
    const asking = tab.evaluate('confirm("May I?")', soon())
    expect(await opened).toMatchObject({ kind: 'confirm', message: 'May I?' })
    await tab.dialogs.answer({ accept: false })
    expect(await asking).toBe(false)
  })

  test('even if a script of the page never ends, and later pages work', async () => {
    const { arrive: again, tab } = await openTab()
    expect(await again(visit('/replay/endless'))).toContain('did not end')
    await tab.session.send('Page.navigate', { url: site.url('/replay/stage?late') }, soon())
    await expect.poll(() => tab.evaluate('document.body.innerText', soon())).toContain('came late')
  })
})

describe('a page state that cannot be restored is reported with the reason', () => {
  test.each<[string, string, Partial<Replay>, object]>([
    [
      'an action fails',
      '/replay/stage',
      { actions: [...added, { type: 'screenshot', fullPage: false }, click('#]')] },
      { code: 'SCRAPE_ACTION_ERROR', index: 4, type: 'click', reason: expect.any(String) },
    ],
    [
      'a key does not exist',
      '/replay/stage',
      { actions: [{ type: 'press', key: 'Nonsense' }] },
      { code: 'SCRAPE_ACTION_ERROR', index: 0, type: 'press', reason: expect.any(String) },
    ],
    [
      'the URL may not be visited',
      '/replay/stage',
      { url: 'http://127.0.0.1:4444/' },
      { code: 'SCRAPE_ADDRESS_REFUSED' },
    ],
  ])('if %s', async (_, path, more, details) => {
    const { arrive: again } = await openTab()
    const error = await failureOf(again(visit(path, more)))
    expect(error).toMatchObject({ code: 'REPLAY_UNAVAILABLE', status: 409 })
    expect((error as { details: unknown }).details).toEqual(details)
  })

  test('if the browser ends', async () => {
    const browser = await openHere({ proxy: world.proxy })
    const { arrive: again } = await openTab(browser)
    const failing = failureOf(again(visit('/replay/stage', { waitForMs: 300, actions: added })))
    await browser.close()
    expect(await failing).toMatchObject({ code: 'SESSION_FAILED' })
  })

  test('immediately when the caller leaves', async () => {
    const { arrive: again } = await openTab()
    const leaving = new AbortController()
    const failing = failureOf(again(visit('/replay/stage', { waitForMs: 60_000 }), leaving.signal))
    const reason = new Error('enough')
    leaving.abort(reason)
    expect(await failing).toBe(reason)
  })
})
