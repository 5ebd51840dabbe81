import type { SearchProvider } from '../../../contracts/search.ts'
import type { Api } from './shared/call-api.ts'
import { arxiv } from './arxiv.ts'
import { brave } from './brave.ts'
import { commons } from './commons.ts'
import { crossref } from './crossref.ts'
import { exa } from './exa.ts'
import { gdelt } from './gdelt.ts'
import { github } from './github.ts'
import { hackerNews } from './hacker-news.ts'
import { newsRss } from './news-rss.ts'
import { openverse } from './openverse.ts'
import { pubmed } from './pubmed.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { stackExchange } from './stack-exchange.ts'
import { tavily } from './tavily.ts'
import { wikipedia } from './wikipedia.ts'

export type SearchSettings = {
  braveKey?: string | undefined
  tavilyKey?: string | undefined
  exaKey?: string | undefined
  serperKey?: string | undefined
  searxngUrl?: string | undefined
  githubToken?: string | undefined
  /** Told to services that ask for an address to write to. */
  contactEmail?: string | undefined
  /** Names of the providers to ask, in this order, and no others. */
  order?: readonly string[] | undefined
}

/** Names that `order` may hold, in the order they are asked without it. */
export const providerNames = [
  ...(['brave', 'tavily', 'exa', 'serper', 'searxng'] as const),
  ...(['wikipedia', 'stack-exchange', 'hacker-news', 'github', 'arxiv', 'crossref', 'pubmed'] as const),
  ...(['commons', 'openverse', 'gdelt', 'bing-news'] as const),
] as const
export type ProviderName = (typeof providerNames)[number]

type Makers = Record<ProviderName, (api: Api, settings: SearchSettings) => SearchProvider | undefined>

const makers: Makers = {
  brave: (api, { braveKey: key }) => (key ? brave(api, { key }) : undefined),
  tavily: (api, { tavilyKey: key }) => (key ? tavily(api, { key }) : undefined),
  exa: (api, { exaKey: key }) => (key ? exa(api, { key }) : undefined),
  serper: (api, { serperKey: key }) => (key ? serper(api, { key }) : undefined),
  searxng: (api, { searxngUrl: baseUrl }) => (baseUrl ? searxng(api, { baseUrl }) : undefined),
  wikipedia: (api, { contactEmail }) => wikipedia(api, { contactEmail }),
  'stack-exchange': (api) => stackExchange(api),
  'hacker-news': (api) => hackerNews(api),
  github: (api, { githubToken: token }) => github(api, { token }),
  arxiv: (api) => arxiv(api),
  crossref: (api, { contactEmail }) => crossref(api, { contactEmail }),
  pubmed: (api, { contactEmail }) => pubmed(api, { contactEmail }),
  commons: (api, { contactEmail }) => commons(api, { contactEmail }),
  openverse: (api) => openverse(api),
  gdelt: (api) => gdelt(api),
  'bing-news': (api) => newsRss(api),
}

/**
 * The providers the settings allow, in the order they are asked. Names in `order` that are not known here, such as those
 * of other kinds of search, are passed over, as are providers without the key or address they need.
 */
export function chooseProviders(api: Api, settings: SearchSettings): SearchProvider[] {
  const names = (settings.order ?? providerNames).filter(isKnown)
  return [...new Set(names)].flatMap((name) => makers[name](api, settings) ?? [])
}

const isKnown = (name: string): name is ProviderName => (providerNames as readonly string[]).includes(name)

type Kinds = { apis: readonly SearchProvider[]; pages: readonly SearchProvider[]; order: readonly string[] }

/** Those that search the whole web with a key or at an address of the operator's; they are asked before any results page. */
const first = new Set(['brave', 'tavily', 'exa', 'serper', 'searxng'])
export const searchesAll = ({ name }: Pick<SearchProvider, 'name'>): boolean => first.has(name)

/** All providers in the order they are asked: the operator's, or keyed services, results pages, open services. */
export function inOrder({ apis, pages, order }: Kinds): SearchProvider[] {
  const all = [...apis.filter(searchesAll), ...pages, ...apis.filter((api) => !searchesAll(api))]
  if (order.length === 0) return all
  return [...new Set(order)].flatMap((name) => all.filter((provider) => provider.name === name))
}
