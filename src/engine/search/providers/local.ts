import type { PageIndex } from '../../../contracts/stored-pages.ts'
import type { SearchProvider } from '../../../contracts/search-port.ts'

/**
 * Creates a provider for the team's index of pages read before: it needs no network and covers pages that search
 * engines cannot see.
 */
export function localProvider(index: Pick<PageIndex, 'search'>): SearchProvider {
  return {
    name: 'local',
    sources: new Set(['web']),
    operators: new Set(['phrase', 'without', 'site', 'filetype', 'inUrl', 'inTitle', 'related']),
    period: 'exact',
    weight: 0.5,
    async search(request) {
      if (request.source !== 'web') return []
      const hits = await index.search({ ...request, limit: request.limit * 2 })
      return hits.map(({ url, title, description }) => ({ url, title, description }))
    },
  }
}
