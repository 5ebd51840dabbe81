import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../src/engine/search/query/parse-query.ts'
import { claimFrom } from '../contracts/crawl-world.ts'
import { aCrawl, aJob, aPage, page } from '../contracts/fixtures.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir, tempStore } from './kit.ts'

const long = (name: string) => `# ${name} "quoted" $& \\ \0 naïve 🕸 \ud800\n`.repeat(200)
const dayMs = 86_400_000

/** A store on a file, and what its tables hold. */
async function world(options: Parameters<typeof tempStore>[0] = {}) {
  const dir = await tempDir()
  const made = await tempStore({ dir, ...options })
  await made.store.ready()
  const file = forTest(new DatabaseSync(join(dir, 'gossamer.db')))
  const references = ['cache_made', 'crawl_document', 'job']
    .map((table) => `(SELECT count(*) FROM ${table} WHERE text_id = kept_text.id)`)
    .join(' + ')
  const uses = () =>
    file
      .prepare(`SELECT ${references} AS uses FROM kept_text ORDER BY id`)
      .all()
      .map((row) => Number(row.uses))
  const crawled = async (markdown: string, id: string = crypto.randomUUID()) => {
    const now = made.clock.now()
    await made.store.crawls.start(aCrawl({ id, createdAt: now, expiresAt: now + dayMs }), [page('/')])
    const [claimed] = await claimFrom(made.store.crawls, id)
    if (!claimed) throw new Error('No page was claimed.')
    const outcome = { kind: 'document', document: { markdown, links: ['a'], metadata: { n: 1 } }, credits: 1 } as const
    return { id, claimed, outcome, finish: () => made.store.crawls.finish(claimed, 'one', outcome) }
  }
  return { ...made, file, uses, crawled }
}

const keepPage = async ({ store }: Awaited<ReturnType<typeof world>>, markdown: string, fetchedAt = 1000) =>
  store.pages.keep('k', aPage({ fetchedAt, made: { main: { markdown, links: ['b'] } } }), Buffer.from(markdown))

const unsaid = { title: '', description: '', contentType: '' }
const indexPage = ({ store }: Awaited<ReturnType<typeof world>>, text: string) =>
  store.index.put({ ...aPage(), ...unsaid, cacheKey: 'k', teamId: 'team', text })

describe('a long text', () => {
  test('shared by the cache, a job and a crawl is stored once, until the last of them is deleted', async () => {
    const here = await world()
    const { store, uses, crawled, clock } = here
    const text = long('A')
    const { finish, claimed } = await crawled(text)
    await Promise.all([finish(), keepPage(here, text)])
    const job = aJob({ result: { success: true, data: { markdown: text, metadata: { title: 'A' } } } })
    await store.jobs.record(job)
    expect(uses()).toEqual([3])
    await keepPage(here, 'gone', 2000)
    expect(uses()).toEqual([2])
    expect((await store.jobs.find(job.id))?.result).toEqual(job.result)
    expect(await store.crawls.document(claimed.id)).toMatchObject({
      document: { markdown: text, links: ['a'], metadata: { n: 1 } },
    })
    await store.crawls.cancel(claimed.crawlId)
    clock.advance(8 * dayMs)
    await store.jobs.record(aJob())
    await store.crawls.reap()
    await expect.poll(uses).toEqual([])
  })

  test('is read with its links from the cache, a crawl and a job', async () => {
    const { store, file, uses, crawled } = await world()
    const links = Array.from({ length: 200 }, (_, nth) => `https://example.com/${nth}`)
    const made = { main: { links, markdown: long('With links'), metadata: { title: 'A' } } }
    await store.pages.keep('k', aPage({ made }), Buffer.from('a'))
    const { claimed } = await crawled('')
    const document = { markdown: long('With links'), metadata: { n: 1 }, links }
    await store.crawls.finish(claimed, 'one', { kind: 'document', document, credits: 1 })
    const job = aJob({ result: { success: true, data: { markdown: long('With links') } } })
    await store.jobs.record(job)
    expect(uses()).toEqual([3])
    expect(file.prepare('SELECT length(value_zst) < 200 AS is_short FROM cache_made').get()).toEqual({ is_short: 1 })
    expect((await store.pages.find('k'))?.made).toEqual(made)
    expect((await store.crawls.document(claimed.id))?.document).toEqual(document)
    const progress = await store.crawls.progress(claimed.crawlId, { skip: 0, limit: 1, maxBytes: 1e7 })
    expect(JSON.parse(JSON.stringify(progress?.documents))).toEqual([document])
    expect((await store.jobs.find(job.id))?.result).toEqual(job.result)
  })

  test('in the cache outlives the job, and is dropped with the page', async () => {
    const here = await world()
    const { store, uses, clock } = here
    await store.jobs.record(aJob({ result: { markdown: long('A') } }))
    await keepPage(here, long('A'))
    await store.pages.addMade('k', 1000, 'main', { html: long('B') })
    await store.pages.addMade('k', 1000, 'main', { html: long('C') })
    expect(uses()).toEqual([2, 1])
    clock.advance(8 * dayMs)
    await store.jobs.record(aJob())
    await expect.poll(uses).toEqual([1, 1])
    expect((await store.pages.find('k'))?.made).toEqual({
      main: { markdown: long('A'), links: ['b'], html: long('C') },
    })
    await indexPage(here, 'x')
    expect(await store.index.prune({})).toBe(1)
    expect(uses()).toEqual([])
  })

  test('is not written again if the page has not changed', async () => {
    const here = await world()
    await keepPage(here, long('A'))
    await keepPage(here, long('A'), 2000)
    expect(here.uses()).toEqual([1])
    expect((await here.store.pages.find('k'))?.fetchedAt).toBe(2000)
  })

  test('is not stored for a job that is recorded again, or for a lost page', async () => {
    const { store, uses, crawled } = await world()
    const job = aJob({ result: { markdown: long('A') } })
    await store.jobs.record(job)
    await store.jobs.record({ ...job, result: { markdown: long('B') } })
    const { claimed, finish, outcome } = await crawled(long('C'))
    expect(await store.crawls.finish(claimed, 'another', outcome)).toBe('lost')
    expect(uses()).toEqual([1])
    expect(await finish()).toBe('finished')
    expect(uses()).toEqual([1, 1])
  })

  test('counts in full towards the size of its page', async () => {
    const here = await world()
    await here.store.jobs.record(aJob({ result: { markdown: long('A') } }))
    await keepPage(here, long('A'))
    const sizes = here.file
      .prepare('SELECT bytes, (SELECT length(json_zst) FROM kept_text) AS text FROM cache_page')
      .get()
    expect(Number(sizes?.bytes)).toBeGreaterThan(Number(sizes?.text))
    expect(Number(sizes?.bytes)).toBeLessThan(Number(sizes?.text) + 1000)
  })

  test('is found by its words if others store the only copy', async () => {
    const here = await world()
    const text = `The heron waits by the weir in the evening.\n\n${long('A')}`
    await keepPage(here, text)
    await indexPage(here, 'heron')
    const { url } = aPage()
    const shown = await here.store.index.highlights('team', parseQuery('heron'), [url])
    expect(shown.get(url)).toContain('heron waits by the weir')
  })
})

test('several documents finished in one call keep their order, without a page that was lost', async () => {
  const { store, clock } = await world()
  const now = clock.now()
  const pages = Array.from({ length: 12 }, (_, nth) => page(`/${nth}`))
  const crawl = aCrawl({ createdAt: now, expiresAt: now + dayMs, maxConcurrency: 20 })
  await store.crawls.start(crawl, pages)
  const claimed = await claimFrom(store.crawls, crawl.id, { count: 12, hostConcurrency: 20, leaseMs: 1000 })
  clock.advance(2000)
  await store.crawls.reap()
  const again = await claimFrom(store.crawls, crawl.id, { count: 11, hostConcurrency: 20, workerId: 'two' })
  const lost = claimed.filter(({ id }) => !again.some((one) => one.id === id))
  const ended = await Promise.all(
    [...again, ...lost].map((each) =>
      store.crawls.finish(each, 'two', {
        kind: 'document',
        document: { markdown: long(each.url), metadata: {} },
        credits: 2,
      }),
    ),
  )
  expect(ended).toEqual([...again.map(() => 'finished'), 'lost'])
  const progress = await store.crawls.progress(crawl.id, { skip: 0, limit: 20, maxBytes: 1e7 })
  expect(JSON.parse(JSON.stringify(progress?.documents))).toEqual(
    again.map(({ url }) => ({ markdown: long(url), metadata: {} })),
  )
  expect(progress?.crawl).toMatchObject({ credits: 22, counts: { done: 11, active: 0, waiting: 1 } })
  expect(await store.usage.since('team', 0)).toBe(22)
})
