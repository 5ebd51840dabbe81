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
    'waitForRequest',
    `const coming = page.waitForRequest('**/api/text'); await page.locator('#fetch').click(); const request = await coming; return [request.method(), request.resourceType(), request.isNavigationRequest()]`,
    ['GET', 'fetch', false],
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
    'response.json',
    `const coming = page.waitForResponse('**/api/echo'); await ${echo}; return (await (await coming).json()).body`,
    'sent',
  ],
  [
    'response.body and headers',
    `const coming = page.waitForResponse('**/api/text'); await ${ask}; const response = await coming; return [(await response.body()).length, response.headers()['content-type'], await response.headerValue('content-type')]`,
    [13, 'text/plain', 'text/plain'],
  ],
  [
    'response.request',
    `const response = await page.goto(url + '/next'); return (await response.request().response()) === response`,
    true,
  ],
  [
    'request.postData',
    `const coming = page.waitForRequest('**/api/echo'); await ${echo}; return (await coming).postData()`,
    'sent',
  ],
  [
    'request.allHeaders',
    `const coming = page.waitForRequest('**/api/text'); await ${ask}; return (await (await coming).allHeaders()).accept`,
    '*/*',
  ],
  [
    'request.timing',
    `const done = page.waitForEvent('requestfinished'); await ${ask}; return (await done).timing().startTime > 0`,
    true,
  ],
  [
    'request.sizes',
    `const done = page.waitForEvent('requestfinished'); await ${ask}; return (await (await done).sizes()).responseBodySize > 0`,
    true,
  ],
  [
    'redirectedFrom',
    `const response = await page.goto(url + '/old'); const from = response.request().redirectedFrom(); return [new URL(from.url()).pathname, from.redirectedTo() === response.request()]`,
    ['/old', true],
  ],
  [
    'requests of a page',
    `return (await page.requests()).some((request) => request.url().endsWith('/style.css'))`,
    true,
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
    'route.fulfill json',
    `await page.route('**/api/echo', (route) => route.fulfill({ json: { made: 'up' } })); return ${echo}`,
    { made: 'up' },
  ],
  [
    'route.fulfill a document',
    `await page.route('**/*', (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not Found!' })); return (await page.goto('http://nowhere.example/')).status()`,
    404,
  ],
  [
    'route.abort',
    `await page.route('**/*.{png,jpg,jpeg}', (route) => route.abort()); await page.reload(); return page.$eval('img', (e) => e.naturalWidth)`,
    0,
  ],
  [
    'route by a pattern',
    `await page.route(/\\/api\\//, (route) => route.fulfill({ body: 'by pattern' })); return ${ask}`,
    'by pattern',
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
    'route once',
    `await page.route('**/api/text', (route) => route.fulfill({ body: 'once' }), { times: 1 }); return [await ${ask}, await ${ask}]`,
    ['once', 'from the site'],
  ],
  [
    'unroute',
    `await page.route('**/api/text', (route) => route.fulfill({ body: 'routed' })); await page.unroute('**/api/text'); return ${ask}`,
    'from the site',
  ],
  [
    'unrouteAll',
    `await page.route('**/api/text', (route) => route.fulfill({ body: 'routed' })); await page.unrouteAll({ behavior: 'wait' }); return ${ask}`,
    'from the site',
  ],
  [
    'route of the context',
    `await context.route('**/api/text', (route) => route.fulfill({ body: 'by context' })); const got = await ${ask}; await context.unrouteAll(); return got`,
    'by context',
  ],
  [
    'setExtraHTTPHeaders',
    `await page.setExtraHTTPHeaders({ 'x-extra': 'yes' }); return (await ${echo}).headers['x-extra']`,
    'yes',
  ],
  [
    'routeWebSocket',
    `await page.routeWebSocket('**/ws', (socket) => socket.onMessage((message) => socket.send('echo ' + message))); await page.reload(); return page.evaluate(() => new Promise((resolve) => { const socket = new WebSocket('/ws'.replace(/^/, location.origin.replace('http', 'ws'))); socket.onopen = () => socket.send('hi'); socket.onmessage = ({ data }) => resolve(data) }))`,
    'echo hi',
  ],
]
