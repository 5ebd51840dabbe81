import type { BatchInput, CrawlInput } from '../../schema/crawl-schema.ts'
import type { PageOptions } from '../../schema/scrape/scrape-options.ts'

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

/** State of reading a prompt: the text not yet understood, and the options derived so far. */
export type Draft = { text: string; options: PromptOptions; reasons: Reasons; notes: readonly string[] }
export type Rule = (draft: Draft) => Draft

/** Replaces text that was understood, so the words before and after it are not joined. */
export const gap = ' ¦ '

/**
 * Creates a rule that reads the first match of a pattern. If `read` returns undefined, nothing changes. Options already
 * set are kept.
 */
export function firstMatch(
  pattern: RegExp,
  read: (match: RegExpExecArray) => PromptOptions | undefined,
  keeps: (match: RegExpExecArray) => string = () => '',
): Rule {
  return (draft) => {
    const match = pattern.exec(draft.text)
    const found = match && read(match)
    if (!match || !found) return draft
    const text = `${draft.text.slice(0, match.index)}${gap}${keeps(match)}${draft.text.slice(match.index + match[0].length)}`
    return { ...draft, text, options: { ...found, ...draft.options }, reasons: because(draft, found, match[0]) }
  }
}

function because({ reasons }: Draft, found: PromptOptions, words: string): Reasons {
  const why = reason('rules', [words])
  return { ...Object.fromEntries(Object.keys(found).map((option) => [option, why])), ...reasons }
}

const maxWords = 200

/** Creates a reason. Drops empty words and limits the length of the quote. */
export function reason(by: Reason['by'], words: readonly string[]): Reason {
  const quoted = [...new Set(words.map((each) => each.trim()).filter((each) => each !== ''))].join(', ')
  return { by, ...(quoted !== '' && { words: quoted.slice(0, maxWords) }) }
}

/** Options of a crawl, each with its value. */
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

type Given = { [K in keyof CrawlOptions]?: CrawlOptions[K] | undefined }

/** Merges options: the caller's input overrides those derived from a prompt, which override the defaults. */
export function crawlOptionsOf(input: CrawlInput, generated: Given = {}): CrawlOptions {
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
  generated: Given = {},
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
export const completeOptions = (kept: CrawlOptions): CrawlOptions => ({ ...defaults, ...kept })

/** Extracts the page options from the options of a batch. */
export function batchPageOptions(input: BatchInput): PageOptions {
  const { urls: _u, appendToId: _a, ignoreInvalidURLs: _i, maxConcurrency: _m, webhook: _w, ...rest } = input
  const { zeroDataRetention: _z, origin: _o, integration: _n, wait: _t, ...options } = rest
  return options
}
