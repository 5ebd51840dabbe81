import type { SearchProvider } from '../../../../contracts/search.ts'
import type { Api } from './call-api.ts'

export type SearchSettings = {
  braveKey?: string | undefined
  tavilyKey?: string | undefined
  exaKey?: string | undefined
  serperKey?: string | undefined
  searxngUrl?: string | undefined
  githubToken?: string | undefined
  /** Sent to services that ask clients for a contact. */
  contactEmail?: string | undefined
  /** Names of the providers to ask, in this order, and no others. */
  order?: readonly string[] | undefined
}
export type OptionalSetting = 'githubToken' | 'contactEmail'
type RequiredSetting = Exclude<keyof SearchSettings, OptionalSetting | 'order'>

/** What the documentation says of a provider; its operators come from the provider itself. */
type ProviderDocs = { finds: string; limits?: string; time?: string; location?: string }

/** Everything known of a provider before it is created. */
type EntryBase = {
  /** Whole-web searches are asked before the results pages of public engines, all others after them. */
  rank: 'before results pages' | 'after results pages'
  docs: ProviderDocs
}
export type KeyedProviderEntry = EntryBase & {
  /** The provider is used only where this is set; `source` says where to get it. */
  needs: { setting: RequiredSetting; source: string }
  create(api: Api, value: string): SearchProvider
}
export type OpenProviderEntry = EntryBase & {
  needs?: undefined
  uses?: OptionalSetting
  create(api: Api, settings: SearchSettings): SearchProvider
}
export type ProviderEntry = KeyedProviderEntry | OpenProviderEntry
