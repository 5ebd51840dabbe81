/** A use of Playwright's API as its documentation shows it: what it is about, the code, and its value. */
export type Snippet = readonly [about: string, code: string, value: unknown]

/** Parses snippets of two lines each: the subject and the expected value as JSON, then the code, indented. */
const snippets = (text: string): Snippet[] =>
  Array.from(text.matchAll(/^(\S.*) → (.*)\n  (.*)$/gm), ([, about = '', value = '', code = '']) => [
    about,
    code,
    JSON.parse(value) as unknown,
  ])

const out = "return page.locator('#out').textContent()"
const paid =
  "await page.waitForFunction(() => document.querySelector('#payment')); const card = page.frames().find((each) => each.url().endsWith('/card'))"
const ask = "page.evaluate(() => fetch('/api/text').then((answer) => answer.text()))"
const echo = "page.evaluate(() => fetch('/api/echo', { method: 'POST', body: 'sent' }).then((answer) => answer.json()))"

/** Elements, and actions of a person on them. */
const actions = snippets(String.raw`
getByRole with a name → 1
  return page.getByRole('button', { name: 'Submit' }).count()
open shadow roots → 1
  return page.locator('#host button').count()
ariaSnapshot → 6
  return (await page.getByRole('list').ariaSnapshot()).split('\n').length
toString → "getByRole('button', { name: 'Submit' })"
  return page.getByRole('button', { name: 'Submit' }).toString()
click with a button, a key and a place → "23,32,true"
  await page.locator('canvas').click({ button: 'right', modifiers: ['Shift'], position: { x: 23, y: 32 } }); ${out}
fill and submit → "user=john&password=secret"
  await page.getByLabel('User name').fill('john'); await page.getByLabel('Password').fill('secret'); await page.getByTestId('send').click(); return (await page.locator('#out').textContent()).slice(0, 25)
dragTo → "dropped "
  await page.locator('#source').dragTo(page.locator('#target')); ${out}
setInputFiles from memory → "file.txt12"
  await page.getByLabel('Upload file').setInputFiles({ name: 'file.txt', mimeType: 'text/plain', buffer: Buffer.from('this is test') }); ${out}
keyboard → "Hello!"
  await page.getByLabel('Comment').focus(); await page.keyboard.type('Hello World!'); await page.keyboard.press('ArrowLeft'); await page.keyboard.down('Shift'); for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft'); await page.keyboard.up('Shift'); await page.keyboard.press('Backspace'); return page.getByLabel('Comment').inputValue()
mouse.wheel → true
  await page.evaluate(() => { document.body.style.height = '5000px' }); await page.mouse.wheel(0, 300); await page.waitForFunction(() => scrollY > 0); return true
pdf → "%PDF"
  return (await page.pdf({ format: 'A4' })).subarray(0, 4).toString()
addLocatorHandler → 0
  await page.addLocatorHandler(page.locator('#over'), async () => { await page.locator('#over button').click() }); await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<div id=over style="position:fixed;inset:0;background:#fff"><button onclick="this.parentNode.remove()">No thanks</button></div>')); await page.locator('#count').click(); return page.locator('#over').count()
`)

/** Frames of the page and of another site. */
const frames = snippets(String.raw`
frameLocator → "2"
  await page.frameLocator('#inner').getByText('Inside').click(); ${out}
frame of another site → "Paid 4242"
  const card = page.frameLocator('#payment'); await card.getByLabel('Card number').fill('4242'); await card.getByRole('button', { name: 'Pay' }).click(); return page.frames().at(-1).title()
frame.goto → "Next"
  ${paid}; await card.goto(url + '/next'); return card.title()
sandboxed frame → "In the box"
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<iframe id=box sandbox srcdoc="<p>In the box</p>"></iframe>')); return page.frameLocator('#box').locator('p').innerText()
frameattached → true
  const coming = page.waitForEvent('frameattached'); await page.evaluate(() => document.body.append(document.createElement('iframe'))); return (await coming).parentFrame() === page.mainFrame()
`)

/** Scripts in a page, handles to its objects, and waiting for it. */
const scripts = snippets(String.raw`
evaluateHandle → "BODY"
  const handle = await page.evaluateHandle(() => document.body); const inner = await page.evaluateHandle((body) => body.tagName, handle); return inner.jsonValue()
addInitScript → 42
  await page.addInitScript((mock) => { window.mock = mock }, 42); await page.reload(); return page.evaluate('mock')
exposeFunction → "be09"
  const { createHash } = require('crypto'); await page.exposeFunction('sha256', (text) => createHash('sha256').update(text).digest('hex').slice(0, 4)); return page.evaluate(() => sha256('PLAYWRIGHT'))
setContent → "Set"
  await page.setContent('<div><span>Set</span></div>'); return page.locator('span').innerText()
errors.TimeoutError → true
  const { errors } = require('playwright'); return page.locator('#none').click({ timeout: 50 }).catch((error) => error instanceof errors.TimeoutError && error.message.includes("locator('#none')"))
clock → 30
  await page.clock.install({ time: new Date('2024-12-10T08:00:00Z') }); await page.clock.fastForward('30:00'); return page.evaluate(() => new Date().getUTCMinutes())
localStorage → "abc"
  await page.localStorage.setItem('token', 'abc'); const token = await page.localStorage.getItem('token'); await page.localStorage.clear(); return token
`)

/** Events that a page sends. */
const events = snippets(String.raw`
console → ["hello 42",42,"log"]
  const coming = page.waitForEvent('console'); await page.evaluate(() => console.log('hello', 42, { foo: 'bar' })); const message = await coming; return [message.text().slice(0, 8), await message.args()[1].jsonValue(), message.type()]
dialog accepted → "me"
  page.on('dialog', (dialog) => dialog.accept('me')); return page.evaluate(() => prompt('Who?'))
dialog without a listener → false
  return page.evaluate(() => confirm('Sure?'))
popup → "Next"
  const coming = page.waitForEvent('popup'); await page.getByText('Open the popup').click(); const popup = await coming; await popup.waitForLoadState(); return popup.title()
filechooser → [true,"a.txt3"]
  const coming = page.waitForEvent('filechooser'); await page.getByLabel('Upload file').click(); const chooser = await coming; await chooser.setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') }); return [chooser.isMultiple(), await page.locator('#out').textContent()]
worker → 42
  const coming = page.waitForEvent('worker'); await page.evaluate(() => { new Worker(URL.createObjectURL(new Blob(['self.x = 6']))) }); return (await coming).evaluate('x * 7')
`)

/** Requests of a page: seen, waited for, answered, changed and stopped. */
const network = snippets(String.raw`
response of goto → [200,true,"OK",true]
  const response = await page.goto(url + '/next'); return [response.status(), response.ok(), response.statusText(), (await response.text()).includes('Next page')]
waitForResponse → "from the site"
  const coming = page.waitForResponse('**/api/text'); await page.locator('#fetch').click(); return (await coming).text()
redirectedFrom → ["/old",true]
  const response = await page.goto(url + '/old'); const from = response.request().redirectedFrom(); return [new URL(from.url()).pathname, from.redirectedTo() === response.request()]
requestfailed → "net::ERR_FAILED"
  await page.route('**/api/text', (route) => route.abort('failed')); const failing = page.waitForEvent('requestfailed'); await page.locator('#fetch').click(); return (await failing).failure().errorText
route.fulfill → "mocked"
  await page.route('**/api/text', (route) => route.fulfill({ body: 'mocked' })); return ${ask}
route.continue with another method and body → ["PUT","changed"]
  await page.route('**/api/echo', (route) => route.continue({ method: 'PUT', postData: 'changed' })); const { method, body } = await ${echo}; return [method, body]
route of the context → "by context"
  await context.route('**/api/text', (route) => route.fulfill({ body: 'by context' })); const got = await ${ask}; await context.unrouteAll(); return got
routeWebSocket → "echo hi"
  await page.routeWebSocket('**/ws', (socket) => socket.onMessage((message) => socket.send('echo ' + message))); await page.reload(); return page.evaluate(() => new Promise((resolve) => { const socket = new WebSocket('/ws'.replace(/^/, location.origin.replace('http', 'ws'))); socket.onopen = () => socket.send('hi'); socket.onmessage = ({ data }) => resolve(data) }))
`)

/** The browser, its context, emulation of devices, and the rest of Playwright. */
const contexts = snippets(String.raw`
cookies → ["seenyes"]
  return (await context.cookies(url)).map(({ name, value }) => name + value)
addCookies → true
  await context.addCookies([{ name: 'a', value: 'b', url }]); const text = await page.evaluate('document.cookie'); await context.clearCookies({ name: 'a' }); return text.includes('a=b')
newPage → "Other"
  const other = await context.newPage(); await other.setContent('<title>Other</title>'); return other.title()
grantPermissions → "granted"
  await context.grantPermissions(['geolocation'], { origin: url }); return page.evaluate(() => navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state))
setOffline → false
  await context.setOffline(true); const gone = await page.evaluate(() => navigator.onLine); await context.setOffline(false); return gone
addInitScript of the context → 1
  await context.addInitScript(() => { window.early = 1 }); const other = await context.newPage(); await other.goto(url + '/next'); return other.evaluate('early')
newCDPSession → 1
  const client = await context.newCDPSession(page); await client.send('Animation.enable'); return (await client.send('Animation.getPlaybackRate')).playbackRate
launch → ["Next","Snippets"]
  const { chromium } = require('playwright'); const mine = await chromium.launch({ headless: false }); const other = await mine.newPage(); await other.goto(url + '/next'); const title = await other.title(); await mine.close(); return [title, await page.title()]
connectOverCDP → true
  const { chromium } = require('playwright-core'); const there = await chromium.connectOverCDP('http://localhost:9222'); return there.contexts()[0].pages().includes(page)
setDefaultTimeout → true
  page.setDefaultTimeout(30); return page.click('#none').catch((error) => error.message.includes('30ms'))
close is for the session → "Snippets"
  await context.close(); await browser.close(); return page.title()
`)

/**
 * One or two uses of each part of Playwright that reaches the browser in its own way: through the sandbox, the rules
 * for the DevTools Protocol and the changed bundle. All other parts are Playwright's own responsibility.
 */
export const onOnePage = { actions, frames }
/** Snippets that change their page for those after them. */
export const onPagesOfTheirOwn = { scripts, events, network, contexts }
