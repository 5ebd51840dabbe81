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

/** Over /v1 as many as no other call may send: what is done with them is the same. */
it.each([
  ['/v2', 100_000],
  ['/v1', 25_000],
])('%s/batch/scrape accepts %i URLs', { timeout: 120_000 }, async (version, count) => {
  const urls = Array.from({ length: count }, (_, at) => site.url(`/${'long/'.repeat(16)}page-${at}`))
  const begun = await ask('POST', `${version}/batch/scrape`, { urls, formats: ['links'] })
  expect(begun).toMatchObject({ http: 200, success: true })
  const path = `${version}/batch/scrape/${begun.id}`
  expect(await ask('GET', `${path}?limit=1`)).toMatchObject({ status: 'scraping', total: count })
  expect(await ask('DELETE', path)).toMatchObject({ http: 200 })
})

it('no other call accepts such a body', async () => {
  const formats = Array.from({ length: 200_000 }, () => 'markdown')
  expect(await ask('POST', '/v2/scrape', { url: site.url('/'), formats })).toMatchObject({ http: 413 })
})
