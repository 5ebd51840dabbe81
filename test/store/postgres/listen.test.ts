import { expect, onTestFinished, test } from 'vitest'
import { describePostgres, startPostgres } from '../../helpers/postgres.ts'
import { aCrawl } from '../../contracts/fixtures.ts'
import { openIn } from './postgres-under-test.ts'
import { forAll } from '../../helpers/for-all.ts'

describePostgres('notifications of other processes', () => {
  const server = forAll(startPostgres)

  test.each([1, 2500])('report that a batch of %i pages has work', async (count) => {
    const { store, another, close } = await openIn(() => server.url)({})
    const other = await another()
    const found: number[] = []
    const end = other.listen?.(() => void other.crawls.running().then((running) => found.push(running.length)))
    onTestFinished(async () => {
      await end?.()
      await close()
    })
    await expect.poll(() => found.length).toBeGreaterThan(0)
    await store.crawls.start(
      aCrawl({ pageLimit: count, isSeeded: true }),
      Array.from({ length: count }, (_, nth) => ({
        url: `http://site.test/${nth}`,
        key: `site.test/${nth}`,
        host: 'site.test',
        depth: 0,
        source: 'given' as const,
      })),
    )
    await expect.poll(() => found.at(-1)).toBe(1)
  })
})
