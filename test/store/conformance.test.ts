import { describe } from 'vitest'
import { describeCrawls } from '../contracts/crawls.ts'
import { describeStore } from '../contracts/every-store.ts'
import { describeFrontierWorkers } from '../contracts/frontier-workers.ts'
import { describePageCache } from '../contracts/page-cache.ts'
import { openSqliteHere, openSqliteStore } from './sqlite-under-test.ts'

describe('SQLite', () => describeStore(openSqliteHere))

// A thread for each test costs five times as much as the test itself, so only these suites run in one: together they
// send it all kinds of calls.
describe('SQLite in a separate thread', () => {
  describeCrawls(openSqliteStore)
  describeFrontierWorkers(openSqliteStore)
  describePageCache(openSqliteStore)
})
