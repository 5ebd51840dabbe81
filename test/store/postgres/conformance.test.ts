import { describeStore } from '../../contracts/every-store.ts'
import { describePageIndexPassages } from '../../contracts/page-index-passages.ts'
import { describePageIndexQueries } from '../../contracts/page-index-queries.ts'
import { describePageIndex } from '../../contracts/page-index.ts'
import { describePostgres, startPostgres } from '../../helpers/postgres.ts'
import { openIn } from './postgres-under-test.ts'
import { forAll } from '../../helpers/for-all.ts'

describePostgres('PostgreSQL', () => {
  const server = forAll(startPostgres)
  const open = openIn(() => server.url)
  describeStore(open)
  describePageIndex(open)
  describePageIndexPassages(open)
  describePageIndexQueries(open)
})
