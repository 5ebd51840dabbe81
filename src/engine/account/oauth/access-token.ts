import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose'
import {
  type GrantedPermission,
  isTeamId,
  type KeyOwner,
  localTeamId,
  requiredScope,
} from '../../../contracts/account-ports.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { permissions } from '../../../schema/team.ts'
import { AppError, failure } from '../../../kernel/error.ts'
import { isRecord } from '../../../util/json.ts'
import type { ApiClient } from '../../net/http/api-client.ts'

export type AccessTokenRules = {
  issuer: string
  /** The token must name one of them. */
  audiences: readonly string[]
  /** Claim that contains the team id. */
  teamClaim: string
  findKey: JWTVerifyGetKey
  clock: Clock
}

/** Asymmetric algorithms only: with HMAC, anyone could sign with the published key. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
const clockSkewSeconds = 30
const maxLength = 12_288

/** Scope that a token needs in addition for each permission of its team. */
const scopeOf = (permission: GrantedPermission): string => `${requiredScope}:${permission}`

/**
 * Maps an access token (JWT) to its owner, with the permissions that its scopes request. Fails with UNAUTHORIZED,
 * INSUFFICIENT_SCOPE or AUTHORIZATION_UNAVAILABLE; errors contain no text of the token.
 */
export function createAccessTokens({ issuer, audiences, teamClaim, findKey, clock }: AccessTokenRules) {
  return async (token: string): Promise<KeyOwner> => {
    if (token.length > maxLength) throw refused(`is longer than ${maxLength} characters`)
    const { payload, protectedHeader } = await jwtVerify(token, findKey, {
      issuer,
      audience: [...audiences],
      algorithms,
      clockTolerance: clockSkewSeconds,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp'],
    }).catch((thrown: unknown) => {
      throw thrown instanceof AppError ? thrown : refused(faultOf(thrown), thrown)
    })
    if (protectedHeader.crit !== undefined) throw refused('demands an extension')
    if (!isAccessToken(protectedHeader)) throw refused('is a token of another type')
    // Such a token is valid only with a proof of its key (RFC 9449 and 8705), which this server does not request.
    if (payload['cnf'] !== undefined) throw refused('is bound to a key')
    const teamId = payload[teamClaim]
    if (!isTeamId(teamId) || teamId === localTeamId) throw refused('names no team in the claim that is set for it')
    const scopes = scopesOf(payload)
    if (!scopes.has(requiredScope)) throw failure('INSUFFICIENT_SCOPE')
    return { name: 'oauth', teamId, permissions: permissions.filter((name) => scopes.has(scopeOf(name))) }
  }
}

/** True for a JWT access token (RFC 9068). Many servers omit the type, or send JWT. */
function isAccessToken({ typ = 'JWT' }: JWTHeaderParameters): boolean {
  return ['jwt', 'at+jwt', 'application/at+jwt'].includes(typ.toLowerCase())
}

/** RFC 9068 defines `scope` with spaces; some servers send `scp`, or a list. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const words = [scope, scp].flat().filter((value) => typeof value === 'string')
  return new Set(words.flatMap((text) => text.split(' ')))
}

const refused = (fault: string, cause?: unknown) =>
  failure('UNAUTHORIZED', { message: `The access token ${fault}.`, hint: 'Get a new access token.', cause })

const faultsOfClaims: Readonly<Record<string, string>> = {
  iss: 'was issued by another server',
  aud: 'is for another audience',
  nbf: 'is not valid yet',
  exp: 'does not say when it expires',
}

function faultOf(thrown: unknown): string {
  if (thrown instanceof errors.JWTExpired) return 'has expired'
  if (thrown instanceof errors.JWTClaimValidationFailed) return faultsOfClaims[thrown.claim] ?? 'has a wrong claim'
  if (thrown instanceof errors.JOSEAlgNotAllowed) return 'is signed by a method that is not accepted'
  if (thrown instanceof errors.JWKSNoMatchingKey) return 'is signed with a key that its server does not publish'
  if (thrown instanceof errors.JWKSMultipleMatchingKeys) return 'does not say which key it is signed with'
  if (thrown instanceof errors.JWSSignatureVerificationFailed) return 'has a wrong signature'
  return 'cannot be read'
}

/** Age after which keys are fetched again, so withdrawn keys are refused. */
const freshMs = 10 * 60_000
/** Maximum age of cached keys, if they cannot be fetched again. */
const maxAgeMs = 60 * 60_000
/** Minimum time between attempts, so tokens with invented key ids cause no flood of requests. */
const gapMs = 10_000

export type PublishedKeys = { url: string; keys: JSONWebKeySet }

const maxBytes = 256 * 1024
const timeoutMs = 5000

/** Fetches the keys of the authorization server, from the URL in the settings or in its metadata. */
export async function fetchKeys(
  api: Pick<ApiClient, 'call'>,
  issuer: string,
  configuredUrl?: string,
): Promise<PublishedKeys> {
  const url = configuredUrl ?? (await discoveredUrl(api, issuer))
  const { body, fault } = await getJson(api, url)
  if (!isKeySet(body)) throw new Error(`${url} ${fault ?? 'did not return a JSON Web Key Set'}`)
  return { url, keys: body }
}

const isKeySet = (body: unknown): body is JSONWebKeySet =>
  isRecord(body) && Array.isArray(body['keys']) && body['keys'].every(isRecord)

/** Tries the metadata URLs in the order that MCP specifies for clients. */
async function discoveredUrl(api: Pick<ApiClient, 'call'>, issuer: string): Promise<string> {
  const faults: string[] = []
  for (const url of metadataUrls(issuer)) {
    const { body, fault } = await getJson(api, url)
    const found = fault === undefined ? keysIn(body, issuer) : fault
    if (typeof found !== 'string') return found.jwksUrl
    faults.push(`${url} ${found}`)
  }
  throw new Error(faults.join('; '))
}

/** Returns the metadata URL of RFC 8414, and both URLs that servers use for OpenID Connect Discovery. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  const openId = '/.well-known/openid-configuration'
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}${openId}${path}`,
      `${origin}${path}${openId}`,
    ]),
  ]
}

/** Returns the JWKS URL, or the fault of the metadata. */
function keysIn(metadata: unknown, issuer: string): { jwksUrl: string } | string {
  if (!isRecord(metadata)) return 'answers with no metadata'
  const { issuer: named, jwks_uri: address } = metadata
  // A server that can answer for another issuer could sign for it (RFC 8414, section 3.3).
  if (named !== issuer) return 'is the metadata of another issuer'
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (url === null) return 'names no jwks_uri'
  if (url.protocol !== 'https:' && url.protocol !== new URL(issuer).protocol) return 'names a jwks_uri without TLS'
  return { jwksUrl: url.href }
}

async function getJson(api: Pick<ApiClient, 'call'>, url: string): Promise<{ body?: unknown; fault?: string }> {
  const signal = new AbortController().signal
  try {
    const { status, text } = await api.call({ url, method: 'GET', maxBytes, timeoutMs, signal })
    return status === 200 ? { body: JSON.parse(text) } : { fault: `answers with status ${status}` }
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return { fault: 'answers with no JSON' }
    return { fault: `cannot be read: ${thrown instanceof Error ? thrown.message : 'unknown fault'}` }
  }
}

/**
 * Keys of the authorization server, fetched when a token first needs them and again for an unknown key id. Fails with
 * AUTHORIZATION_UNAVAILABLE if there are no valid keys.
 */
export function createKeySet(fetchPublished: () => Promise<PublishedKeys>, clock: Clock): { find: JWTVerifyGetKey } {
  let cached: { find: JWTVerifyGetKey; at: number } | undefined
  let triedAt = -Infinity
  let fault: unknown
  let running: Promise<void> | undefined

  async function read(): Promise<void> {
    triedAt = clock.now()
    try {
      const { keys } = await fetchPublished()
      cached = { find: createLocalJWKSet(keys), at: clock.now() }
    } catch (cause) {
      fault = cause
    } finally {
      running = undefined
    }
  }

  async function readAgain(): Promise<void> {
    if (running === undefined && clock.now() - triedAt < gapMs) return
    running ??= read()
    await running
  }

  const age = () => (cached === undefined ? Infinity : clock.now() - cached.at)
  return {
    async find(header, token) {
      if (age() >= freshMs) await readAgain()
      if (cached === undefined || age() >= maxAgeMs) throw failure('AUTHORIZATION_UNAVAILABLE', { cause: fault })
      const tried = cached
      try {
        return await tried.find(header, token)
      } catch (thrown) {
        if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown
        await readAgain()
        if (cached === tried) throw thrown
        return cached.find(header, token)
      }
    },
  }
}
