import { describe, expect, it } from 'vitest'
import type { SearchRequest } from '../../src/contracts/search-port.ts'
import { search } from '../../src/engine/search/search.ts'
import { search as operation } from '../../src/operations/search.ts'
import { SearchInput } from '../../src/schema/search-schema.ts'
import { fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import { hits } from './kit.ts'

/** A world with so many results. */
function world(count: number) {
  const made = fakeWorld()
  const requests: SearchRequest[] = []
  const found = hits(...Array.from({ length: count }, (_, at) => `page${at}`))
  const ports = {
    ...made.ports,
    search: async (request: SearchRequest) => {
      requests.push(request)
      return { hits: found, notes: [], isUnanswered: false, isLate: false }
    },
  }
  const ask = (input: object) =>
    search(ports, SearchInput.parse({ query: 'spider silk', limit: 100, ...input }), fakeCtx())
  return { ...made, requests, ask }
}

describe('the special modes', () => {
  it.each([
    [undefined, []],
    [['default'], []],
    [['anon'], ['searchEnterprise']],
    [['zdr', 'default'], ['searchEnterprise']],
  ])('%j need the permissions %j', (enterprise, permissions) => {
    expect(operation.permissions?.(SearchInput.parse({ query: 'silk', enterprise }))).toEqual(permissions)
  })

  it('zdr stores nothing', async () => {
    const { ask, requests, indexed, cache, recorded } = world(2)
    await ask({ enterprise: ['zdr'], scrapeOptions: { formats: ['markdown'] } })
    expect(requests[0]?.retention).toBe('none')
    expect([indexed, recorded, cache.size]).toEqual([[], [], 0])
    expect(operation.job?.isPrivate?.(SearchInput.parse({ query: 'silk', enterprise: ['zdr'] }))).toBe(true)
  })
})
