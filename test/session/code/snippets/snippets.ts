/** A use of Playwright's API as its documentation shows it: what it is about, the code, and its value. */
export type Snippet = readonly [about: string, code: string, value: unknown]

const out = "return page.locator('#out').textContent()"
const paid =
  "await page.waitForFunction(() => document.querySelector('#payment')); const card = page.frames().find((each) => each.url().endsWith('/card'))"
const ask = "page.evaluate(() => fetch('/api/text').then((answer) => answer.text()))"
const echo = "page.evaluate(() => fetch('/api/echo', { method: 'POST', body: 'sent' }).then((answer) => answer.json()))"

/** Elements, and actions of a person on them. */
const actions: readonly Snippet[] = [
  ['getByRole with a name', `return page.getByRole('button', { name: 'Submit' }).count()`, 1],
  ['open shadow roots', `return page.locator('#host button').count()`, 1],
  ['ariaSnapshot', `return (await page.getByRole('list').ariaSnapshot()).split('\\n').length`, 6],
  [
    'toString',
    `return page.getByRole('button', { name: 'Submit' }).toString()`,
    "getByRole('button', { name: 'Submit' })",
  ],
  [
    'click with a button, a key and a place',
    `await page.locator('canvas').click({ button: 'right', modifiers: ['Shift'], position: { x: 23, y: 32 } }); ${out}`,
    '23,32,true',
  ],
  [
    'fill and submit',
    `await page.getByLabel('User name').fill('john'); await page.getByLabel('Password').fill('secret'); await page.getByTestId('send').click(); return (await page.locator('#out').textContent()).slice(0, 25)`,
    'user=john&password=secret',
  ],
  ['dragTo', `await page.locator('#source').dragTo(page.locator('#target')); ${out}`, 'dropped '],
  [
    'setInputFiles from memory',
    `await page.getByLabel('Upload file').setInputFiles({ name: 'file.txt', mimeType: 'text/plain', buffer: Buffer.from('this is test') }); ${out}`,
    'file.txt12',
  ],
  [
    'keyboard',
    `await page.getByLabel('Comment').focus(); await page.keyboard.type('Hello World!'); await page.keyboard.press('ArrowLeft'); await page.keyboard.down('Shift'); for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft'); await page.keyboard.up('Shift'); await page.keyboard.press('Backspace'); return page.getByLabel('Comment').inputValue()`,
    'Hello!',
  ],
  [
    'mouse.wheel',
    `await page.evaluate(() => { document.body.style.height = '5000px' }); await page.mouse.wheel(0, 300); await page.waitForFunction(() => scrollY > 0); return true`,
    true,
  ],
  ['pdf', `return (await page.pdf({ format: 'A4' })).subarray(0, 4).toString()`, '%PDF'],
  [
    'addLocatorHandler',
    `await page.addLocatorHandler(page.locator('#over'), async () => { await page.locator('#over button').click() }); await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<div id=over style="position:fixed;inset:0;background:#fff"><button onclick="this.parentNode.remove()">No thanks</button></div>')); await page.locator('#count').click(); return page.locator('#over').count()`,
    0,
  ],
]

/** Frames of the page and of another site. */
const frames: readonly Snippet[] = [
  [
    'frameLocator',
    `await page.frameLocator('#inner').getByText('Inside').click(); return page.locator('#out').textContent()`,
    '2',
  ],
  [
    'frame of another site',
    `const card = page.frameLocator('#payment'); await card.getByLabel('Card number').fill('4242'); await card.getByRole('button', { name: 'Pay' }).click(); return page.frames().at(-1).title()`,
    'Paid 4242',
  ],
  ['frame.goto', `${paid}; await card.goto(url + '/next'); return card.title()`, 'Next'],
  [
    'sandboxed frame',
    `await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<iframe id=box sandbox srcdoc="<p>In the box</p>"></iframe>')); return page.frameLocator('#box').locator('p').innerText()`,
    'In the box',
  ],
  [
    'frameattached',
    `const coming = page.waitForEvent('frameattached'); await page.evaluate(() => document.body.append(document.createElement('iframe'))); return (await coming).parentFrame() === page.mainFrame()`,
    true,
  ],
]

/** Scripts in a page, handles to its objects, and waiting for it. */
const scripts: readonly Snippet[] = [
  [
    'evaluateHandle',
    `const handle = await page.evaluateHandle(() => document.body); const inner = await page.evaluateHandle((body) => body.tagName, handle); return inner.jsonValue()`,
    'BODY',
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
    'setContent',
    `await page.setContent('<div><span>Set</span></div>'); return page.locator('span').innerText()`,
    'Set',
  ],
  [
    'errors.TimeoutError',
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

/** Events that a page sends. */
const events: readonly Snippet[] = [
  [
    'console',
    `const coming = page.waitForEvent('console'); await page.evaluate(() => console.log('hello', 42, { foo: 'bar' })); const message = await coming; return [message.text().slice(0, 8), await message.args()[1].jsonValue(), message.type()]`,
    ['hello 42', 42, 'log'],
  ],
  [
    'dialog accepted',
    `page.on('dialog', (dialog) => dialog.accept('me')); return page.evaluate(() => prompt('Who?'))`,
    'me',
  ],
  ['dialog without a listener', `return page.evaluate(() => confirm('Sure?'))`, false],
  [
    'popup',
    `const coming = page.waitForEvent('popup'); await page.getByText('Open the popup').click(); const popup = await coming; await popup.waitForLoadState(); return popup.title()`,
    'Next',
  ],
  [
    'filechooser',
    `const coming = page.waitForEvent('filechooser'); await page.getByLabel('Upload file').click(); const chooser = await coming; await chooser.setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') }); return [chooser.isMultiple(), await page.locator('#out').textContent()]`,
    [true, 'a.txt3'],
  ],
  [
    'worker',
    `const coming = page.waitForEvent('worker'); await page.evaluate(() => { new Worker(URL.createObjectURL(new Blob(['self.x = 6']))) }); return (await coming).evaluate('x * 7')`,
    42,
  ],
]

/** Requests of a page: seen, waited for, answered, changed and stopped. */
const network: readonly Snippet[] = [
  [
    'response of goto',
    `const response = await page.goto(url + '/next'); return [response.status(), response.ok(), response.statusText(), (await response.text()).includes('Next page')]`,
    [200, true, 'OK', true],
  ],
  [
    'waitForResponse',
    `const coming = page.waitForResponse('**/api/text'); await page.locator('#fetch').click(); return (await coming).text()`,
    'from the site',
  ],
  [
    'redirectedFrom',
    `const response = await page.goto(url + '/old'); const from = response.request().redirectedFrom(); return [new URL(from.url()).pathname, from.redirectedTo() === response.request()]`,
    ['/old', true],
  ],
  [
    'requestfailed',
    `await page.route('**/api/text', (route) => route.abort('failed')); const failing = page.waitForEvent('requestfailed'); await page.locator('#fetch').click(); return (await failing).failure().errorText`,
    'net::ERR_FAILED',
  ],
  [
    'route.fulfill',
    `await page.route('**/api/text', (route) => route.fulfill({ body: 'mocked' })); return ${ask}`,
    'mocked',
  ],
  [
    'route.continue with another method and body',
    `await page.route('**/api/echo', (route) => route.continue({ method: 'PUT', postData: 'changed' })); const { method, body } = await ${echo}; return [method, body]`,
    ['PUT', 'changed'],
  ],
  [
    'route of the context',
    `await context.route('**/api/text', (route) => route.fulfill({ body: 'by context' })); const got = await ${ask}; await context.unrouteAll(); return got`,
    'by context',
  ],
  [
    'routeWebSocket',
    `await page.routeWebSocket('**/ws', (socket) => socket.onMessage((message) => socket.send('echo ' + message))); await page.reload(); return page.evaluate(() => new Promise((resolve) => { const socket = new WebSocket('/ws'.replace(/^/, location.origin.replace('http', 'ws'))); socket.onopen = () => socket.send('hi'); socket.onmessage = ({ data }) => resolve(data) }))`,
    'echo hi',
  ],
]

/** The browser, its context, emulation of devices, and the rest of Playwright. */
const contexts: readonly Snippet[] = [
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

/**
 * One use or two of each part of Playwright that reaches the browser in its own way: through the sandbox, the rules for
 * the DevTools Protocol and the changed bundle. The rest is Playwright's own business.
 */
export const onOnePage = { actions, frames }
/** These leave something in their page. */
export const onPagesOfTheirOwn = { scripts, events, network, contexts }
