import type { ProxyKind } from './fetch.ts'
import type { PageContent, UnfilledPart } from './page-content.ts'

/**
 * Why a browser reads a page already fetched over plain HTTP: a bot challenge, an empty shell, a missing part, or
 * scripts that must see the requested location.
 */
export type BrowserNeed = 'challenge' | 'shell' | 'unfilled' | 'place'

/** Options that require a browser. */
export type BrowserOption = 'screenshot' | 'branding' | 'actions' | 'profile' | 'waitFor' | 'mobile' | 'enhanced proxy'

/** Why a browser visits a page; `host`: the host recently returned only empty pages over plain HTTP. */
export type BrowserReason = BrowserNeed | BrowserOption | 'host'

/** Accepted age of a cached page, ms; without `maxMs` there is no upper bound. */
export type AcceptedAge = { minMs: number; maxMs?: number }

/** Why the cache is not used: maxAge 0 or a format rules it out, or the page may be personal to this caller. */
export type CacheSkip = 'not wanted' | 'change tracking' | 'personal'

export type CacheFinding =
  | { found: 'not asked'; why: CacheSkip }
  | { found: 'nothing'; accepted: AcceptedAge }
  /** `lacks parts`: parts that only a browser provides, or the body from which other formats are made, are missing. */
  | { found: 'hit' | 'too old' | 'too young' | 'lacks parts'; accepted: AcceptedAge; ageMs: number }

export type Visit = {
  by: 'HTTP' | 'browser'
  /** Why a browser was used. */
  why?: BrowserReason | undefined
  proxy: ProxyKind
}

/**
 * A step of a scrape and the reason for it. Each is reported when it ends, so the time since the step before it is its
 * duration.
 */
export type ScrapeStep =
  | { step: 'plan'; formats: readonly string[]; timeoutMs: number; leftOut: readonly LeftOut[] }
  | ({ step: 'cache' } & CacheFinding)
  | ({ step: 'visit' } & Visit & (VisitResponse | VisitFailure))
  | ({ step: 'read'; characters: number } & Pick<PageContent, 'kind' | 'numPages'> & Missing)
  /** The browser was not used for the missing part, because it recently added nothing on this host. */
  | { step: 'browser skipped'; why: BrowserNeed }
  /** Where the response comes from, the cache or a visit, and whether the page is kept in the cache. */
  | { step: 'page'; from: 'cache' | Visit['by']; proxy?: ProxyKind; isKept: boolean }
  | { step: 'formats' }

type Missing = { isShell?: boolean; unfilled?: readonly UnfilledPart[] }
/** An error code, or `timed out` if a visit had less time than the scrape. */
type VisitFailure = { failed: string }
type VisitResponse = {
  status: number
  url: string
  contentType?: string | undefined
  bytes: number
  challenge?: string | undefined
}

/** Text that an option removed. */
export type LeftOut =
  | { by: 'onlyMainContent' | 'blockAds' | 'removeBase64Images' | 'removeSmallImages' | 'onlyCleanContent' }
  | { by: 'includeTags' | 'excludeTags'; selectors: readonly string[] }

/** Receives the steps of a scrape. Must not throw. */
export type StepReporter = (step: ScrapeStep) => void
