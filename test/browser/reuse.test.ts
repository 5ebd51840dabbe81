import { describe, expect, test } from 'vitest'
import type { RenderRequest } from '../../src/contracts/render-port.ts'
import { drawn, isFull } from '../attack/hostile.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { answer, enoughText, html, type Routes } from '../helpers/site/route.ts'
import { textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const script = (source: string) => answer(200, { 'content-type': 'text/javascript' }, source)
/** Shows the stored data that it finds, and stores data of each kind. */
const memory =
  html(`<!doctype html><title>Memory</title><script src="/reuse/cached.js"></script><p>looking around</p>${enoughText}<script type="module">
  const found = [document.cookie && 'cookie', localStorage.seen && 'storage']
  if ((await (await fetch('/reuse/from-service')).text()) === 'worker') found.push('worker')
  document.cookie = 'seen=1'
  localStorage.seen = 1
  await navigator.serviceWorker.register('/reuse/service.js')
  await navigator.serviceWorker.ready
  document.querySelector('p').textContent = 'found: ' + found.filter(Boolean).join(' ')
</script>`)
/** Number of visits of this browser page. */
const count = html(`<!doctype html><title>Count</title><p></p>${enoughText}<script>
  sessionStorage.visits = Number(sessionStorage.visits ?? 0) + 1
  document.querySelector('p').textContent = 'visits: ' + sessionStorage.visits
</script>`)
const over = new Set<string>()
const routes: Routes = {
  '/reuse/memory': memory,
  '/reuse/count': count,
  '/reuse/cached.js': answer(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' }, 'let a = 1'),
  '/reuse/from-service': answer(200, {}, 'network'),
  '/reuse/service.js':
    script(`addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim()))
    addEventListener('fetch', (event) => { if (event.request.url.includes('from-service')) event.respondWith(new Response('worker')) })`),
  // Navigates away as soon as the visit is over, by any code that can still run.
  '/reuse/restless': html(`<!doctype html><title>Restless</title><p>At rest for now.</p>${enoughText}<script>
    const leave = () => { setInterval(() => alert('still here'), 1); setInterval(() => { location.href = '/plain?away' }, 1) }
    const look = 'setInterval(async () => { if (await (await fetch("' + location.origin + '/reuse/over' + location.search + '")).text() === "over") postMessage(0) }, 10)'
    new Worker(URL.createObjectURL(new Blob([look]))).onmessage = leave
    onbeforeunload = (event) => event.preventDefault()
    onpagehide = () => alert('gone')
    </script>`),
  '/reuse/over': ({ url, response }) => {
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end(over.has(url.search) ? 'over' : '')
  },
  '/reuse/next': html('<!doctype html><title>Next</title><p>The next page.</p>'),
}

const site = siteForAll({ routes })
const browser = forAll(sharedRenderer, leftOpen)

async function found(path: string, more: Partial<RenderRequest> = {}): Promise<string> {
  const text = textOf(await browser.render(site.url(path), more))
  return /(?:found|visits): ([\w ]*)/.exec(text)?.[1]?.trim() ?? text
}
const requested = (path: string) => site.requests.filter(({ url }) => url === path).length

async function twice(first: Partial<RenderRequest>, second: Partial<RenderRequest> = first): Promise<string> {
  const reuse = crypto.randomUUID()
  await found('/reuse/count', { reuse, ...first })
  return found('/reuse/count', { reuse, ...second })
}

test('visits with the same key share cookies, storage, cache and workers, which other visits cannot access', async () => {
  const seen: [string, number][] = []
  for (const reuse of ['a', 'a', 'b', undefined, undefined, 'b', 'a'])
    seen.push([await found('/reuse/memory', { reuse }), requested('/reuse/cached.js')])
  seen.push([await found('/reuse/memory', { reuse: 'a', teamId: 'another' }), requested('/reuse/cached.js')])
  const all = 'cookie storage worker'
  expect(seen).toEqual([
    ['', 1],
    [all, 1],
    ['', 2],
    ['', 3],
    ['', 4],
    [all, 4],
    [all, 4],
    ['', 5],
  ])
})

describe.concurrent('a page', () => {
  test('is reused for the next visit with the same options', async () => {
    const reuse = crypto.randomUUID()
    const seen = []
    for (let visit = 0; visit < 4; visit++) seen.push(await found('/reuse/count', { reuse }))
    expect(seen).toEqual(['1', '2', '3', '4'])
  })

  const unlike: [string, Partial<RenderRequest>, Partial<RenderRequest>][] = [
    ['another device', { mobile: true }, {}],
    [
      'another size',
      { screenshot: { fullPage: false } },
      { screenshot: { fullPage: false, viewport: { width: 500, height: 400 } } },
    ],
    ['branding', {}, { wantsBranding: true }],
    ['other headers', { headers: { 'x-one': '1' } }, {}],
    ['another user agent', { headers: { 'user-agent': 'me' } }, {}],
    ['another country', { location: { country: 'DE' } }, {}],
    ['unverified certificates', { skipTlsVerification: true }, {}],
  ]
  test.each(drawn(unlike))('is not reused for %s', async (_, first, second) => {
    expect(await twice(first, second)).toBe('1')
    expect(await twice(second, first)).toBe('1')
    expect(await twice(first)).toBe('2')
  })

  test('is not reused after actions, nor after it was stopped', async () => {
    expect(await twice({ actions: [{ type: 'scrape' }] })).toBe('1')
    const reuse = crypto.randomUUID()
    await found('/reuse/count', { reuse })
    expect((await browser.render(site.url('/hostile/endless-script'), { reuse })).warning).toMatch('was stopped')
    expect(await found('/reuse/count', { reuse })).toBe('1')
  })

  test('is not reused after its caller has aborted', async () => {
    const reuse = crypto.randomUUID()
    await found('/reuse/count', { reuse })
    const path = `/hang?${reuse}`
    const abort = new AbortController()
    const visit = browser.render(site.url(path), { reuse, signal: abort.signal }).catch((error: unknown) => error)
    while (requested(path) === 0) await new Promise((resolve) => void setTimeout(resolve, 20))
    abort.abort(new Error('gone'))
    expect(await visit).toMatchObject({ message: 'gone' })
    expect(await found('/reuse/count', { reuse })).toBe('1')
  })
})

describe.concurrent('the state that a page leaves behind', () => {
  test.each(isFull ? [0, 15, 30, 60, 400] : [0, 30, 400])(
    'does not reach the next visit, %i ms later',
    async (pauseMs) => {
      const reuse = crypto.randomUUID()
      for (let times = 0; times < (isFull ? 3 : 1); times++) {
        const search = `?${reuse}${times}`
        const first = await browser.render(site.url(`/reuse/restless${search}`), { reuse })
        over.add(search)
        expect(textOf(first)).toContain('At rest for now.')
        await new Promise((resolve) => void setTimeout(resolve, pauseMs))
        const next = await browser.render(site.url('/reuse/next'), { reuse })
        expect(next).toMatchObject({ url: site.url('/reuse/next'), status: 200 })
        expect(textOf(next)).toContain('The next page.')
      }
    },
  )

  test('is not returned for a URL that differs only by its fragment', async () => {
    const reuse = crypto.randomUUID()
    const paths = '/plain#a /plain#b /plain#b /status/404#a /status/404#b /file.json#a /file.json#b'.split(' ')
    for (const path of paths) {
      const page = await browser.render(site.url(path), { reuse })
      const isMissing = path.startsWith('/status')
      expect(page).toMatchObject({
        status: isMissing ? 404 : 200,
        url: site.url(path.startsWith('/file') ? (path.split('#')[0] ?? '') : path),
      })
    }
    expect(requested('/plain')).toBeGreaterThanOrEqual(3)
  })
})

test('the headers of a visit are sent with every visit, to the site of its page', async () => {
  const visit = { reuse: crypto.randomUUID(), headers: { 'x-one': '1', cookie: 'given=yes' } }
  for (const path of ['/plain?h1', '/plain?h2']) await browser.render(site.url(path), visit)
  await browser.render(`http://own.test:${site.port}/plain?h3`, visit)
  for (const mark of ['h1', 'h2', 'h3'])
    expect(site.requests.find(({ url }) => url === `/plain?${mark}`)?.headers).toMatchObject({
      'x-one': '1',
      cookie: 'given=yes',
    })
})

test('many concurrent visits with the same key all return their page', async () => {
  const reuse = crypto.randomUUID()
  const seen = await Promise.all(
    Array.from({ length: 24 }, (_, at) => browser.render(site.url(at % 3 ? `/plain?${at}` : '/app'), { reuse })),
  )
  expect(seen.map((page) => textOf(page).includes('Plain page') || textOf(page).includes('<h1>Home</h1>'))).toEqual(
    seen.map(() => true),
  )
})
