import { describe, expect, test } from 'vitest'
import { findRecordedCall } from '../../src/engine/account/team-jobs.ts'
import { operations } from '../../src/operations/index.ts'
import { shortInput } from '../../src/surfaces/dashboard/dashboard.ts'

const named = (name: string) => operations.find((each) => each.name === name)!
const parsed = (name: string, input: object) => named(name).input.parse(input) as Record<string, unknown>

const ask = (replay: object | null, teamId = 'one') =>
  findRecordedCall('id', {
    team: { id: 'one', key: null, permissions: [] },
    ports: { jobs: { find: async () => ({ endpoint: 'scrape', teamId, replay }) } } as never,
  })

describe('the recorded call of a job', () => {
  test.each([
    ['scrape', { url: 'https://a.example/' }],
    ['scrape', { url: 'https://a.example/', onlyMainContent: false, formats: [{ type: 'links' }], timeout: 5000 }],
    ['crawl', { url: 'https://a.example/', limit: 3, scrapeOptions: { onlyMainContent: false } }],
    ['search', { query: 'kettles', limit: 2 }],
    ['map', { url: 'https://a.example/', includeSubdomains: false }],
  ])('%s is shown without defaults: %o', (name, input) => {
    const short = shortInput(named(name), parsed(name, input))
    expect(short).toEqual(input)
    expect(parsed(name, short)).toEqual(parsed(name, input))
  })

  test('is shown only to its own team, and only if it was stored', async () => {
    expect(await ask({ url: 'https://a.example/' }, 'other')).toBeUndefined()
    expect(await ask(null)).toBeUndefined()
  })
})
