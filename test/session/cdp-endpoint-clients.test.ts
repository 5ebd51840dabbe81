import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser as PlaywrightBrowser } from 'playwright-core'
import { connect, type Browser as PuppeteerBrowser } from 'puppeteer-core'
import { afterEach, describe, expect, test } from 'vitest'
import { forAll, folderForAll } from '../helpers/for-all.ts'
import { cleanEnv } from '../helpers/program.ts'
import { key, openEndpoint } from './programs/open-endpoint.ts'

/** Path of the agent-browser binary, which is too large to be a dependency. */
const agentBrowser = process.env['AGENT_BROWSER_PATH']

const folder = folderForAll()
const file = join(folder.path, 'a.txt')
writeFileSync(file, 'of the client')
const endpoint = forAll(openEndpoint)

let playwrights: PlaywrightBrowser[] = []
let puppeteers: PuppeteerBrowser[] = []
afterEach(async () => {
  await Promise.all([...playwrights.map((each) => each.close()), ...puppeteers.map((each) => each.disconnect())])
  ;[playwrights, puppeteers] = [[], []]
})

async function playwright(address = endpoint.ws): Promise<PlaywrightBrowser> {
  const browser = await chromium.connectOverCDP(address)
  playwrights.push(browser)
  return browser
}
async function usePuppeteer(): Promise<PuppeteerBrowser> {
  const browser = await connect({ browserWSEndpoint: endpoint.ws, defaultViewport: null })
  puppeteers.push(browser)
  return browser
}
const tabsOf = (browser: PlaywrightBrowser) =>
  browser
    .contexts()[0]!
    .pages()
    .map((page) => page.url())
const titles = async () => (await endpoint.pages()).map(({ title }) => title)
const titled = (title: string) => `data:text/html,<title>${title}</title><button>Press</button>`

/** Runs a command of agent-browser with its own daemon. */
async function agent(...args: string[]): Promise<string> {
  const env = { ...cleanEnv(), HOME: folder.path, AGENT_BROWSER_CDP: endpoint.ws, AGENT_BROWSER_SESSION: 'endpoints' }
  const { stdout } = await promisify(execFile)(agentBrowser ?? '', args, {
    env: { ...env, AGENT_BROWSER_SOCKET_DIR: folder.path },
    timeout: 20_000,
  })
  return stdout
}

describe('Playwright and Puppeteer in one session', () => {
  test('see existing tabs, and tabs opened by the other client', async () => {
    const [one, other] = [await playwright(), await usePuppeteer()]
    expect(tabsOf(one)).toHaveLength(1)
    const made = await one.contexts()[0]!.newPage()
    await made.goto(titled('by Playwright'))
    const seen = await other.waitForTarget((target) => target.url() === made.url())
    const same = (await seen.page())!
    expect(await same.title()).toBe('by Playwright')
    await same.evaluate('document.querySelector("button").onclick = () => { document.title = "pressed" }')
    await made.getByRole('button').click()
    expect(await same.title()).toBe('pressed')

    const back = await other.newPage()
    await back.goto(titled('by Puppeteer'))
    await expect.poll(() => tabsOf(one)).toContain(back.url())
    await Promise.all([made.close(), back.close()])
  })

  test('disconnect without affecting the other client or the tabs', async () => {
    const [one, two, other] = [await playwright(), await playwright(), await usePuppeteer()]
    const page = await two.contexts()[0]!.newPage()
    await page.goto(titled('stays'))
    await one.close()
    await other.close()
    expect(await page.title()).toBe('stays')
    expect(await titles()).toEqual(expect.arrayContaining(['first', 'stays']))
    expect(one.isConnected() || other.connected).toBe(false)
    await page.close()
  })

  test.runIf(agentBrowser)('share the session with agent-browser', async () => {
    const [one, other] = [await playwright(), await usePuppeteer()]
    const page = await one.contexts()[0]!.newPage()
    await page.goto(titled('of all'))
    expect(await agent('tab', 'list')).toContain('of all')
    const [, tab] = /\[(t\d+)\] (?:of all|data:text\/html,<title>of all)/.exec(await agent('tab', 'list')) ?? []
    await agent('tab', tab ?? '')
    expect(await agent('snapshot', '-i')).toContain('button "Press"')
    await agent('eval', 'document.title = "by the agent"')
    expect(await page.title()).toBe('by the agent')
    await expect
      .poll(async () => Promise.all((await other.pages()).map((each) => each.title())))
      .toContain('by the agent')
    await agent('close')
    expect(await page.title()).toBe('by the agent')
    await page.close()
  })
})

describe('Playwright', () => {
  test('gets an error for an invalid key', async () => {
    await expect(chromium.connectOverCDP(endpoint.ws.replace(key, 'none'))).rejects.toThrow(/401/)
    await expect(chromium.connectOverCDP(endpoint.http.replace(key, 'none'))).rejects.toThrow(/401/)
  })

  test('creates contexts, which are removed when it disconnects', async () => {
    const [one, other] = [await playwright(), await usePuppeteer()]
    const before = other.browserContexts().length
    const context = await one.newContext({ acceptDownloads: true })
    const page = await context.newPage()
    await page.setContent('<title>own</title>')
    expect(await titles()).toContain('own')
    await one.close()
    await expect.poll(titles).not.toContain('own')
    expect(other.browserContexts()).toHaveLength(before)
  })

  test('uploads files of the client’s machine', async () => {
    const page = await (await (await playwright()).newContext()).newPage()
    await page.setContent('<input type="file" multiple>')
    await page.setInputFiles('input', file)
    expect(await page.evaluate('document.querySelector("input").files[0].text()')).toBe('of the client')
  })

  test('cannot access files or settings of the session’s machine', async () => {
    const one = await playwright()
    const context = await one.newContext()
    const page = await context.newPage()
    await page.setContent('<input type="file">')
    const session = await context.newCDPSession(page)
    const { root } = await session.send('DOM.getDocument', { depth: -1 })
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'input' })
    await expect(session.send('DOM.setFileInputFiles', { nodeId, files: [file] })).rejects.toThrow('not for pages')
    for (const url of [`file://${file}`, 'chrome://settings', 'about:settings', `fi\nle://${file}`])
      await expect(session.send('Page.navigate', { url })).rejects.toThrow('can be opened')
    await expect(session.send('Browser.getBrowserCommandLine')).rejects.toThrow('not for its pages')
    await expect(one.newContext({ proxy: { server: 'http://127.0.0.1:9' } })).rejects.toThrow('the same proxy')
    expect(await page.evaluate('1 + 1')).toBe(2)
  })
})

test('the log contains connections of clients without the key', async () => {
  await playwright(endpoint.http)
  expect(endpoint.log.lines.map(({ facts }) => facts['path'])).toContain('/cdp/…/json/version/')
  expect(JSON.stringify(endpoint.log.lines)).not.toContain(key)
})
