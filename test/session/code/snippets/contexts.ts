import type { Snippet } from './snippet.ts'

/** The browser, its context, emulation of devices, and the rest of Playwright. */
export const contexts: readonly Snippet[] = [
  ['cookies', `return (await context.cookies(url)).map(({ name, value }) => name + value)`, ['seenyes']],
  [
    'addCookies',
    `await context.addCookies([{ name: 'a', value: 'b', url }]); const text = await page.evaluate('document.cookie'); await context.clearCookies({ name: 'a' }); return text.includes('a=b')`,
    true,
  ],
  [
    'newPage',
    `const other = await context.newPage(); await other.setContent('<title>Other</title>'); return other.title()`,
    'Other',
  ],
  [
    'grantPermissions',
    `await context.grantPermissions(['geolocation'], { origin: url }); return page.evaluate(() => navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state))`,
    'granted',
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
    'newCDPSession',
    `const client = await context.newCDPSession(page); await client.send('Animation.enable'); return (await client.send('Animation.getPlaybackRate')).playbackRate`,
    1,
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
  [
    'setDefaultTimeout',
    `page.setDefaultTimeout(30); return page.click('#none').catch((error) => error.message.includes('30ms'))`,
    true,
  ],
  ['close is for the session', `await context.close(); await browser.close(); return page.title()`, 'Snippets'],
]
