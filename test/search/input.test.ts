import { describe, expect, it } from 'vitest'
import { foldSearchArguments } from '../../src/operations/search.ts'
import { SearchInput } from '../../src/schema/search-schema.ts'

const issuesOf = (input: object) =>
  SearchInput.safeParse({ query: 'silk', ...input }).error?.issues.map(({ path }) => path[0])

const formatsOf = (scrapeOptions: object) => {
  const input = SearchInput.parse(foldSearchArguments({ query: 'silk', scrapeOptions }))
  return input.scrapeOptions?.formats.map(({ type }) => type)
}

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
  ])('%j is refused', (input, field) => expect(issuesOf(input)).toEqual([field]))

  it('accepts fields that Firecrawl clients add', () => {
    const input = {
      sources: ['web', 'alexandria'],
      categories: ['developer'],
      toolDetail: 'compact',
      domainTools: true,
    }
    expect(SearchInput.parse({ query: 'silk', ...input })).toMatchObject({ sources: ['web'], categories: ['github'] })
  })

  it('from a tool reads the pages as text by default', () => {
    expect(formatsOf({})).toEqual(['markdown'])
    expect(formatsOf({ formats: ['links'] })).toEqual(['links'])
    expect(SearchInput.parse(foldSearchArguments({ query: 'silk' })).scrapeOptions).toBeUndefined()
  })

  it('applies the rules of a scrape to its pages', () => {
    expect(issuesOf({ scrapeOptions: { formats: ['markdown'], waitFor: 50_000 } })).toEqual(['scrapeOptions'])
  })
})
