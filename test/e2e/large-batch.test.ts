import { expect, it } from 'vitest'
import { call } from '../helpers/api.ts'
import { sharedServer } from '../helpers/shared-server.ts'
import { sendPage, smallSite } from '../crawl/kit.ts'
import { forAll, leftOpen } from '../helpers/for-all.ts'

const site = forAll(() => smallSite({ '*': ({ pathname }, response) => sendPage(response, pathname, []) }))
const server = forAll(sharedServer, leftOpen)

it('a batch accepts 100,000 URLs', async () => {
  const urls = Array.from({ length: 100_000 }, (_, at) => site.url(`/${'long/'.repeat(16)}page-${at}`))
  const { status, body } = await call(server.url, 'POST /v2/batch/scrape', { body: { urls, formats: ['links'] } })
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } })
  const path = `/v2/batch/scrape/${String(body['id'])}`
  const state = await call(server.url, `GET ${path}?limit=1`)
  expect(state).toMatchObject({ body: { status: 'scraping', total: 100_000 } })
  expect(await call(server.url, `DELETE ${path}`)).toMatchObject({ status: 200 })
})
