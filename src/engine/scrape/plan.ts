import { createHash } from 'node:crypto'
import type { ProxyKind } from '../../contracts/fetch.ts'
import type { RenderOptions } from '../../contracts/render-port.ts'
import { type ErrorCode, fail } from '../../kernel/error.ts'
import { defaultMaxAgeMs, lockdownMaxAgeMs, type ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { countryProfile, withBaseLanguages } from '../browser/emulation/countries.ts'
import { cacheUrl } from '../net/http/canonical-url.ts'
import { type ContentRequest, requestContent } from './read-content.ts'
import type { CacheSkip } from '../../contracts/scrape-step.ts'
import type { PagePart } from '../../contracts/page-content.ts'

type RetentionWish = {
  zeroDataRetention: boolean
  onlyCleanContent?: boolean | undefined
  profile?: { saveChanges: boolean } | undefined
}

/**
 * Refuses, with zero data retention, what would keep something of the page or pass it on. Fails with
 * SCRAPE_ZDR_VIOLATION_ERROR.
 */
export function refuseRetention({ zeroDataRetention, onlyCleanContent, profile }: RetentionWish): void {
  const options = [
    ...(onlyCleanContent ? ['onlyCleanContent'] : []),
    ...(profile?.saveChanges ? ['profile.saveChanges'] : []),
  ]
  if (zeroDataRetention && options.length > 0)
    fail('SCRAPE_ZDR_VIOLATION_ERROR', {
      message: `Not possible with zeroDataRetention: ${options.join(' and ')}.`,
      details: { options },
    })
}

/** Everything that is decided about a scrape before any I/O. */
export type Plan = {
  cacheKey: string
  /** Accepted age of a cached page in ms; undefined skips the cache. */
  acceptedAge: { minMs: number; maxMs: number } | undefined
  /** Why the cache is skipped; undefined where it is asked. */
  cacheSkip: CacheSkip | undefined
  /** The error when the cache has no such page; undefined when the page may then be fetched. */
  onCacheMiss: Extract<ErrorCode, 'SCRAPE_NO_CACHED_DATA' | 'SCRAPE_LOCKDOWN_CACHE_MISS'> | undefined
  storesPage: boolean
  /** Zero data retention: no result, and no URL in records or logs. */
  keepsNothing: boolean
  /** Those of the caller. */
  headers: Readonly<Record<string, string>>
  /** The languages of the location, for plain HTTP; a browser sends its own. */
  acceptLanguage: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  /** What is made of the page. */
  content: ContentRequest
  /** Whether a browser is required, preferred, or used only when plain HTTP brings an empty page. */
  browser: 'must' | 'should' | 'if needed'
  proxy: ProxyKind | 'auto'
  /** What a browser does on the page, if one is used. */
  render: RenderOptions
}

export type PlanOptions = {
  /** Parts of the page besides those that the formats need. */
  parts?: readonly PagePart[] | undefined
  /** Visits with the same key share a browser context. */
  reuse?: string | undefined
  /** Most pixels of a side of a picture. */
  pictureSide?: number | undefined
}

export function planPage(input: ScrapeInput, teamId: string, { parts, ...options }: PlanOptions = {}): Plan {
  const render = renderOptions(input, options)
  const sensitive = isSensitive(input)
  const retainsNothing = keepsNothing(input)
  return {
    cacheKey: cacheKey(input, teamId),
    ...acceptedAge(input, sensitive),
    onCacheMiss: input.lockdown
      ? 'SCRAPE_LOCKDOWN_CACHE_MISS'
      : input.minAge === undefined
        ? undefined
        : 'SCRAPE_NO_CACHED_DATA',
    storesPage: (input.storeInCache ?? true) && !sensitive && !retainsNothing,
    keepsNothing: retainsNothing,
    headers: input.headers ?? {},
    acceptLanguage: acceptLanguage(input),
    skipTlsVerification: input.skipTlsVerification ?? !sensitive,
    content: requestContent(input, { render, parts }),
    browser: browserFor(input),
    proxy: input.proxy === 'stealth' ? 'enhanced' : input.proxy,
    render,
  }
}

/** Screenshots, branding, actions and profiles need a browser; waits, phones and the enhanced proxy work better with one. */
function browserFor(input: ScrapeInput): Plan['browser'] {
  const { actions = [], formats, profile, waitFor, mobile, proxy } = input
  const isLive = formats.some(({ type }) => type === 'screenshot' || type === 'branding')
  if (isLive || actions.length > 0 || profile) return 'must'
  return waitFor > 0 || mobile || proxy === 'enhanced' || proxy === 'stealth' ? 'should' : 'if needed'
}

function renderOptions(input: ScrapeInput, { reuse, pictureSide }: Omit<PlanOptions, 'parts'>): RenderOptions {
  const { mobile, location, blockAds, waitFor, actions = [], formats, profile } = input
  const fitted = pictureSide === undefined ? {} : { maxSide: pictureSide }
  const screenshot = formats.find((format) => format.type === 'screenshot')
  return {
    mobile,
    location,
    blockAds,
    waitForMs: waitFor,
    actions: actions.map((each) => (each.type === 'screenshot' ? { ...each, ...fitted } : each)),
    screenshot: screenshot && { ...screenshot, ...fitted },
    wantsBranding: formats.some(({ type }) => type === 'branding'),
    profile,
    ...(reuse !== undefined && { reuse }),
  }
}

/** Lockdown is treated as zero data retention (spec: Scrape request options). */
export const keepsNothing = (input: Pick<ScrapeInput, 'lockdown' | 'zeroDataRetention'>) =>
  input.lockdown || input.zeroDataRetention

/** The input if the visit may be repeated later. It can hold the caller's cookies and keys, so it is kept no longer than the result. */
export const replayable = (input: ScrapeInput): ScrapeInput | undefined => (keepsNothing(input) ? undefined : input)

/** Whether the page may show what only this caller is allowed to see; it is then not cached. */
function isSensitive(input: ScrapeInput): boolean {
  return (
    Object.keys(input.headers ?? {}).length > 0 ||
    (input.actions ?? []).length > 0 ||
    input.profile !== undefined ||
    carriesCredentials(input.url)
  )
}

/** `user:password@` becomes an Authorization header and is not part of the cache key. */
function carriesCredentials(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.username !== '' || parsed.password !== '')
}

function acceptedAge(input: ScrapeInput, sensitive: boolean): Pick<Plan, 'acceptedAge' | 'cacheSkip'> {
  const onlyCache = input.lockdown || input.minAge !== undefined
  if (sensitive && !onlyCache) return { acceptedAge: undefined, cacheSkip: 'personal' }
  const maxMs = input.maxAge ?? usualMaxAge(input)
  if (maxMs > 0 || onlyCache) return { acceptedAge: { minMs: input.minAge ?? 0, maxMs }, cacheSkip: undefined }
  return { acceptedAge: undefined, cacheSkip: input.maxAge === undefined ? 'change tracking' : 'not wanted' }
}

function usualMaxAge({ lockdown, minAge, formats }: ScrapeInput): number {
  if (lockdown) return lockdownMaxAgeMs
  // With minAge any cached page of at least that age is accepted, so the default maxAge does not apply.
  if (minAge !== undefined) return Infinity
  // The cached copy is usually the one the last snapshot was made from, so it would show no change.
  return formats.some(({ type }) => type === 'changeTracking') ? 0 : defaultMaxAgeMs
}

/** Separate for each team and for everything that makes a site answer differently. */
function cacheKey(input: ScrapeInput, teamId: string): string {
  const { url, mobile, location, skipTlsVerification, waitFor, blockAds } = input
  // A page fetched over an unverified connection must not be served to a caller who asks for verification.
  const trust = skipTlsVerification === false ? 'verified' : 'any'
  const parts = [teamId, cacheUrl(url), waitFor, mobile, location?.country, location?.languages, trust]
  if (!blockAds) parts.push('with ads')
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** The languages that were asked for, or else those of the country. */
function acceptLanguage({ location }: ScrapeInput): Record<string, string> {
  if (!location) return {}
  const wanted = location.languages?.filter((tag) => /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(tag)) ?? []
  const { locale } = countryProfile(location.country) ?? {}
  const languages = wanted.length > 0 || locale === undefined ? wanted : withBaseLanguages([locale])
  if (languages.length === 0) return {}
  return {
    'accept-language': languages
      .map((tag, index) => (index === 0 ? tag : `${tag};q=${Math.max(0.1, 1 - index / 10).toFixed(1)}`))
      .join(', '),
  }
}
