import type { Snippet } from './snippet.ts'

/** The browser, its context, what the page is told of its device, and the rest of Playwright. */
export const contexts: readonly Snippet[] = [
  ['cookies', `return (await context.cookies(url)).map(({ name, value }) => name + value)`, ['seenyes']],
  [
    'addCookies',
    `await context.addCookies([{ name: 'a', value: 'b', url }]); const text = await page.evaluate('document.cookie'); await context.clearCookies({ name: 'a' }); return text.includes('a=b')`,
    true,
  ],
  [
    'clearCookies by name',
    `await context.addCookies([{ name: 'c', value: 'd', url }]); await context.clearCookies({ name: 'c' }); return (await context.cookies(url)).length`,
    1,
  ],
  ['storageState', `return (await context.storageState()).cookies.some(({ name }) => name === 'seen')`, true],
  ['pages', `return context.pages().includes(page)`, true],
  [
    'newPage',
    `const other = await context.newPage(); await other.setContent('<title>Other</title>'); return other.title()`,
    'Other',
  ],
  [
    'newPage of the browser',
    `const other = await browser.newPage(); await other.goto(url + '/next'); return [await other.title(), other.context() === context]`,
    ['Next', true],
  ],
  ['contexts', `return browser.contexts().length === 1 && browser.contexts()[0] === context`, true],
  [
    'browser',
    `return [context.browser() === browser, browser.isConnected(), /^\\d+\\./.test(browser.version()), browser.browserType().name()]`,
    [true, true, true, 'chromium'],
  ],
  [
    'grantPermissions',
    `await context.grantPermissions(['geolocation'], { origin: url }); return page.evaluate(() => navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state))`,
    'granted',
  ],
  [
    'setGeolocation',
    `await context.grantPermissions(['geolocation']); await context.setGeolocation({ latitude: 59.95, longitude: 30.31667 }); const there = await page.evaluate(() => new Promise((done) => navigator.geolocation.getCurrentPosition(({ coords }) => done(coords.latitude)))); await context.clearPermissions(); return there`,
    59.95,
  ],
  [
    'setOffline',
    `await context.setOffline(true); const gone = await page.evaluate(() => navigator.onLine); await context.setOffline(false); return gone`,
    false,
  ],
  [
    'addInitScript of the context',
    `await context.addInitScript(() => { window.early = 1 }); const other = await context.newPage(); await other.goto(url + '/next'); return other.evaluate('early')`,
    1,
  ],
  [
    'exposeFunction of the context',
    `await context.exposeFunction('double', (x) => 2 * x); return page.evaluate(() => double(21))`,
    42,
  ],
  [
    'setViewportSize',
    `await page.setViewportSize({ width: 640, height: 480 }); return page.evaluate(() => [innerWidth, innerHeight])`,
    [640, 480],
  ],
  [
    'viewportSize',
    `await page.setViewportSize({ width: 500, height: 400 }); return page.viewportSize()`,
    { width: 500, height: 400 },
  ],
  [
    'emulateMedia print',
    `await page.emulateMedia({ media: 'print' }); return page.evaluate(() => matchMedia('print').matches)`,
    true,
  ],
  [
    'emulateMedia dark',
    `await page.emulateMedia({ colorScheme: 'dark' }); return page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)`,
    true,
  ],
  ['bringToFront', `await page.bringToFront(); return true`, true],
  [
    'newCDPSession',
    `const client = await context.newCDPSession(page); await client.send('Animation.enable'); return (await client.send('Animation.getPlaybackRate')).playbackRate`,
    1,
  ],
  [
    'events of a CDP session',
    `const client = await context.newCDPSession(page); await client.send('Page.enable'); const coming = new Promise((resolve) => client.once('Page.loadEventFired', resolve)); await page.reload(); return typeof (await coming).timestamp`,
    'number',
  ],
  [
    'launch',
    `const { chromium } = require('playwright'); const mine = await chromium.launch({ headless: false }); const other = await mine.newPage(); await other.goto(url + '/next'); const title = await other.title(); await mine.close(); return [title, await page.title()]`,
    ['Next', 'Snippets'],
  ],
  [
    'connectOverCDP',
    `const { chromium } = require('playwright-core'); const there = await chromium.connectOverCDP('http://localhost:9222'); return there.contexts()[0].pages().includes(page)`,
    true,
  ],
  ['devices', `return require('playwright').devices['iPhone 13'].isMobile`, true],
  [
    'setDefaultTimeout',
    `page.setDefaultTimeout(30); return page.click('#none').catch((error) => error.message.includes('30ms'))`,
    true,
  ],
  [
    'selectors.setTestIdAttribute',
    `const { selectors } = require('playwright'); selectors.setTestIdAttribute('name'); const count = await page.getByTestId('mail').count(); selectors.setTestIdAttribute('data-testid'); return count`,
    1,
  ],
  ['close is for the session', `await context.close(); await browser.close(); return page.title()`, 'Snippets'],
  ['isClosed', `return page.isClosed()`, false],
]
