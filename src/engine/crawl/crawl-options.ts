import type { BatchInput, CrawlInput } from '../../schema/crawl-schema.ts'
import type { PageOptions } from '../../schema/scrape/scrape-options.ts'

/** What a prompt can say of a crawl, by the names of the crawl's options. */
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

/** What an option was derived from: who derived it, and the words of the prompt that say so. */
type Reason = { by: 'rules' | 'site' | 'model'; words?: string }
export type Reasons = { [K in keyof PromptOptions]?: Reason }

/** A prompt that is being read: what is still to be understood of it, and what was. */
export type Draft = { text: string; options: PromptOptions; reasons: Reasons; notes: readonly string[] }
export type Rule = (draft: Draft) => Draft

/** Stands where something was understood, so that the words on its two sides do not join. */
export const gap = ' ¦ '

/** A rule that takes the first place where a pattern fits; undefined leaves the place as it is. What was set first stays. */
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

/** Words that no rule gives are left out, and so is what would fill an answer. */
export function reason(by: Reason['by'], words: readonly string[]): Reason {
  const said = [...new Set(words.map((each) => each.trim()).filter((each) => each !== ''))].join(', ')
  return { by, ...(said !== '' && { words: said.slice(0, maxWords) }) }
}

/** The rules of a crawl, each with its value. */
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

/** What was asked for wins over what a prompt says, which wins over the defaults. */
export function crawlOptionsOf(input: CrawlInput, generated: Given = {}): CrawlOptions {
  const names = Object.keys(defaults) as (keyof typeof defaults)[]
  const chosen = names.map((name) => [name, input[name] ?? generated[name] ?? defaults[name]])
  return { ...(Object.fromEntries(chosen) as typeof defaults), url: input.url }
}

/** Where the value of an option comes from: from who asked, or from the words of a prompt. What is left out is a default. */
export type Origin = { from: 'caller' } | ({ from: 'prompt' } & Partial<Reason>)
export type Origins = { [K in keyof CrawlOptions]?: Origin }

/** What won in `crawlOptionsOf`. */
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

/** Options that were kept, with the defaults of those they lack. */
export const completeOptions = (kept: CrawlOptions): CrawlOptions => ({ ...defaults, ...kept })

/** A batch has the options of its pages among its own. */
export function batchPageOptions(input: BatchInput): PageOptions {
  const { urls: _u, appendToId: _a, ignoreInvalidURLs: _i, maxConcurrency: _m, webhook: _w, ...rest } = input
  const { zeroDataRetention: _z, origin: _o, integration: _n, wait: _t, ...options } = rest
  return options
}
