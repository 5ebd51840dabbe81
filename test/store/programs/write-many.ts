// Writes jobs and pages concurrently with other processes on the same folder, then prints where the data is.
import { openStoreIn } from './open-here.ts'

const [dir = '', count = '1', name = 'one'] = process.argv.slice(2)
const { store, job } = await openStoreIn(dir)
const body = Buffer.from(`<p>${name}</p>`.repeat(2000))
await Promise.all(
  Array.from({ length: Number(count) }, async (_, nth) => {
    await store.jobs.record({ ...job(), id: `${name}-${nth}` })
    await store.pages.keep(
      `${name}-${nth}`,
      { fetchedAt: 1, url: 'https://example.com/', status: 200, headers: {}, made: {} },
      body,
    )
    // All processes add their own part to the same page.
    await store.pages.addMade('shared', 1, `${name}-${nth}`, { markdown: name })
  }),
)
process.stdout.write(store.describe().kind)
await store.close()
