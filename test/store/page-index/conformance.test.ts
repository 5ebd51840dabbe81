import { describe } from 'vitest'
import { describePageIndex } from '../../contracts/page-index.ts'
import { describePageIndexPassages } from '../../contracts/page-index-passages.ts'
import { describePageIndexQueries } from '../../contracts/page-index-queries.ts'
import { openSqliteStore } from '../sqlite-under-test.ts'

describe('SQLite', () => {
  describePageIndex(openSqliteStore)
  describePageIndexPassages(openSqliteStore)
  describePageIndexQueries(openSqliteStore)
})
