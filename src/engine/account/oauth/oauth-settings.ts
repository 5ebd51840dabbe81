import { z } from 'zod'

/** Entries of the settings table. */
export const oauthSettings = {
  oauthIssuer: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Issuer URL of an OAuth authorization server, exactly as in the `iss` of its access tokens (JWT), which are then accepted over HTTP in addition to API keys.',
    ),
  oauthAudience: z
    .string()
    .min(1)
    .optional()
    .describe('Audience (`aud`) that access tokens must have; by default `publicUrl`, alone or followed by `/mcp`.'),
  oauthJwksUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'URL of the public keys (JWKS) of the authorization server; by default the one in its metadata. May be a private address.',
    ),
  oauthTeamClaim: z.string().min(1).default('sub').describe('Claim of an access token that names the team.'),
}

type AudienceSettings = { oauthAudience?: string | undefined; publicUrl?: string | undefined }

/** Audiences accepted by this server. Never derived from a request, because any caller can choose its Host header. */
export function audiencesOf({ oauthAudience, publicUrl }: AudienceSettings): string[] {
  if (oauthAudience !== undefined) return [oauthAudience]
  const base = publicUrl?.replace(/\/+$/, '')
  // Clients send the root of a host with a slash.
  return base === undefined ? [] : [`${base}/mcp`, base, `${base}/`]
}
