import { expect, it } from 'vitest'
import { parseJson } from '../../src/util/json.ts'
import { sharedServer } from '../helpers/shared-server.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { httpClient } from '../helpers/mcp-client.ts'

const site = siteForAll()
const server = forAll(sharedServer, leftOpen)
const client = forAll(() => httpClient(`${server.url}/mcp?tools=research`))

async function answer(name: string, input: Record<string, unknown>): Promise<unknown> {
  const { content, text } = await client.call(name, input)
  expect(content).toHaveLength(1)
  return parseJson(text)
}

it('the tool set research has only search and fetch, and the full set lacks fetch', async () => {
  expect((await client.sdk.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(['fetch', 'search'])
  const other = await httpClient(`${server.url}/mcp`)
  const names = (await other.sdk.listTools()).tools.map(({ name }) => name)
  expect([names.includes('scrape'), names.includes('fetch')]).toEqual([true, false])
  await other.close()
})

it('search and fetch return JSON, and fetch reads by the id from search', async () => {
  const page = site.url('/article')
  const fetched = { id: page, title: expect.any(String), url: page, metadata: { statusCode: 200 } }
  expect(await answer('fetch', { id: page })).toMatchObject({ ...fetched, text: expect.stringContaining('lighthouse') })
  const { results } = (await answer('search', { query: 'lighthouse' })) as { results: { id: string }[] }
  expect(results).toContainEqual(expect.objectContaining({ id: page, url: page, title: expect.any(String) }))
})
