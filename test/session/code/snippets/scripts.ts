import type { Snippet } from './snippet.ts'

/** Scripts in a page, handles to its objects, and waiting for it. */
export const scripts: readonly Snippet[] = [
  ['evaluate with an argument', `return page.evaluate(([x, y]) => Promise.resolve(x * y), [7, 8])`, 56],
  ['evaluate an expression', `const x = 10; return page.evaluate(\`1 + \${x}\`)`, 11],
  [
    'evaluate dates and numbers',
    `const back = await page.evaluate((given) => ({ ...given, odd: [NaN, -0, 1n] }), { at: new Date(0) }); return [back.at.getTime(), String(back.odd[0]), typeof back.odd[2]]`,
    [0, 'NaN', 'bigint'],
  ],
  [
    'evaluate with a handle',
    `const body = await page.evaluateHandle('document.body'); return page.evaluate(([body, end]) => body.tagName + end, [body, '!'])`,
    'BODY!',
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
  [
    'getProperties',
    `const handle = await page.evaluateHandle(() => ({ window, document })); return [...(await handle.getProperties()).keys()]`,
    ['window', 'document'],
  ],
  [
    'getProperty',
    `const handle = await page.evaluateHandle(() => ({ one: 1 })); return (await handle.getProperty('one')).jsonValue()`,
    1,
  ],
  ['asElement', `return (await page.evaluateHandle(() => 1)).asElement()`, null],
  [
    'dispose',
    `const handle = await page.evaluateHandle(() => ({})); await handle.dispose(); return handle.jsonValue().then(() => 'there', () => 'gone')`,
    'gone',
  ],
  ['$', `return (await page.$('h1')).innerText()`, 'Sign up'],
  ['$$', `return (await page.$$('li')).length`, 3],
  ['$eval', `return page.$eval('#search', (element) => element.value)`, 'found'],
  ['$eval with an argument', `return page.$eval('h1', (e, end) => e.textContent + end, '!')`, 'Sign up!'],
  ['$$eval', `return page.$$eval('li', (all, min) => all.length >= min, 3)`, true],
  [
    'a handle acts',
    `const handle = await page.$('text="Count"'); await handle.hover(); await handle.click(); return handle.getAttribute('data-clicks')`,
    '1',
  ],
  ['a handle waits', `return (await (await page.$('ul')).waitForSelector('button')).innerText()`, 'Remove'],
  ['a handle finds', `const list = await page.$('ul'); return list.$$eval('li', (all) => all.length)`, 3],
  ['ownerFrame', `return (await (await page.$('h1')).ownerFrame()) === page.mainFrame()`, true],
  ['addScriptTag', `await page.addScriptTag({ content: 'window.added = 5' }); return page.evaluate('added')`, 5],
  [
    'addStyleTag',
    `await page.addStyleTag({ content: 'h1 { color: rgb(1, 2, 3) }' }); return page.$eval('h1', (e) => getComputedStyle(e).color)`,
    'rgb(1, 2, 3)',
  ],
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
    'exposeBinding',
    `await page.exposeBinding('pageURL', ({ page }) => page.url()); return (await page.evaluate(() => pageURL())) === url + '/'`,
    true,
  ],
  [
    'setContent',
    `await page.setContent('<div><span>Set</span></div>'); return page.locator('span').innerText()`,
    'Set',
  ],
  ['content', `return (await page.content()).startsWith('<!DOCTYPE html>')`, true],
  ['title and url', `return [await page.title(), page.url() === url + '/']`, ['Snippets', true]],
  [
    'waitForFunction',
    `await page.evaluate(() => setTimeout(() => { window.late = 7 }, 20)); return (await page.waitForFunction(() => window.late)).jsonValue()`,
    7,
  ],
  [
    'waitForFunction with an argument',
    `await page.waitForFunction((selector) => !!document.querySelector(selector), 'h1'); return true`,
    true,
  ],
  [
    'waitForSelector',
    `await page.evaluate(() => setTimeout(() => document.body.append(document.createElement('nav')), 20)); return (await page.waitForSelector('nav', { state: 'attached' })) !== null`,
    true,
  ],
  [
    'waitFor',
    `await page.evaluate(() => setTimeout(() => document.querySelector('h1').remove(), 20)); await page.locator('h1').waitFor({ state: 'detached' }); return page.locator('h1').count()`,
    0,
  ],
  ['waitForTimeout', `await page.waitForTimeout(1); return true`, true],
  [
    'waitForLoadState',
    `await page.getByText('Next page').click(); await page.waitForLoadState('domcontentloaded'); return page.title()`,
    'Next',
  ],
  ['waitForURL', `await page.click('a.late'); await page.waitForURL('**/next'); return page.title()`, 'Next'],
  [
    'waitForURL by a predicate',
    `await page.click('a.late'); await page.waitForURL((there) => there.pathname === '/next'); return page.title()`,
    'Next',
  ],
  [
    'waitForNavigation',
    `const going = page.waitForNavigation(); await page.locator('a.late').click(); return await going`,
    null,
  ],
  [
    'goBack and goForward',
    `await page.goto(url + '/next'); await page.goBack(); const first = await page.title(); await page.goForward(); return [first, await page.title()]`,
    ['Snippets', 'Next'],
  ],
  ['reload', `return (await page.reload()).status()`, 200],
  [
    'a timeout is told',
    `const { errors } = require('playwright'); return page.locator('#none').click({ timeout: 50 }).catch((error) => error instanceof errors.TimeoutError && error.message.includes("locator('#none')"))`,
    true,
  ],
  [
    'strict mode',
    `return page.locator('li').click().catch((error) => error.message.includes('strict mode violation'))`,
    true,
  ],
  [
    'clock',
    `await page.clock.install({ time: new Date('2024-12-10T08:00:00Z') }); await page.clock.fastForward('30:00'); return page.evaluate(() => new Date().getUTCMinutes())`,
    30,
  ],
  [
    'clock.setFixedTime',
    `await page.clock.setFixedTime('2020-02-02T00:00:00Z'); return page.evaluate(() => new Date().getUTCFullYear())`,
    2020,
  ],
  [
    'coverage',
    `await page.coverage.startJSCoverage(); await page.goto(url + '/'); return (await page.coverage.stopJSCoverage()).length > 0`,
    true,
  ],
  ['requestGC', `await page.requestGC(); return true`, true],
  [
    'localStorage',
    `await page.localStorage.setItem('token', 'abc'); const token = await page.localStorage.getItem('token'); await page.localStorage.clear(); return token`,
    'abc',
  ],
  ['sessionStorage', `await page.sessionStorage.setItem('flag', '1'); return page.sessionStorage.getItem('flag')`, '1'],
]
