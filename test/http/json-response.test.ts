import { getRequestListener } from '@hono/node-server'
import { expect, test } from 'vitest'
import { jsonResponse } from '../../src/surfaces/http/responses.ts'
import { forTest } from '../helpers/for-all.ts'
import { serve } from '../helpers/listen.ts'
import { StoredJson } from '../../src/util/json.ts'

const page = (length: number) => ({ markdown: 'ä'.repeat(length), links: ['b'] })
/** JSON in three pieces. */
function stored(value: object): StoredJson {
  const bytes = Buffer.from(JSON.stringify(value))
  return new StoredJson(bytes.subarray(0, 4), bytes.subarray(4, -4), bytes.subarray(-4))
}

const served = async (value: object) => forTest(await serve(getRequestListener(() => jsonResponse(value)))).origin

test.each([
  { what: 'short', lengths: [10, 20] },
  { what: 'long', lengths: [50_000, 3, 4, 40_000, 9000] },
  { what: 'one long page', lengths: [400_000] },
  { what: 'many short pages', lengths: Array.from({ length: 2000 }, () => 40) },
])('an answer is complete and has its length: $what', async ({ lengths }) => {
  const pages = lengths.map(page)
  const response = await fetch(await served({ success: true, data: pages.map(stored), next: null }))
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.toString()).toBe(JSON.stringify({ success: true, data: pages, next: null }))
  expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
  expect(response.headers.get('content-type')).toBe('application/json')
})
