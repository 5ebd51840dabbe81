import type { KeyOwner } from '../../contracts/account.ts'
import type { Clock } from '../../contracts/ports.ts'
import { audiencesOf } from '../../engine/account/oauth/settings.ts'
import { once } from '../../util/lazy.ts'
import type { Config } from '../config.ts'

/** Access tokens of the authorization server that the settings name. */
export type AccessTokens = {
  /** Who a token is of; fails for one that does not count. */
  find(token: string): Promise<KeyOwner>
  /** Reads the keys as for a token; fails with the reason why that cannot be done. */
  tryKeys(): Promise<{ url: string; count: number }>
  close(): Promise<void>
}

/** Loads nothing before the first token. */
export function openAccessTokens(config: Config, clock: Clock): AccessTokens | undefined {
  const { oauthIssuer: issuer } = config
  if (issuer === undefined) return undefined
  const opened = once(() => open(config, issuer, clock))
  return {
    find: async (token) => (await opened()).find(token),
    async tryKeys() {
      const { url, keys } = await (await opened()).fetchKeys()
      return { url, count: keys.keys.length }
    },
    close: () => opened.close((tokens) => tokens.close()),
  }
}

async function open(config: Config, issuer: string, clock: Clock) {
  const { createAccessTokens } = await import('../../engine/account/oauth/access-token.ts')
  const { fetchKeys } = await import('../../engine/account/oauth/discovery.ts')
  const { createKeySet } = await import('../../engine/account/oauth/key-set.ts')
  const { createApiClient } = await import('../../engine/net/http/api-client.ts')
  const { createAddressRule } = await import('../../engine/net/address/address.ts')
  const { allowHosts, userAgent, oauthJwksUrl, oauthTeamClaim: teamClaim } = config
  const trusted = [issuer, ...(oauthJwksUrl === undefined ? [] : [oauthJwksUrl])].map((url) => new URL(url).origin)
  const api = createApiClient({ rule: createAddressRule(allowHosts), userAgent, trusted })
  const readKeys = () => fetchKeys(api, issuer, oauthJwksUrl)
  const { find: findKey } = createKeySet(readKeys, clock)
  return {
    find: createAccessTokens({ issuer, audiences: audiencesOf(config), teamClaim, findKey, clock }),
    fetchKeys: readKeys,
    close: () => api.close(),
  }
}
