import type { JSONWebKeySet } from 'jose'
import { isRecord } from '../../../util/json.ts'
import type { ApiClient } from '../../net/http/api-client.ts'

export type PublishedKeys = { url: string; keys: JSONWebKeySet }

const maxBytes = 256 * 1024
const timeoutMs = 5000

/** Fetches the keys of the authorization server, from the URL in the settings or in its metadata. */
export async function fetchKeys(api: Pick<ApiClient, 'call'>, issuer: string, given?: string): Promise<PublishedKeys> {
  const url = given ?? (await discoveredUrl(api, issuer))
  const { body, fault } = await getJson(api, url)
  if (!isKeySet(body)) throw new Error(`${url} ${fault ?? 'answers with no JSON Web Key Set'}`)
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

/** URLs of RFC 8414, and of OpenID Connect Discovery in both places that servers use. */
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
