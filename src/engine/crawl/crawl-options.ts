import type { CrawlInput } from '../../schema/crawl-schema.ts'

/** Crawl options that can be derived from a prompt, under the names of the crawl's options. */
export type PromptOptions = {
  includePaths?: string[]
  excludePaths?: string[]
  maxDiscoveryDepth?: number
  crawlEntireDomain?: boolean
  allowExternalLinks?: boolean
  allowSubdomains?: boolean
  sitemap?: 'skip' | 'include' | 'only'
  ignoreQueryParameters?: boolean
  deduplicateSimilarURLs?: boolean
  /** Seconds. */
  delay?: number
  limit?: number
}

/** Source of a derived option, and the words of the prompt that it is based on. */
type Reason = { by: 'rules' | 'site' | 'model'; words?: string }
export type Reasons = { [K in keyof PromptOptions]?: Reason }

const maxWords = 200

/** Creates a reason. Drops empty words and limits the length of the quote. */
export function reason(by: Reason['by'], words: readonly string[]): Reason {
  const quoted = [...new Set(words.map((each) => each.trim()).filter((each) => each !== ''))].join(', ')
  return { by, ...(quoted !== '' && { words: quoted.slice(0, maxWords) }) }
}

/** All options of a crawl, with defaults filled in. */
export type CrawlOptions = {
  url: string
  includePaths: readonly string[]
  excludePaths: readonly string[]
  regexOnFullURL: boolean
  maxDiscoveryDepth: number | undefined
  sitemap: 'include' | 'skip' | 'only'
  ignoreQueryParameters: boolean
  deduplicateSimilarURLs: boolean
  limit: number
  crawlEntireDomain: boolean
  allowExternalLinks: boolean
  allowSubdomains: boolean
  ignoreRobotsTxt: boolean
  robotsUserAgent: string | undefined
  /** Seconds between two pages. */
  delay: number | undefined
}

const defaults: Omit<CrawlOptions, 'url'> = {
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  maxDiscoveryDepth: undefined,
  sitemap: 'include',
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  limit: 10_000,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
  ignoreRobotsTxt: false,
  robotsUserAgent: undefined,
  delay: undefined,
}

type SomeOptions = { [K in keyof CrawlOptions]?: CrawlOptions[K] | undefined }

/** Merges options: the caller's input overrides those derived from a prompt, which override the defaults. */
export function crawlOptionsOf(input: CrawlInput, generated: SomeOptions = {}): CrawlOptions {
  const names = Object.keys(defaults) as (keyof typeof defaults)[]
  const chosen = names.map((name) => [name, input[name] ?? generated[name] ?? defaults[name]])
  return { ...(Object.fromEntries(chosen) as typeof defaults), url: input.url }
}

/** Origin of an option's value: the caller or the prompt. Options that are absent have their default value. */
export type Origin = { from: 'caller' } | ({ from: 'prompt' } & Partial<Reason>)
export type Origins = { [K in keyof CrawlOptions]?: Origin }

/** Returns the origin of each option that `crawlOptionsOf` did not take from the defaults. */
export function originsOf(
  input: CrawlInput,
  generated: SomeOptions = {},
  reasons: { [K in keyof CrawlOptions]?: Reason | undefined } = {},
): Origins {
  const names = Object.keys(defaults) as (keyof typeof defaults)[]
  return Object.fromEntries(
    names.flatMap((name): [string, Origin][] => {
      if (input[name] !== undefined) return [[name, { from: 'caller' }]]
      return generated[name] === undefined ? [] : [[name, { from: 'prompt', ...reasons[name] }]]
    }),
  )
}

/** Fills missing options of a stored crawl with their defaults. */
export const completeOptions = (stored: CrawlOptions): CrawlOptions => ({ ...defaults, ...stored })
