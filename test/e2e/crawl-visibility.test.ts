import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, tempDir } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { answer, html } from '../helpers/site/route.ts'

const folder = tempDir()
let site: Site
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  site = await startSite({
    routes: {
      '/robots.txt': answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nAllow: /\n'),
      '/sitemap.xml': ({ response }) => {
        const urls = ['/shop/', '/shop/unlinked'].map((path) => `<url><loc>${site.url(path)}</loc></url>`)
        response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${urls.join('')}</urlset>`)
      },
      '/shop/': html('<title>Shop</title><main><h1>Shop</h1><p>All we have.</p><a href="/shop/linked">One</a></main>'),
      '/shop/linked': html('<title>One</title><main><h1>One</h1><p>The shop leads here.</p></main>'),
      '/shop/unlinked': html('<title>Two</title><main><h1>Two</h1><p>Only the sitemap names this.</p></main>'),
    },
  })
  server = await startServer({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` })
})
afterAll(async () => {
  await server.stop()
  await site.close()
  folder.remove()
})

type Page = { metadata: { sourceURL: string }; changeTracking: { visibility: string } }

it('a page that only the sitemap names is hidden in change tracking, a linked one is visible', async () => {
  const response = await fetch(`${server.url}/v2/crawl`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      url: site.url('/shop/'),
      wait: 30,
      scrapeOptions: { formats: ['markdown', 'changeTracking'] },
    }),
  })
  const { job } = (await response.json()) as { job: { status: string; data: Page[] } }
  expect(job.status).toBe('completed')
  const seen = job.data.map((page) => [new URL(page.metadata.sourceURL).pathname, page.changeTracking.visibility])
  expect(Object.fromEntries(seen)).toEqual({
    '/shop/': 'visible',
    '/shop/linked': 'visible',
    '/shop/unlinked': 'hidden',
  })
})
