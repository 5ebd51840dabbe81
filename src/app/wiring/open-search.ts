import { type Finding, findingsOn, type Ports } from '../../contracts/ports.ts'
import type { Search } from '../../contracts/search-port.ts'
import { searchSources } from '../../schema/search-schema.ts'
import type { createApiClient } from '../../engine/net/http/api-client.ts'
import type { Config } from '../config.ts'
import type { Network } from './open-network.ts'

type SearchPorts = Pick<Ports, 'clock' | 'index' | 'renderPage'>

/** Opens search over the providers that the settings allow, in order. */
export async function openSearch(
  config: Config,
  { clock, index, renderPage }: SearchPorts,
  { rule }: Network,
): Promise<{ search: Search; close(): Promise<void> }> {
  const { createBreaker, createResponseCache, localProvider, searchChain } =
    await import('../../engine/search/chain.ts')
  const { createApiClient: createClient } = await import('../../engine/net/http/api-client.ts')
  const trusted = config.searxngUrl === undefined ? [] : [new URL(config.searxngUrl).origin]
  const api = createClient({ rule, userAgent: config.userAgent, trusted })
  const chain = {
    providers: (await providersOf(config, { api, clock, renderPage })).providers,
    local: localProvider(index),
    breaker: createBreaker(clock),
    cache: createResponseCache(clock),
  }
  return { search: (request) => searchChain({ clock }, chain, request), close: () => api.close() }
}

type ProviderParts = Pick<SearchPorts, 'clock' | 'renderPage'> & {
  api: Pick<ReturnType<typeof createApiClient>, 'call'>
}

async function providersOf(config: Config, { api, clock, renderPage }: ProviderParts) {
  const { chooseProviders, inOrder, searchesWholeWeb } = await import('../../engine/search/providers/table.ts')
  const { resultsPages } = await import('../../engine/search/results-pages/results-pages.ts')
  const pages = resultsPages({ renderPage, clock, enabled: config.searchResultsPages })
  const providers = inOrder({ apis: chooseProviders(api, config), pages, order: config.searchProviders })
  return {
    providers,
    searchesWeb: providers.some(searchesWholeWeb),
    opensResultsPages: providers.some((each) => pages.includes(each)),
  }
}

const reliableHint =
  'Set GOSSAMER_SEARXNG_URL, or a key such as GOSSAMER_BRAVE_KEY or GOSSAMER_TAVILY_KEY, for reliable results.'

/** Stands in for the network and the browser, because listing the providers sends no request. */
const noRequest = () => Promise.reject(new Error('A list of providers sends no request.'))

/** Reports the search providers by kind of source, and settings that would improve search. Sends no request. */
export async function searchFinding(config: Config): Promise<Finding> {
  const { ok, note } = findingsOn('Search')
  if (config.remoteUrl !== undefined) return ok('done by the remote service')
  const parts = { api: { call: noRequest }, clock: { now: Date.now }, renderPage: noRequest }
  const { providers, searchesWeb, opensResultsPages } = await providersOf(config, parts)
  const list = listed(providers)
  const unusable = config.searchProviders.filter(
    (name) => name !== 'local' && !providers.some((provider) => provider.name === name),
  )
  if (unusable.length > 0)
    return note(
      `${unusable.join(', ')} cannot be used; ${list}`,
      'Correct the names in GOSSAMER_SEARCH_PROVIDERS, or set the key or URL they need.',
    )
  if (searchesWeb) return ok(list)
  const means = opensResultsPages ? '; web results come from public results pages opened in the browser' : ''
  return note(`${list}${means}`, reliableHint)
}

function listed(providers: Awaited<ReturnType<typeof providersOf>>['providers']): string {
  if (providers.length === 0) return 'only the local index is searched'
  const bySource = searchSources.map((source) => {
    const names = providers.filter(({ sources }) => sources.has(source)).map(({ name }) => name)
    return `${source}: ${names.join(', ') || 'none'}`
  })
  return bySource.join('; ')
}
