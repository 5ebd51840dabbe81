import { describe } from 'vitest'
import { describeCrawls } from '../contracts/crawls.ts'
import { describeStore } from '../contracts/every-store.ts'
import { describeFrontierWorkers } from '../contracts/frontier-workers.ts'
import { describePageCache } from '../contracts/page-cache.ts'
import { openSqliteHere, openSqliteStore } from './sqlite-under-test.ts'

describe('SQLite', () => describeStore(openSqliteStore))

describe("SQLite in the caller's thread", () => {
  describeCrawls(openSqliteHere)
  describeFrontierWorkers(openSqliteHere)
  describePageCache(openSqliteHere)
})
