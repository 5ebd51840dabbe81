import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { claimFrom } from '../contracts/crawl-world.ts'
import { aCrawl, aDelivery, fakeClock, page } from '../contracts/fixtures.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir, tempStore } from './kit.ts'

const given = (count: number) => Array.from({ length: count }, (_, nth) => page(`/${nth}`, { source: 'given' }))
const dayMs = 86_400_000

async function world() {
  const dir = await tempDir()
  const clock = fakeClock(Date.now())
  const { store } = await tempStore({ dir, clock })
  await store.ready()
  const file = forTest(new DatabaseSync(join(dir, 'gossamer.db')))
  const rows = (table = 'crawl_page') => Number(file.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
  const batch = (id: string, count: number) =>
    aCrawl({ id, pageLimit: count, createdAt: clock.now(), expiresAt: clock.now() + dayMs })
  return { dir, clock, store, rows, batch }
}

test('a large batch is written in slices, and does not exist before it is complete', async () => {
  const { clock, store, rows, batch } = await world()
  const { crawls } = store
  let isWritten = false
  const delivery = aDelivery({ crawlId: 'large', type: 'batch_scrape.started', createdAt: clock.now() })
  const started = crawls.start(batch('large', 20_000), given(20_000), delivery).then(() => (isWritten = true))
  await expect.poll(() => rows(), { interval: 1 }).toBeGreaterThan(0)
  const found = await Promise.all([
    crawls.find('large'),
    crawls.running(),
    claimFrom(crawls, 'large'),
    crawls.cancel('large'),
    crawls.progress('large', { skip: 0, limit: 1, maxBytes: 1 }),
  ])
  // Every request was answered between two slices.
  expect(isWritten).toBe(false)
  expect(found).toEqual([undefined, [], [], false, undefined])
  await started
  expect(await crawls.find('large')).toMatchObject({ status: 'scraping', counts: { waiting: 20_000 } })
  expect((await claimFrom(crawls, 'large')).map(({ url }) => url)).toEqual(given(10).map(({ url }) => url))
  expect(await store.deliveries.read(delivery.id)).toMatchObject({ id: delivery.id })
})

test('a large batch that cannot be written completely is deleted', async () => {
  const { dir, store, rows, batch } = await world()
  const other = new DatabaseSync(join(dir, 'gossamer.db'))
  other.exec(`CREATE TRIGGER no_room BEFORE INSERT ON crawl_page WHEN new.url LIKE '%/2500' BEGIN
    SELECT RAISE(FAIL, 'no'); END`)
  other.close()
  await expect(store.crawls.start(batch('large', 5000), given(5000))).rejects.toThrow('no')
  expect([rows(), rows('crawl')]).toEqual([0, 0])
})

test('a large batch restarted by another process belongs to that process', async () => {
  const { store, rows, batch } = await world()
  const first = store.crawls.start(batch('shared', 20_000), given(20_000)).then(
    () => 'written',
    () => 'refused',
  )
  await expect.poll(() => rows(), { interval: 1 }).toBeGreaterThan(0)
  const second = store.crawls.start(batch('shared', 20_000), given(20_000))
  expect(await first).toBe('refused')
  await second
  expect((await store.crawls.find('shared'))?.counts.waiting).toBe(20_000)
})

test('a large batch whose process is killed does not exist, and can be started again', async () => {
  const { dir, clock, store, rows, batch } = await world()
  for (const id of ['again', 'left']) {
    const before = rows()
    const program = join(import.meta.dirname, 'programs', 'start-batch.ts')
    const child = spawn(process.execPath, [program, dir, id, '60000'], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await expect.poll(() => rows(), { interval: 1 }).toBeGreaterThan(before)
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(await store.crawls.find(id)).toBeUndefined()
  }
  expect(await store.crawls.running()).toEqual([])
  await store.crawls.start(batch('again', 3000), given(3000))
  expect((await store.crawls.find('again'))?.counts.waiting).toBe(3000)
  // A batch that no one starts again is removed by the next sweep.
  clock.advance(3_600_000)
  await store.crawls.reap()
  await expect.poll(() => rows(), { timeout: 60_000 }).toBe(3000)
})
