import type { ProxyKind } from './fetch.ts'
import type { PageContent, UnfilledPart } from './page-content.ts'

/**
 * Why a browser reads a page that plain HTTP has brought: a bot challenge, an empty shell, a part that is missing, or
 * scripts that are to see the place that was asked for.
 */
export type BrowserNeed = 'challenge' | 'shell' | 'unfilled' | 'place'

/** What of the options a browser is there for. */
export type BrowserOption = 'screenshot' | 'branding' | 'actions' | 'profile' | 'waitFor' | 'mobile' | 'enhanced proxy'

/** Why a browser visits a page; `host`: the host recently gave only empty pages to plain HTTP. */
export type BrowserReason = BrowserNeed | BrowserOption | 'host'

/** Accepted age of a cached page, ms; any age above the least where there is no most. */
export type AcceptedAge = { minMs: number; maxMs?: number }

/** Why the cache is not asked: it is told so by maxAge 0 or by a format, or the page may be for this caller alone. */
export type CacheSkip = 'not wanted' | 'change tracking' | 'personal'

export type CacheFinding =
  | { found: 'not asked'; why: CacheSkip }
  | { found: 'nothing'; accepted: AcceptedAge }
  /** `lacks parts`: what only a browser gives, or the body that other formats are made of. */
  | { found: 'hit' | 'too old' | 'too young' | 'lacks parts'; accepted: AcceptedAge; ageMs: number }

export type Visit = {
  by: 'HTTP' | 'browser'
  /** Of a browser. */
  why?: BrowserReason | undefined
  proxy: ProxyKind
}

/**
 * What a scrape did, and why. Each is told when it ends, in the order in which it was done, so that the time between two is
 * what the second took.
 */
export type ScrapeStep =
  | { step: 'plan'; formats: readonly string[]; timeoutMs: number; leftOut: readonly LeftOut[] }
  | ({ step: 'cache' } & CacheFinding)
  | ({ step: 'visit' } & Visit & (Came | Failed))
  | ({ step: 'read'; characters: number } & Pick<PageContent, 'kind' | 'numPages'> & Missing)
  /** No browser was asked for what is missing: it has not brought it from this host lately. */
  | { step: 'spared'; why: BrowserNeed }
  /** Which of the visits the answer is made of, and whether the cache keeps it. */
  | { step: 'page'; from: 'cache' | Visit['by']; proxy?: ProxyKind; isKept: boolean }
  | { step: 'formats' }

type Missing = { isShell?: boolean; unfilled?: readonly UnfilledPart[] }
/** An error code, or `timed out` where a visit had less time than the scrape. */
type Failed = { failed: string }
type Came = {
  status: number
  url: string
  contentType?: string | undefined
  bytes: number
  challenge?: string | undefined
}

/** What an option has left out of the text. */
export type LeftOut =
  | { by: 'onlyMainContent' | 'blockAds' | 'removeBase64Images' | 'removeSmallImages' | 'onlyCleanContent' }
  | { by: 'includeTags' | 'excludeTags'; selectors: readonly string[] }

/** Hears the steps of a scrape. It must not throw. */
export type TellStep = (step: ScrapeStep) => void
