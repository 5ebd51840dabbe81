import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { serve } from '../helpers/listen.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { type Status } from './cluster-kit.ts'

/** A slow site that records which program requested which page. */
async function startSlowSite() {
  const visits: { path: string; by: string }[] = []
  const { origin, close } = await serve(async ({ url: path = '', headers }, response) => {
    if (!path.startsWith('/page/')) return void response.writeHead(404).end()
    visits.push({ path, by: headers['user-agent'] ?? '' })
    await sleep(150)
    const html = `<title>${path}</title><main><h1>${path}</h1><p>${'Words. '.repeat(50)}</p></main>`
    response.setHeader('content-type', 'text/html').end(html)
  })
  onTestFinished(close)
  return { origin, visits }
}

test('a server helps with a job started by another one on its folder', async () => {
  const site = await startSlowSite()
  const folder = tempDir()
  const start = (name: string) =>
    startServer({
      GOSSAMER_DATA_DIR: folder.path,
      GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
      GOSSAMER_USER_AGENT: name,
      GOSSAMER_CRAWL_SERVER_CONCURRENCY: '2',
      GOSSAMER_CRAWL_HOST_CONCURRENCY: '8',
    })
  const servers = await Promise.all([start('first'), start('second')])
  onTestFinished(async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
    folder.remove()
  })
  const [{ url }] = servers
  const urls = Array.from({ length: 80 }, (_, nth) => `${site.origin}/page/${nth}`)
  const { id } = await read<{ id: string }>(`${url}/v2/batch/scrape`, { urls, maxAge: 0 })
  let status: Status
  do {
    await sleep(100)
    status = await read<Status>(`${url}/v2/batch/scrape/${id}?limit=1`)
  } while (status.status === 'scraping')
  expect(status.completed).toBe(80)
  expect(site.visits.map(({ path }) => path).toSorted()).toEqual(urls.map((page) => new URL(page).pathname).toSorted())
  expect(new Set(site.visits.map(({ by }) => by))).toEqual(new Set(['first', 'second']))
})
