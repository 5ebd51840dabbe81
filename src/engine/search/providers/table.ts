import type { SearchProvider } from '../../../contracts/search-port.ts'
import { brave } from './brave.ts'
import { exa } from './exa.ts'
import { arxiv, crossref, pubmed } from './research.ts'
import { commons, openverse } from './pictures.ts'
import { gdelt, newsRss } from './news.ts'
import { github, hackerNews, stackExchange } from './code.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { tavily } from './tavily.ts'
import { wikipedia } from './wikipedia.ts'
import type { Api } from './shared/call-api.ts'
import type { OptionalSetting, ProviderEntry, SearchSettings } from './shared/define-provider.ts'

/**
 * All providers by name, in the order they are queried. The settings they need, their position among the results pages
 * and their rows in docs/search.md derive from these entries.
 */
export const searchProviders = {
  brave,
  tavily,
  exa,
  serper,
  searxng,
  wikipedia,
  'stack-exchange': stackExchange,
  'hacker-news': hackerNews,
  github,
  arxiv,
  crossref,
  pubmed,
  commons,
  openverse,
  gdelt,
  'bing-news': newsRss,
} satisfies Record<string, ProviderEntry>

/** Optional settings of providers, with their documentation. */
export const optionalSettings: Readonly<Record<OptionalSetting, string>> = {
  githubToken: 'a token without permissions is enough',
  contactEmail: 'a contact address, which raises their rate limits; sent to them only',
}

const isProviderName = (name: string): name is keyof typeof searchProviders => Object.hasOwn(searchProviders, name)
const entryOf = (name: string): ProviderEntry | undefined => (isProviderName(name) ? searchProviders[name] : undefined)

/**
 * Returns the providers that the settings allow, in query order. Skips names in `order` that are not in the table, such
 * as those of results pages, and providers without the required key or URL.
 */
export function chooseProviders(api: Api, settings: SearchSettings): SearchProvider[] {
  const names = new Set(settings.order ?? Object.keys(searchProviders))
  return [...names].flatMap((name) => create(entryOf(name), api, settings) ?? [])
}

function create(entry: ProviderEntry | undefined, api: Api, settings: SearchSettings): SearchProvider | undefined {
  const { githubToken: token, contactEmail } = settings
  const value = entry?.needs && settings[entry.needs.setting]
  if (!entry || (entry.needs && !value)) return undefined
  return entry(api, { token, contactEmail, ...(entry.needs && { [entry.needs.option]: value }) })
}

type Kinds = { apis: readonly SearchProvider[]; pages: readonly SearchProvider[]; order: readonly string[] }

/** True if a provider searches the whole web by an API. */
export const searchesWholeWeb = ({ name }: Pick<SearchProvider, 'name'>): boolean =>
  entryOf(name)?.rank === 'before results pages'

/** Returns all providers in query order: the operator's `order`, otherwise whole-web APIs, results pages, the rest. */
export function inOrder({ apis, pages, order }: Kinds): SearchProvider[] {
  const all = [...apis.filter(searchesWholeWeb), ...pages, ...apis.filter((api) => !searchesWholeWeb(api))]
  if (order.length === 0) return all
  return [...new Set(order)].flatMap((name) => all.filter((provider) => provider.name === name))
}
