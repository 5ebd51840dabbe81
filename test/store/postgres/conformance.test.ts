import { afterAll, beforeAll, describe } from 'vitest'
import { describeStore } from '../../contracts/every-store.ts'
import { describePageIndexPassages } from '../../contracts/page-index-passages.ts'
import { describePageIndexQueries } from '../../contracts/page-index-queries.ts'
import { describePageIndex } from '../../contracts/page-index.ts'
import { noPostgres, type Postgres, startPostgres } from '../../helpers/postgres.ts'
import { openIn } from './postgres-under-test.ts'

describe.skipIf(noPostgres !== undefined)(`PostgreSQL${noPostgres === undefined ? '' : `: ${noPostgres}`}`, () => {
  let server: Postgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.close())
  const open = openIn(() => server.url)
  describeStore(open)
  describePageIndex(open)
  describePageIndexPassages(open)
  describePageIndexQueries(open)
})
