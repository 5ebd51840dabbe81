import { describe, expect, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { isFull, seed } from '../attack/hostile.ts'
import { bodyOf, serve } from '../helpers/listen.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { forAll } from '../helpers/for-all.ts'
import { results, startTree, type Status } from './cluster-kit.ts'

const pages = 500

type Event = { type: string; webhookId: string; data: { metadata: { sourceURL: string } }[] }
const events = new Map<string, string>()
let repeatedDifferently = 0
let isHanging = false
const tree = forAll(() => startTree(pages))
const receiver = forAll(() =>
  serve(async (request, response) => {
    const body = await bodyOf(request)
    const { webhookId } = JSON.parse(body) as Event
    if ((events.get(webhookId) ?? body) !== body) repeatedDifferently += 1
    events.set(webhookId, body)
    if (!isHanging) response.end()
  }),
)

const paths = ({ data }: Status) => data.map(({ metadata }) => new URL(metadata.sourceURL).pathname)
const environment = (dataDir: string) => ({
  GOSSAMER_DATA_DIR: dataDir,
  GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
  GOSSAMER_CRAWL_HOST_CONCURRENCY: '8',
})

async function expectWhole(server: string, id: string): Promise<void> {
  const status = await results(() => server, id)
  expect(status).toMatchObject({ status: 'completed', completed: pages, total: pages, creditsUsed: pages })
  expect(paths(status).toSorted()).toEqual(tree.paths.toSorted())
  expect(new Set(status.data.map(({ metadata }) => metadata.scrapeId)).size).toBe(pages)
  const { periods } = await read<{ periods: { creditsUsed: number }[] }>(`${server}/v2/team/credit-usage/historical`)
  expect(periods.map(({ creditsUsed }) => creditsUsed)).toEqual([pages])
}

const started = async (server: string) =>
  read<{ id: string }>(`${server}/v2/crawl`, {
    url: `${tree.origin}/p/0`,
    crawlEntireDomain: true,
    webhook: `${receiver.origin}/hook`,
    scrapeOptions: { maxAge: 0 },
  })

describe('a crawl', () => {
  test('whose server is killed repeatedly returns the same pages, bills and events', async () => {
    const dir = tempDir()
    let server = await startServer(environment(dir.path))
    const { id } = await started(server.url)
    for (let kill = 0; kill < (isFull ? 5 : 2); kill++) {
      await new Promise((resolve) => setTimeout(resolve, 100 + ((seed + kill * 7919) % 900)))
      server.program.kill('SIGKILL')
      await server.program.exited
      server = await startServer(environment(dir.path))
    }
    await expectWhole(server.url, id)
    const ofCrawl = () =>
      [...events.values()].map((text) => JSON.parse(text) as Event & { id: string }).filter((each) => each.id === id)
    await expect.poll(() => ofCrawl().length, { timeout: 90_000, interval: 200 }).toBe(pages + 2)
    expect(repeatedDifferently).toBe(0)
    const pageEvents = ofCrawl().filter(({ type }) => type === 'crawl.page')
    expect(pageEvents.map(({ data }) => new URL(data[0]!.metadata.sourceURL).pathname).toSorted()).toEqual(
      tree.paths.toSorted(),
    )
    await server.stop()
    dir.remove()
  })

  test('shared by two processes of which one is killed returns the same pages', async () => {
    const dir = tempDir()
    const [one, two] = [await startServer(environment(dir.path)), await startServer(environment(dir.path))]
    const { id } = await started(one.url)
    // The other process takes part after the first request about the crawl.
    await read(`${two.url}/v2/crawl/${id}?limit=1`)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    one.program.kill('SIGKILL')
    await one.program.exited
    await expectWhole(two.url, id)
    await two.stop()
    dir.remove()
  })

  // A lease lasts thirty seconds.
  test('whose server is killed sends its events before their lease expires', async () => {
    const dir = tempDir()
    const one = await startServer(environment(dir.path))
    isHanging = true
    events.clear()
    await read(`${one.url}/v2/batch/scrape`, {
      urls: ['/p/1', '/p/2'].map((path) => tree.origin + path),
      webhook: `${receiver.origin}/hook`,
    })
    await expect.poll(() => events.size).toBe(1)
    one.program.kill('SIGKILL')
    await one.program.exited
    isHanging = false
    const two = await startServer(environment(dir.path))
    await expect.poll(() => events.size).toBe(4)
    expect([...events.values()].map((text) => (JSON.parse(text) as Event).type)).toEqual([
      'batch_scrape.started',
      'batch_scrape.page',
      'batch_scrape.page',
      'batch_scrape.completed',
    ])
    await two.stop()
    dir.remove()
  })
})
