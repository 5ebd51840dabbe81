import { describe, expect, it } from 'vitest'
import { SearchInput } from '../../src/schema/search.ts'

const issuesOf = (input: object) =>
  SearchInput.safeParse({ query: 'silk', ...input }).error?.issues.map(({ path }) => path[0])

describe('the input of a search', () => {
  it.each([
    [{ includeDomains: ['a.example'], excludeDomains: ['b.example'] }, 'excludeDomains'],
    [{ includeDomains: ['https://a.example/x'] }, 'includeDomains'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ query: ' ' }, 'query'],
    [{ query: 'x'.repeat(501) }, 'query'],
    [{ sources: ['videos'] }, 'sources'],
    [{ sources: [] }, 'sources'],
    [{ sources: ['alexandria'] }, 'sources'],
    [{ categories: ['cats'] }, 'categories'],
    [{ country: 'Germany' }, 'country'],
    [{ enterprise: ['all'] }, 'enterprise'],
  ])('%j is refused', (input, field) => {
    expect(issuesOf(input)).toEqual([field])
  })

  it('takes what clients of the public service send by themselves', () => {
    const input = {
      sources: ['web', 'alexandria'],
      categories: ['developer'],
      toolDetail: 'compact',
      domainTools: true,
    }
    expect(SearchInput.parse({ query: 'silk', ...input })).toMatchObject({ sources: ['web'], categories: ['github'] })
  })
})
