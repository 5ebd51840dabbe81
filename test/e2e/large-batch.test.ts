import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedServer, type SharedServer } from '../helpers/shared-server.ts'
import { type SmallSite, sendPage, smallSite } from '../crawl/kit.ts'

let site: SmallSite
let server: SharedServer
beforeAll(async () => {
  site = await smallSite({ '*': ({ pathname }, response) => sendPage(response, pathname, []) })
  server = await sharedServer()
})
afterAll(() => site.close())

async function ask(method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { http: response.status, ...((await response.json()) as { id?: string }) }
}

it('a batch accepts 100,000 URLs', async () => {
  const urls = Array.from({ length: 100_000 }, (_, at) => site.url(`/${'long/'.repeat(16)}page-${at}`))
  const started = await ask('POST', '/v2/batch/scrape', { urls, formats: ['links'] })
  expect(started).toMatchObject({ http: 200, success: true })
  const path = `/v2/batch/scrape/${started.id}`
  expect(await ask('GET', `${path}?limit=1`)).toMatchObject({ status: 'scraping', total: 100_000 })
  expect(await ask('DELETE', path)).toMatchObject({ http: 200 })
})
