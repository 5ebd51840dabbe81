import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { isTeamId, type KeyOwner, localTeamId, requiredScope, scopeOf } from '../../../contracts/account-ports.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { permissions } from '../../../schema/team.ts'
import { AppError, failure } from '../../../kernel/error.ts'

export type AccessTokenRules = {
  issuer: string
  /** The token must name one of them. */
  audiences: readonly string[]
  /** Claim that contains the team id. */
  teamClaim: string
  findKey: JWTVerifyGetKey
  clock: Clock
}

/** Asymmetric algorithms only: a signature made with published data proves nothing. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
const clockSkewSeconds = 30
const maxLength = 12_288

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
    // RFC 9449 and 8705: it is valid only with a proof of its key, which is not requested here.
    if (payload['cnf'] !== undefined) throw refused('is bound to a key')
    const teamId = payload[teamClaim]
    if (!isTeamId(teamId) || teamId === localTeamId) throw refused('names no team in the claim that is set for it')
    const scopes = scopesOf(payload)
    if (!scopes.has(requiredScope)) throw failure('INSUFFICIENT_SCOPE')
    return { name: 'oauth', teamId, permissions: permissions.filter((name) => scopes.has(scopeOf(name))) }
  }
}

/** Many servers omit the type of RFC 9068, or send JWT. */
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
