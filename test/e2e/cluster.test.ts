import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noPostgres, type Postgres, startPostgres } from '../helpers/postgres.ts'
import { tempDir } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { read, startNode, startTree } from './cluster-kit.ts'

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

  test('share jobs, keys, pages and usage', { timeout: 120_000 }, async () => {
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
})
