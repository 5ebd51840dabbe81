import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../helpers/api.ts'
import { sharedServer, type SharedServer } from '../helpers/shared-server.ts'
import { type SmallSite, sendPage, smallSite } from '../crawl/kit.ts'

let site: SmallSite
let server: SharedServer
beforeAll(async () => {
  site = await smallSite({ '*': ({ pathname }, response) => sendPage(response, pathname, []) })
  server = await sharedServer()
})
afterAll(() => site.close())

it('a batch accepts 100,000 URLs', async () => {
  const urls = Array.from({ length: 100_000 }, (_, at) => site.url(`/${'long/'.repeat(16)}page-${at}`))
  const { status, body } = await call(server.url, 'POST /v2/batch/scrape', { body: { urls, formats: ['links'] } })
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } })
  const path = `/v2/batch/scrape/${String(body['id'])}`
  const state = await call(server.url, `GET ${path}?limit=1`)
  expect(state).toMatchObject({ body: { status: 'scraping', total: 100_000 } })
  expect(await call(server.url, `DELETE ${path}`)).toMatchObject({ status: 200 })
})
