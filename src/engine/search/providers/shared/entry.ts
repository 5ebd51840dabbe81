import type { SearchProvider } from '../../../../contracts/search-port.ts'
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

/** How a provider is made: from the settings, or by a test for a service of its own. */
export type ProviderOptions = {
  baseUrl?: string | undefined
  key?: string | undefined
  token?: string | undefined
  contactEmail?: string | undefined
}

/** Everything known of a provider before it is made, and how it is made. */
export type ProviderEntry = {
  /** Whole-web searches are asked before the results pages of public engines, all others after them. */
  rank: 'before results pages' | 'after results pages'
  docs: ProviderDocs
  /** The provider is used only where this is set; `source` says where to get it, `option` what it is. */
  needs?: { setting: RequiredSetting; source: string; option: 'key' | 'baseUrl' }
  uses?: OptionalSetting
  (api: Api, options?: ProviderOptions): SearchProvider
}
