import { z } from 'zod'

/** Entries of the table of settings. */
export const oauthSettings = {
  oauthIssuer: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Issuer URL of an OAuth authorization server whose access tokens (JWT) are accepted over HTTP beside API keys, exactly as its tokens name it in `iss`.',
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
      'URL of the public keys (JWKS) of the authorization server; by default as its metadata says. May be a private address.',
    ),
  oauthTeamClaim: z.string().min(1).default('sub').describe('Claim of an access token that names the team.'),
}

type Given = z.output<z.ZodObject<typeof oauthSettings>> & { publicUrl?: string | undefined }

/** What a token for this server names as its audience. Never taken from a request, whose Host header anybody can choose. */
export function audiencesOf({ oauthAudience, publicUrl }: Given): string[] {
  if (oauthAudience !== undefined) return [oauthAudience]
  const base = publicUrl?.replace(/\/+$/, '')
  // Clients write the root of a host with a slash.
  return base === undefined ? [] : [`${base}/mcp`, base, `${base}/`]
}
