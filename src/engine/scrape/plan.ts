import { createHash } from 'node:crypto'
import type { ProxyKind } from '../../contracts/fetch.ts'
import type { RenderOptions } from '../../contracts/render-port.ts'
import { type ErrorCode, fail } from '../../kernel/error.ts'
import type { Redaction, ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { countryProfile, withBaseLanguages } from '../browser/emulation/countries.ts'
import { cacheUrl } from '../net/http/canonical-url.ts'
import { type ContentRequest, requestContent } from './read-content.ts'
import type { CacheSkip } from '../../contracts/scrape-step.ts'
import type { PagePart } from '../../contracts/page-content.ts'

type RetentionOptions = {
  zeroDataRetention: boolean
  onlyCleanContent?: boolean | undefined
  profile?: { saveChanges: boolean } | undefined
}

/**
 * Refuses options that would store or pass on page content with zero data retention. Fails with
 * SCRAPE_ZDR_VIOLATION_ERROR.
 */
export function refuseRetention({ zeroDataRetention, onlyCleanContent, profile }: RetentionOptions): void {
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

/** True if the redaction names entities that only a model can find. */
export const needsModel = ({ entities = [] }: Redaction) =>
  entities.some((each) => each === 'PERSON' || each === 'LOCATION')

/** Refuses to redact entities that cannot be found without a model. Fails with FEATURE_UNAVAILABLE. */
export function refuseRedaction(redaction: Redaction | undefined, hasModel: boolean): void {
  if (redaction && needsModel(redaction) && (!hasModel || redaction.mode === 'fast'))
    fail('FEATURE_UNAVAILABLE', {
      message: 'redactPII finds PERSON and LOCATION only with a language model, so nothing was done.',
      hint: 'Leave PERSON and LOCATION out of entities, or ask the operator to set GOSSAMER_MODEL; mode fast uses none.',
      details: { options: ['redactPII.entities'] },
    })
}

/** All decisions about a scrape that are made before any I/O. */
export type Plan = {
  cacheKey: string
  /** Accepted age of a cached page in ms; undefined skips the cache. */
  acceptedAge: { minMs: number; maxMs: number } | undefined
  /** Reason why the cache is skipped; undefined if it is used. */
  cacheSkip: CacheSkip | undefined
  /** Error if the page is not cached; undefined if it may be fetched then. */
  onCacheMiss: Extract<ErrorCode, 'SCRAPE_NO_CACHED_DATA' | 'SCRAPE_LOCKDOWN_CACHE_MISS'> | undefined
  storesPage: boolean
  /** Zero data retention: no stored result, and no URL in records or logs. */
  isZeroRetention: boolean
  /** The caller's headers. */
  headers: Readonly<Record<string, string>>
  /** Languages of the location, for plain HTTP; a browser sends its own. */
  acceptLanguage: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  /** Content to create from the page. */
  content: ContentRequest
  /** Browser use: required, preferred, or only if plain HTTP returns an incomplete page. */
  browser: 'must' | 'should' | 'if needed'
  proxy: ProxyKind | 'auto'
  /** Instructions for the browser, if one is used. */
  render: RenderOptions
}

export type PlanOptions = {
  /** Additional parts of the page beyond those that the formats need. */
  parts?: readonly PagePart[] | undefined
  /** Visits with the same key share a browser context. */
  reuse?: string | undefined
  /** Maximum width or height of images in pixels. */
  pictureSide?: number | undefined
}

export function planPage(input: ScrapeInput, teamId: string, { parts, ...options }: PlanOptions = {}): Plan {
  const render = renderOptions(input, options)
  const sensitive = isSensitive(input)
  const retainsNothing = isZeroRetention(input)
  return {
    cacheKey: cacheKey(input, teamId),
    ...acceptedAge(input, sensitive),
    onCacheMiss: input.lockdown
      ? 'SCRAPE_LOCKDOWN_CACHE_MISS'
      : input.minAge === undefined
        ? undefined
        : 'SCRAPE_NO_CACHED_DATA',
    storesPage: (input.storeInCache ?? true) && !sensitive && !retainsNothing && !input.redactPII,
    isZeroRetention: retainsNothing,
    headers: input.headers ?? {},
    acceptLanguage: acceptLanguage(input),
    skipTlsVerification: input.skipTlsVerification ?? !sensitive,
    content: requestContent(input, { render, parts }),
    browser: browserFor(input),
    proxy: input.proxy === 'stealth' ? 'enhanced' : input.proxy,
    render,
  }
}

/**
 * Screenshots, branding, actions and profiles need a browser; waits, mobile pages and the enhanced proxy work better
 * with one.
 */
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
export const isZeroRetention = (input: Pick<ScrapeInput, 'lockdown' | 'zeroDataRetention'>) =>
  input.lockdown || input.zeroDataRetention

/**
 * Returns the input if the visit may be repeated later, in a browser that shows the page unchanged. It may contain the
 * caller's cookies and keys, so it is stored no longer than the result.
 */
export const replayable = (input: ScrapeInput): ScrapeInput | undefined =>
  isZeroRetention(input) || input.redactPII ? undefined : input

/** True if the page may contain content that only this caller may see; it is then not cached. */
function isSensitive(input: ScrapeInput): boolean {
  return (
    Object.keys(input.headers ?? {}).length > 0 ||
    (input.actions ?? []).length > 0 ||
    input.profile !== undefined ||
    carriesCredentials(input.url)
  )
}

/** True for a URL with `user:password@`, which becomes an Authorization header and is not part of the cache key. */
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

const defaultMaxAgeMs = 172_800_000

const lockdownMaxAgeMs = 2 * 365 * 86_400_000

function usualMaxAge({ lockdown, minAge, formats }: ScrapeInput): number {
  if (lockdown) return lockdownMaxAgeMs
  // With minAge any cached page of at least that age is accepted, so the default maxAge does not apply.
  if (minAge !== undefined) return Infinity
  // The cached copy is usually the one the last snapshot was created from, so it would show no change.
  return formats.some(({ type }) => type === 'changeTracking') ? 0 : defaultMaxAgeMs
}

/** Returns the cache key, which depends on the team and all options that may change a site's response. */
function cacheKey(input: ScrapeInput, teamId: string): string {
  const { url, mobile, location, skipTlsVerification, waitFor, blockAds } = input
  // A page fetched over an unverified connection must not be returned to a caller who requires verification.
  const trust = skipTlsVerification === false ? 'verified' : 'any'
  const parts = [teamId, cacheUrl(url), waitFor, mobile, location?.country, location?.languages, trust]
  if (!blockAds) parts.push('with ads')
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Returns the requested languages, otherwise those of the country. */
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
