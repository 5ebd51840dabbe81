import type { SearchProvider } from '../../../contracts/search.ts'
import { arxivEntry } from './arxiv.ts'
import { braveEntry } from './brave.ts'
import { commonsEntry } from './commons.ts'
import { crossrefEntry } from './crossref.ts'
import { exaEntry } from './exa.ts'
import { gdeltEntry } from './gdelt.ts'
import { githubEntry } from './github.ts'
import { hackerNewsEntry } from './hacker-news.ts'
import { newsRssEntry } from './news-rss.ts'
import { openverseEntry } from './openverse.ts'
import { pubmedEntry } from './pubmed.ts'
import { searxngEntry } from './searxng.ts'
import { serperEntry } from './serper.ts'
import { stackExchangeEntry } from './stack-exchange.ts'
import { tavilyEntry } from './tavily.ts'
import { wikipediaEntry } from './wikipedia.ts'
import type { Api } from './shared/call-api.ts'
import type { OptionalSetting, ProviderEntry, SearchSettings } from './shared/entry.ts'

/**
 * Every provider by its name, in the order they are asked. The settings it needs, its place among the results pages and
 * its rows in docs/search-providers.md follow from its entry.
 */
export const searchProviders = {
  brave: braveEntry,
  tavily: tavilyEntry,
  exa: exaEntry,
  serper: serperEntry,
  searxng: searxngEntry,
  wikipedia: wikipediaEntry,
  'stack-exchange': stackExchangeEntry,
  'hacker-news': hackerNewsEntry,
  github: githubEntry,
  arxiv: arxivEntry,
  crossref: crossrefEntry,
  pubmed: pubmedEntry,
  commons: commonsEntry,
  openverse: openverseEntry,
  gdelt: gdeltEntry,
  'bing-news': newsRssEntry,
} satisfies Record<string, ProviderEntry>
type ProviderName = keyof typeof searchProviders

/** Settings that providers work without, with what the documentation says of them. */
export const optionalSettings: Readonly<Record<OptionalSetting, string>> = {
  githubToken: 'a token without permissions is enough',
  contactEmail: 'a contact address, which raises their rate limits; sent to them only',
}

const isProviderName = (name: string): name is ProviderName => Object.hasOwn(searchProviders, name)
const entryOf = (name: string): ProviderEntry | undefined => (isProviderName(name) ? searchProviders[name] : undefined)

/**
 * The providers the settings allow, in the order they are asked. Skips names in `order` that are not in the table, such
 * as those of results pages, and providers without the key or URL they need.
 */
export function chooseProviders(api: Api, settings: SearchSettings): SearchProvider[] {
  const names = new Set(settings.order ?? Object.keys(searchProviders))
  return [...names].flatMap((name) => create(entryOf(name), api, settings) ?? [])
}

function create(entry: ProviderEntry | undefined, api: Api, settings: SearchSettings): SearchProvider | undefined {
  if (!entry) return undefined
  if (entry.needs === undefined) return entry.create(api, settings)
  const value = settings[entry.needs.setting]
  return value ? entry.create(api, value) : undefined
}

type Kinds = { apis: readonly SearchProvider[]; pages: readonly SearchProvider[]; order: readonly string[] }

export const searchesWholeWeb = ({ name }: Pick<SearchProvider, 'name'>): boolean =>
  entryOf(name)?.rank === 'before results pages'

/** All providers in the order they are asked: the operator's `order`, or else whole-web APIs, results pages, the rest. */
export function inOrder({ apis, pages, order }: Kinds): SearchProvider[] {
  const all = [...apis.filter(searchesWholeWeb), ...pages, ...apis.filter((api) => !searchesWholeWeb(api))]
  if (order.length === 0) return all
  return [...new Set(order)].flatMap((name) => all.filter((provider) => provider.name === name))
}
