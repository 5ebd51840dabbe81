import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SearchQuery } from '../../src/contracts/search-port.ts'
import { openStore } from '../../src/engine/store/sqlite/open-store.ts'
import type { Contestant } from './contestant.ts'

const teamId = 'bench'
const fetchedAt = Date.UTC(2026, 0, 1)
const silent = () => {}

/** The index as scrapes use it: on disk, in its own thread, with passages of the cached pages in its answers. */
export async function createOurs(): Promise<Contestant> {
  const dir = await mkdtemp(join(tmpdir(), 'gossamer-bench-search-'))
  const store = await openStore({
    dir,
    clock: { now: Date.now },
    cacheMaxBytes: 2 ** 40,
    jobRetentionMs: 1000,
    log: { debug: silent, info: silent, warn: console.error, error: console.error },
  })
  const numbers = new Map<string, number>()
  return {
    async prepare(pages) {
      for (const [nth, { url, text }] of pages.entries()) {
        numbers.set(url, nth)
        const made = { main: { markdown: text } }
        const kept = store.pages.keep(url, { fetchedAt, url, status: 200, headers: {}, made }, Buffer.from('x'))
        if (nth % 200 === 199) await kept
      }
    },
    async build(pages) {
      const page = { teamId, description: '', fetchedAt, contentType: 'text/html' }
      await Promise.all(pages.map((each) => store.index.put({ ...page, ...each, cacheKey: each.url })))
    },
    async search(text, limit) {
      const query = queryOf(text)
      const found = await store.index.search({
        query,
        teamId,
        limit,
        includeDomains: [],
        excludeDomains: [],
        period: undefined,
      })
      return found.flatMap(({ url }) => numbers.get(url) ?? [])
    },
    bytes: async () => (await store.index.facts()).bytes,
    async end() {
      await store.close()
      await rm(dir, { recursive: true })
    },
  }
}

const queryOf = (text: string): SearchQuery => ({
  text,
  terms: text.split(/\s+/),
  phrases: [],
  without: [],
  isAny: false,
  site: [],
  notSite: [],
  filetype: [],
  notFiletype: [],
  inUrl: [],
  notInUrl: [],
  inTitle: [],
  notInTitle: [],
  related: undefined,
  imageSize: undefined,
  larger: undefined,
})
