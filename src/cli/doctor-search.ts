import { envNameOf, type Config } from '../config.ts'
import { searchSources } from '../core/search.ts'
import type { Finding } from './finding.ts'

const steadier = `Set ${envNameOf('searxngUrl')}, or a key such as ${envNameOf('braveKey')} or ${envNameOf('tavilyKey')}, for answers that come every time.`

/** Who would be asked for what, and what would make search better. Nobody is asked now. */
export async function searchFinding(config: Config): Promise<Finding> {
  const topic = 'Search'
  if (config.remoteUrl !== undefined) return { topic, state: 'ok', says: 'done by the remote service' }
  const { keyed, pages, providers } = await providersOf(config)
  const unusable = config.searchProviders.filter(
    (name) => name !== 'local' && !providers.some((provider) => provider.name === name),
  )
  if (unusable.length > 0)
    return {
      topic,
      state: 'note',
      says: `${unusable.join(', ')} cannot be asked; ${listed(providers)}`,
      advice: `Correct the names in ${envNameOf('searchProviders')}, or set the key or address they need.`,
    }
  if (keyed.length > 0) return { topic, state: 'ok', says: listed(providers) }
  const means = pages.length > 0 ? '; web results come from public results pages, opened in the browser' : ''
  return { topic, state: 'note', says: `${listed(providers)}${means}`, advice: steadier }
}

const nobody = () => Promise.reject(new Error('nobody is asked here'))

async function providersOf(config: Config) {
  const { chooseProviders } = await import('../engine/search/provider/choose.ts')
  const { inOrder, searchesAll } = await import('../engine/search/providers.ts')
  const { resultsPages } = await import('../engine/search/results-page/results-pages.ts')
  const apis = chooseProviders({ call: nobody }, config)
  const pages = resultsPages({
    renderPage: nobody,
    clock: { now: Date.now },
    enabled: config.searchResultsPages,
  })
  const providers = inOrder({ apis, pages, order: config.searchProviders })
  return { providers, keyed: providers.filter(searchesAll), pages: providers.filter((each) => pages.includes(each)) }
}

function listed(providers: Awaited<ReturnType<typeof providersOf>>['providers']): string {
  if (providers.length === 0) return 'only pages that were read before are searched'
  const bySource = searchSources.map((source) => {
    const names = providers.filter(({ sources }) => sources.has(source)).map(({ name }) => name)
    return `${source}: ${names.join(', ') || 'nobody'}`
  })
  return bySource.join('; ')
}
