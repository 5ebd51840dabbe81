import type { Ports } from '../../contracts/ports.ts'
import type { Search } from '../../contracts/search.ts'
import type { Config } from '../config.ts'
import type { Network } from './network.ts'

type Parts = { ports: Pick<Ports, 'clock' | 'index' | 'renderPage'>; network: () => Promise<Network> }

/** Who is asked, in what order, and what is known of their state. */
export async function openSearch(
  config: Config,
  { ports, network }: Parts,
): Promise<{ search: Search; close(): Promise<void> }> {
  const { createResponseCache } = await import('../../engine/search/response-cache.ts')
  const { createBreaker } = await import('../../engine/search/breaker.ts')
  const { searchChain } = await import('../../engine/search/chain.ts')
  const { localProvider } = await import('../../engine/search/providers/local.ts')
  const { chooseProviders, inOrder } = await import('../../engine/search/providers/table.ts')
  const { resultsPages } = await import('../../engine/search/results-pages/results-pages.ts')
  const { createApiClient } = await import('../../engine/net/http/api-client.ts')
  const { clock, renderPage, index } = ports
  const { rule } = await network()
  const trusted = config.searxngUrl === undefined ? [] : [new URL(config.searxngUrl).origin]
  const api = createApiClient({ rule, userAgent: config.userAgent, trusted })
  const chain = {
    providers: inOrder({
      apis: chooseProviders(api, config),
      pages: resultsPages({ renderPage, clock, enabled: config.searchResultsPages }),
      order: config.searchProviders,
    }),
    local: localProvider(index),
    breaker: createBreaker(clock),
    cache: createResponseCache(clock),
  }
  return { search: (request) => searchChain({ clock }, chain, request), close: () => api.close() }
}
