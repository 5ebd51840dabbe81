import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noPostgres, type Postgres, startPostgres } from '../helpers/postgres.ts'
import { tempDir } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { read, results, startNode, startTree } from './cluster-kit.ts'

const pages = 300

describe.skipIf(noPostgres !== undefined)(`servers on one PostgreSQL${noPostgres ? `: ${noPostgres}` : ''}`, () => {
  const folders = [tempDir(), tempDir(), tempDir()]
  const place = (nth: number) => folders[nth]?.path ?? ''
  let database: Postgres
  let tree: Awaited<ReturnType<typeof startTree>>
  beforeAll(async () => {
    database = await startPostgres()
    tree = await startTree(pages, 40)
  })
  afterAll(async () => {
    await database?.close()
    tree?.close()
    folders.forEach((folder) => folder.remove())
  })
  const crawl = { crawlEntireDomain: true, scrapeOptions: { maxAge: 0 } }

  test('know each other’s jobs, keys, pages and usage', { timeout: 120_000 }, async () => {
    const schema = await madeSchema(database.url)
    tree.visits.clear()
    const [one, two] = await Promise.all([startNode(schema.url, place(0)), startNode(schema.url, place(1))])
    const scraped = await read<{ data: { metadata: { scrapeId: string; cacheState: string } } }>(
      `${one.url}/v2/scrape`,
      {
        url: `${tree.origin}/p/1`,
      },
    )
    const again = await read<typeof scraped>(`${two.url}/v2/scrape`, { url: `${tree.origin}/p/1` })
    expect([scraped, again].map(({ data }) => data.metadata.cacheState)).toEqual(['miss', 'hit'])
    const { data } = await read<{ data: { id: string }[] }>(`${two.url}/v2/team/activity`)
    expect(data.map(({ id }) => id)).toContain(scraped.data.metadata.scrapeId)
    await Promise.all([one.stop(), two.stop()])
    await schema.drop()
  })

  test(
    'share a crawl that one of them began, and finish it when that one is killed',
    { timeout: 180_000 },
    async () => {
      const schema = await madeSchema(database.url)
      tree.visits.clear()
      tree.visits.clear()
      const [one, two] = await Promise.all([startNode(schema.url, place(0)), startNode(schema.url, place(1))])
      const { id } = await read<{ id: string }>(`${one.url}/v2/crawl`, { url: `${tree.origin}/p/0`, ...crawl })
      await expect.poll(() => tree.visits.size, { timeout: 30_000 }).toBeGreaterThan(60)
      one.program.kill('SIGKILL')
      await one.program.exited
      const status = await results(() => two.url, id)
      expect(status).toMatchObject({ status: 'completed', completed: pages, total: pages, creditsUsed: pages })
      expect(status.data.map(({ metadata }) => new URL(metadata.sourceURL).pathname).toSorted()).toEqual(
        tree.paths.toSorted(),
      )
      const { periods } = await read<{ periods: { creditsUsed: number }[] }>(
        `${two.url}/v2/team/credit-usage/historical`,
      )
      expect(periods.map(({ creditsUsed }) => creditsUsed)).toEqual([pages])
      await two.stop()
      await schema.drop()
    },
  )

  test(
    'take over from one that was paused, and refuse what it writes when it goes on',
    { timeout: 120_000 },
    async () => {
      const schema = await madeSchema(database.url)
      tree.visits.clear()
      const [one, two] = await Promise.all([startNode(schema.url, place(0)), startNode(schema.url, place(1))])
      const { id } = await read<{ id: string }>(`${one.url}/v2/crawl`, { url: `${tree.origin}/p/0`, ...crawl })
      // Stopped in the moment after its answer, it has done next to nothing, and its lease is over after a while.
      one.program.kill('SIGSTOP')
      await sleep(100)
      const status = await results(() => two.url, id)
      expect(status).toMatchObject({ status: 'completed', completed: pages, creditsUsed: pages })
      one.program.kill('SIGCONT')
      await sleep(3000)
      expect(await results(() => two.url, id)).toMatchObject({ completed: pages, creditsUsed: pages })
      await Promise.all([one.stop(), two.stop()])
      await schema.drop()
    },
  )
})
