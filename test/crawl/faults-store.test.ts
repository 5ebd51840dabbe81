import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { folderForAll } from '../helpers/for-all.ts'
import { openWorld, page, range } from './faults-kit.ts'
import { pathsOf, until } from './kit.ts'

const dir = folderForAll()
const { crawler, siteOf } = openWorld()

describe.concurrent('a crawl', () => {
  test('that temporarily cannot write its pages continues, and no page is lost', async () => {
    const paths = range(12).map((at) => `/p${at}`)
    const site = await siteOf({
      '/robots.txt': (_, response) => response.writeHead(404).end(),
      '/': paths,
      '*': page(),
    })
    const crawling = crawler({ GOSSAMER_DATA_DIR: dir.path })
    // The store is opened by its first call.
    await crawling.call('crawl_active', {})
    const other = new DatabaseSync(join(dir.path, 'gossamer.db'), { timeout: 5000 })
    other.exec("CREATE TRIGGER no_room BEFORE INSERT ON crawl_document BEGIN SELECT RAISE(FAIL, 'full'); END")
    const id = await crawling.begin({ url: site.url('/') })
    const tries = other.prepare('SELECT max(tries) AS most FROM crawl_page')
    await until(async () => Number(tries.get()?.['most']) > 1)
    expect(await crawling.status(id)).toMatchObject({ status: 'scraping', completed: 0, creditsUsed: 0 })
    other.exec('DROP TRIGGER no_room')
    other.close()
    await crawling.end(id)
    const job = await crawling.results(id)
    expect(job.status).toMatchObject({ status: 'completed', failed: 0, creditsUsed: 13 })
    expect(pathsOf(job)).toEqual(['/', ...paths].toSorted())
  })

  test('sends credentials to its own site only, in any spelling of their names', async () => {
    const abroad = await siteOf({ '*': page() })
    const site = await siteOf({ '/': [abroad.url('/there', 'other.test')], '*': page() })
    const headers = { Authorization: 'Bearer hidden-key', 'X-API-Key': 'hidden', Cookie: 'hidden', 'X-Plain': 'yes' }
    await crawler().run({ url: site.url('/'), allowExternalLinks: true, scrapeOptions: { headers } })
    const there = abroad.visits.find(({ url }) => url.endsWith('/there'))
    expect(there?.headers).toMatchObject({ 'x-plain': 'yes' })
    expect(JSON.stringify(abroad.visits)).not.toContain('hidden')
    expect(site.visits.at(-1)?.headers).toMatchObject({ authorization: 'Bearer hidden-key' })
  })
})
