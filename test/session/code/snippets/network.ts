import type { Snippet } from './snippet.ts'

const ask = "page.evaluate(() => fetch('/api/text').then((answer) => answer.text()))"
const echo = "page.evaluate(() => fetch('/api/echo', { method: 'POST', body: 'sent' }).then((answer) => answer.json()))"

/** Requests of a page: seen, waited for, answered, changed and stopped. */
export const network: readonly Snippet[] = [
  [
    'response of goto',
    `const response = await page.goto(url + '/next'); return [response.status(), response.ok(), response.statusText(), (await response.text()).includes('Next page')]`,
    [200, true, 'OK', true],
  ],
  [
    'waitForRequest by a predicate',
    `const coming = page.waitForRequest((request) => request.url().endsWith('/text') && request.method() === 'GET'); await page.locator('#fetch').click(); return (await coming).frame() === page.mainFrame()`,
    true,
  ],
  [
    'waitForResponse',
    `const coming = page.waitForResponse('**/api/text'); await page.locator('#fetch').click(); return (await coming).text()`,
    'from the site',
  ],
  [
    'request.postData',
    `const coming = page.waitForRequest('**/api/echo'); await ${echo}; return (await coming).postData()`,
    'sent',
  ],
  [
    'redirectedFrom',
    `const response = await page.goto(url + '/old'); const from = response.request().redirectedFrom(); return [new URL(from.url()).pathname, from.redirectedTo() === response.request()]`,
    ['/old', true],
  ],
  [
    'request event',
    `const seen = []; page.on('request', (request) => seen.push(new URL(request.url()).pathname)); await page.goto(url + '/next'); return seen`,
    ['/next'],
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
    'route by a predicate',
    `await page.route((there) => there.pathname === '/api/text', (route) => route.fulfill({ body: 'by predicate' })); return ${ask}`,
    'by predicate',
  ],
  [
    'route.continue with headers',
    `await page.route('**/api/echo', (route, request) => route.continue({ headers: { ...request.headers(), foo: 'bar' } })); return (await ${echo}).headers.foo`,
    'bar',
  ],
  [
    'route.continue with another method and body',
    `await page.route('**/api/echo', (route) => route.continue({ method: 'PUT', postData: 'changed' })); const { method, body } = await ${echo}; return [method, body]`,
    ['PUT', 'changed'],
  ],
  [
    'route.fallback',
    `await page.route('**/api/text', (route) => route.fulfill({ body: 'last' })); await page.route('**/api/text', (route) => route.fallback()); return ${ask}`,
    'last',
  ],
  [
    'unroute',
    `await page.route('**/api/text', (route) => route.fulfill({ body: 'routed' })); await page.unroute('**/api/text'); return ${ask}`,
    'from the site',
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
