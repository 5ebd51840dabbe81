import { gunzipSync } from 'node:zlib'
import type { Contestant } from './contestant.ts'
import { pathOf } from './pages.ts'

/** The lower bound: only fetching and decoding, by the fastest client for Node. */
export const raw: Contestant = {
  id: 'raw',
  name: 'undici, fetch and decode only',
  makes: 'html',
  finds: 'given',
  async load() {
    const { Pool } = await import('undici')
    return async ({ origin, pages, concurrency }, take) => {
      const pool = new Pool(origin, { connections: concurrency, allowH2: false })
      let next = 0
      const line = async () => {
        for (let at = next++; at < pages; at = next++) {
          const path = pathOf(at)
          const { body } = await pool.request({ path, method: 'GET', headers: { 'accept-encoding': 'gzip' } })
          const text = gunzipSync(await body.arrayBuffer()).toString()
          take({ url: origin + path, text, links: undefined })
        }
      }
      await Promise.all(Array.from({ length: concurrency }, line))
      await pool.close()
    }
  },
}
