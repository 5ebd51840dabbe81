import { describe, expect, it } from 'vitest'
import { forAll, serverForAll, siteForAll } from '../helpers/for-all.ts'
import { httpClient } from '../helpers/mcp-client.ts'
import { runProgram } from '../helpers/program.ts'
import { sitePages, startEngine } from './search-engine.ts'

const site = siteForAll()
const engine = forAll(() => startEngine(sitePages(() => site)))
const server = serverForAll(() => ({
  GOSSAMER_SEARXNG_URL: engine.url,
  GOSSAMER_SEARCH_PROVIDERS: 'searxng',
  // A search must not wait for itself.
  GOSSAMER_MAX_CONCURRENCY: '1',
}))

it('the search tool also reads the results, each of which scrape_result returns whole', async () => {
  const client = await httpClient(`${server.url}/mcp`)
  const { text } = await client.call('search', { query: 'lighthouse', scrapeOptions: { formats: ['markdown'] } })
  expect(text).toMatch(/could not be scraped: \S/)
  // The answer lists the results without their full text.
  expect(text.length).toBeLessThan(3000)
  const scrapeId = /scrapeId ([\w-]{36}), \d+ characters/.exec(text)?.[1] ?? ''
  expect((await client.call('scrape_result', { jobId: scrapeId })).text).toContain('ARTICLE_START')
  await client.close()
})

/** Returns the lines of `doctor` about search. */
const says = async (more: Record<string, string>) => {
  const { stdout } = await runProgram(['doctor'], { ...server.env, ...more })
  const { findings } = JSON.parse(stdout) as { findings: { topic: string }[] }
  return findings.find(({ topic }) => topic === 'Search')
}

describe('gossamer doctor', () => {
  it('reports which providers are used', async () => {
    expect(await says({})).toMatchObject({ state: 'ok', says: 'web: searxng; images: searxng; news: searxng' })
  })

  it('reports which provider names are unknown', async () => {
    expect(await says({ GOSSAMER_SEARCH_PROVIDERS: 'brave,wikipedia,wikipedai' })).toMatchObject({
      state: 'note',
      says: expect.stringContaining('brave, wikipedai cannot be used; web: wikipedia'),
    })
  })
})
