// Starts a batch of many URLs, so a test can kill it in the middle.
import { aCrawl, page } from '../../contracts/fixtures.ts'
import { openStoreIn } from './open-here.ts'

const [dir = '', id = '', count = ''] = process.argv.slice(2)
const { store } = await openStoreIn(dir)
const pages = Array.from({ length: Number(count) }, (_, nth) => page(`/${nth}`, { source: 'given' }))
const now = Date.now()
await store.crawls.start(
  aCrawl({ id, kind: 'batch_scrape', pageLimit: pages.length, createdAt: now, expiresAt: now + 86_400_000 }),
  pages,
)
process.stdout.write('started')
