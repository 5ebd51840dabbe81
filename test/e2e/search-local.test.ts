import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, tempDir } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { manyPages } from './crawl-pages.ts'
import { startEngine, type Engine } from './search-engine.ts'

const folder = tempDir()
const pages = manyPages(12)
let site: Site
let engine: Engine
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  site = await startSite({ routes: pages.routes })
  engine = await startEngine(() => ({}))
  engine.fail()
  server = await startServer({
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_SEARXNG_URL: engine.url,
    GOSSAMER_SEARCH_PROVIDERS: 'searxng',
    GOSSAMER_API_KEYS: 'red:key-of-red,blue:key-of-blue',
  })
})
afterAll(async () => {
  await server.stop()
  await engine.stop()
  await site.close()
  folder.remove()
})

type Team = 'red' | 'blue'
type Answer = Record<string, unknown> & { data?: { web?: { url: string; description: string }[] }; status?: string }

async function call(team: Team, path: string, body?: object) {
  const response = await fetch(`${server.url}/v2/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: `Bearer key-of-${team}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}
const search = (team: Team, query: string) => call(team, 'search', { query })
const urlsOf = ({ body }: { body: Answer }) => body.data?.web?.map(({ url }) => url) ?? []

describe('with all providers failing', () => {
  it('pages of a crawl are found, with a warning', async () => {
    const { body } = await call('red', 'crawl', { url: site.url('/many/'), limit: 13 })
    await expect.poll(async () => (await call('red', `crawl/${String(body['id'])}`)).body.status).toBe('completed')
    await expect
      .poll(async () => urlsOf(await search('red', 'page 7 text')), { timeout: 10_000 })
      .toContain(site.url('/many/page/7'))
    const { status, body: found } = await search('red', 'page 7 text')
    expect(status).toBe(200)
    expect(found['warning']).toMatch(/^searxng .*rate limited/)
    expect(found.data?.web?.[0]).toMatchObject({ url: site.url('/many/page/7'), description: expect.any(String) })
  })
})

it('pages read by one team are not found by another', async () => {
  await call('red', 'scrape', { url: site.url('/article') })
  await expect.poll(async () => urlsOf(await search('red', 'lighthouse whales'))).toEqual([site.url('/article')])
  expect((await search('blue', 'lighthouse whales')).status).toBe(502)
  await call('blue', 'scrape', { url: site.url('/article') })
  await expect.poll(async () => urlsOf(await search('blue', 'lighthouse whales'))).toEqual([site.url('/article')])
})
