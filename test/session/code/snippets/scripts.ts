import type { Snippet } from './snippet.ts'

/** Scripts in a page, handles to its objects, and waiting for it. */
export const scripts: readonly Snippet[] = [
  ['evaluate with an argument', `return page.evaluate(([x, y]) => Promise.resolve(x * y), [7, 8])`, 56],
  [
    'evaluate dates and numbers',
    `const back = await page.evaluate((given) => ({ ...given, odd: [NaN, -0, 1n] }), { at: new Date(0) }); return [back.at.getTime(), String(back.odd[0]), typeof back.odd[2]]`,
    [0, 'NaN', 'bigint'],
  ],
  [
    'evaluate that throws',
    `return page.evaluate(() => { throw new Error('in the page') }).catch((error) => error.message.includes('in the page'))`,
    true,
  ],
  [
    'evaluateHandle',
    `const handle = await page.evaluateHandle(() => document.body); const inner = await page.evaluateHandle((body) => body.tagName, handle); return inner.jsonValue()`,
    'BODY',
  ],
  ['$$', `return (await page.$$('li')).length`, 3],
  ['$eval with an argument', `return page.$eval('h1', (e, end) => e.textContent + end, '!')`, 'Sign up!'],
  [
    'a handle acts',
    `const handle = await page.$('text="Count"'); await handle.hover(); await handle.click(); return handle.getAttribute('data-clicks')`,
    '1',
  ],
  ['addScriptTag', `await page.addScriptTag({ content: 'window.added = 5' }); return page.evaluate('added')`, 5],
  [
    'addInitScript',
    `await page.addInitScript((mock) => { window.mock = mock }, 42); await page.reload(); return page.evaluate('mock')`,
    42,
  ],
  [
    'exposeFunction',
    `const { createHash } = require('crypto'); await page.exposeFunction('sha256', (text) => createHash('sha256').update(text).digest('hex').slice(0, 4)); return page.evaluate(() => sha256('PLAYWRIGHT'))`,
    'be09',
  ],
  [
    'setContent',
    `await page.setContent('<div><span>Set</span></div>'); return page.locator('span').innerText()`,
    'Set',
  ],
  [
    'waitForFunction',
    `await page.evaluate(() => setTimeout(() => { window.late = 7 }, 20)); return (await page.waitForFunction(() => window.late)).jsonValue()`,
    7,
  ],
  [
    'waitForSelector',
    `await page.evaluate(() => setTimeout(() => document.body.append(document.createElement('nav')), 20)); return (await page.waitForSelector('nav', { state: 'attached' })) !== null`,
    true,
  ],
  [
    'waitForLoadState',
    `await page.getByText('Next page').click(); await page.waitForLoadState('domcontentloaded'); return page.title()`,
    'Next',
  ],
  [
    'goBack and goForward',
    `await page.goto(url + '/next'); await page.goBack(); const first = await page.title(); await page.goForward(); return [first, await page.title()]`,
    ['Snippets', 'Next'],
  ],
  [
    'a timeout is told',
    `const { errors } = require('playwright'); return page.locator('#none').click({ timeout: 50 }).catch((error) => error instanceof errors.TimeoutError && error.message.includes("locator('#none')"))`,
    true,
  ],
  [
    'clock',
    `await page.clock.install({ time: new Date('2024-12-10T08:00:00Z') }); await page.clock.fastForward('30:00'); return page.evaluate(() => new Date().getUTCMinutes())`,
    30,
  ],
  [
    'localStorage',
    `await page.localStorage.setItem('token', 'abc'); const token = await page.localStorage.getItem('token'); await page.localStorage.clear(); return token`,
    'abc',
  ],
]
