import { createHash } from 'node:crypto'
import type { ProxyKind } from '../../contracts/fetch.ts'
import type { ContentOptions } from '../../contracts/ports.ts'
import type { RenderRequest } from '../../contracts/render.ts'
import type { ErrorCode } from '../../kernel/error.ts'
import { defaultMaxAgeMs, lockdownMaxAgeMs, type ScrapeInput } from '../../schema/scrape/options.ts'
import { cacheUrl } from '../net/http/canonical-url.ts'

/** Everything that is decided about a page before any I/O. */
export type Plan = {
  cacheKey: string
  /** Ages of a cached page that will do, ms; undefined = the cache is not asked. */
  acceptedAge: { minMs: number; maxMs: number } | undefined
  /** Absent when the page may be fetched; else what to answer when the cache has none. */
  onCacheMiss: Extract<ErrorCode, 'SCRAPE_NO_CACHED_DATA' | 'SCRAPE_LOCKDOWN_CACHE_MISS'> | undefined
  storesPage: boolean
  /** Nothing of the call may be kept: no result, no URL in records or logs. */
  keepsNothing: boolean
  headers: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  content: ContentOptions
  /** Whether a browser is a must, is better, or is used only where plain HTTP brings nothing. */
  browser: 'must' | 'should' | 'if needed'
  proxy: ProxyKind | 'auto'
  /** What a browser is to do on the page. */
  stay: Stay
}

/** The part of a visit with a browser that does not depend on how it goes. */
export type Stay = Pick<
  RenderRequest,
  'mobile' | 'location' | 'blockAds' | 'waitForMs' | 'actions' | 'screenshot' | 'wantsBranding' | 'profile'
>

export function planPage(input: ScrapeInput, teamId: string): Plan {
  const sensitive = isSensitive(input)
  const retainsNothing = keepsNothing(input)
  return {
    cacheKey: cacheKey(input, teamId),
    acceptedAge: acceptedAge(input, sensitive),
    onCacheMiss: input.lockdown
      ? 'SCRAPE_LOCKDOWN_CACHE_MISS'
      : input.minAge === undefined
        ? undefined
        : 'SCRAPE_NO_CACHED_DATA',
    storesPage: (input.storeInCache ?? true) && !sensitive && !retainsNothing,
    keepsNothing: retainsNothing,
    headers: { ...acceptLanguage(input), ...input.headers },
    skipTlsVerification: input.skipTlsVerification ?? !sensitive,
    content: {
      onlyMainContent: input.onlyMainContent,
      includeTags: input.includeTags ?? [],
      excludeTags: input.excludeTags ?? [],
      removeBase64Images: input.removeBase64Images,
    },
    browser: browserFor(input),
    proxy: input.proxy === 'stealth' ? 'enhanced' : input.proxy,
    stay: stayFor(input),
  }
}

/** What only a live page gives, and what else is done better with one. */
function browserFor(input: ScrapeInput): Plan['browser'] {
  const { actions = [], formats, profile, waitFor, mobile, proxy } = input
  const isLive = formats.some(({ type }) => type === 'screenshot' || type === 'branding')
  if (isLive || actions.length > 0 || profile) return 'must'
  return waitFor > 0 || mobile || proxy === 'enhanced' || proxy === 'stealth' ? 'should' : 'if needed'
}

function stayFor({ mobile, location, blockAds, waitFor, actions = [], formats, profile }: ScrapeInput): Stay {
  return {
    mobile,
    location,
    blockAds,
    waitForMs: waitFor,
    actions,
    screenshot: formats.find(({ type }) => type === 'screenshot') as Stay['screenshot'],
    wantsBranding: formats.some(({ type }) => type === 'branding'),
    profile,
  }
}

/** Lockdown is treated as zero data retention (spec: Scrape request options). */
export const keepsNothing = (input: Pick<ScrapeInput, 'lockdown' | 'zeroDataRetention'>) =>
  input.lockdown || input.zeroDataRetention

/** The input, where the same visit may be made again later. It may hold cookies and keys of the caller, and is kept no longer than the result. */
export const replayable = (input: ScrapeInput): ScrapeInput | undefined => (keepsNothing(input) ? undefined : input)

/** Such a page is the caller's alone: it may show what only the caller may see. */
function isSensitive(input: ScrapeInput): boolean {
  return (
    Object.keys(input.headers ?? {}).length > 0 ||
    (input.actions ?? []).length > 0 ||
    input.profile !== undefined ||
    carriesCredentials(input.url)
  )
}

/** `user:password@` is sent as an authorization header, and the cache key does not hold it. */
function carriesCredentials(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.username !== '' || parsed.password !== '')
}

function acceptedAge(input: ScrapeInput, sensitive: boolean): Plan['acceptedAge'] {
  const onlyCache = input.lockdown || input.minAge !== undefined
  if (sensitive && !onlyCache) return undefined
  const maxMs = input.maxAge ?? usualMaxAge(input)
  return maxMs === 0 && !onlyCache ? undefined : { minMs: input.minAge ?? 0, maxMs }
}

function usualMaxAge({ lockdown, minAge, formats }: ScrapeInput): number {
  if (lockdown) return lockdownMaxAgeMs
  // With minAge "any cached data" of that age will do, so the default maxAge does not apply.
  if (minAge !== undefined) return Infinity
  // The cached copy is as a rule the one the last snapshot was made of, and shows no change.
  return formats.some(({ type }) => type === 'changeTracking') ? 0 : defaultMaxAgeMs
}

/** Pages are kept apart by team and by whatever makes a site answer differently. */
function cacheKey(input: ScrapeInput, teamId: string): string {
  const { url, mobile, location, skipTlsVerification, waitFor } = input
  // A copy that came over an unverified connection is no answer to a caller who asks for verification.
  const trust = skipTlsVerification === false ? 'verified' : 'any'
  const parts = [teamId, cacheUrl(url), waitFor, mobile, location?.country, location?.languages, trust]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function acceptLanguage({ location }: ScrapeInput): Record<string, string> {
  const wanted = location?.languages?.filter((tag) => /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(tag)) ?? []
  if (wanted.length === 0) return {}
  return {
    'accept-language': wanted
      .map((tag, index) => (index === 0 ? tag : `${tag};q=${Math.max(0.1, 1 - index / 10).toFixed(1)}`))
      .join(', '),
  }
}

/** Names the parts that were made with one set of content options. */
export function variantOf(content: ContentOptions, attributes: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([content, attributes]))
    .digest('base64url')
    .slice(0, 22)
}
