import type { Clock, Ports } from '../../contracts/ports.ts'
import type { TeamLimits, KeyOwner } from '../../contracts/account-ports.ts'
import { createIdempotency } from '../../engine/account/call-once.ts'
import { createTeamQuotas } from '../../engine/account/team-quotas.ts'
import { ratesOf, createTeamLimits } from '../../engine/account/team-rates.ts'
import type { Store } from '../../engine/store/store.ts'
import type { Log } from '../../kernel/log.ts'
import type { Config } from '../config.ts'
import { audiencesOf } from '../../engine/account/oauth/oauth-settings.ts'
import { once } from '../../util/async.ts'

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
  const { createAddressRule } = await import('../../engine/net/address-rule.ts')
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

type Parts = { usage: Ports['usage']; store: () => Promise<Store>; clock: Clock; log: Log }

/** What the teams may use, by their own terms and otherwise by the settings, and what they have in use. */
export function openAccount(config: Config, { store, ...parts }: Parts) {
  const limitsOf = createTeamLimits({ find: async (id) => (await store()).teams.find(id) }, limitsIn(config))
  const { maxWaiting } = config
  const quotaStore = async () => (await store()).quotas
  const { close: closeQuotas, ...quotas } = createTeamQuotas({
    ...parts,
    quotas: quotaStore,
    limitsOf,
    maxWaiting,
  })
  const jobRetentionMs = config.jobRetentionHours * 3_600_000
  const port: Ports['account'] = { ...quotas, limitsOf, jobRetentionMs }
  const { log } = parts
  const { close: closeIdempotency, ...idempotency } = createIdempotency({
    calls: async () => (await store()).keyedCalls,
    quotas: quotaStore,
    log,
  })
  return { port, idempotency, close: async () => void (await Promise.all([closeQuotas(), closeIdempotency()])) }
}

/** Without limits of their own, teams share the live sessions of the machine. */
const limitsIn = ({ maxConcurrency, requestsPerMinute, monthlyCredits }: Config): TeamLimits => ({
  maxConcurrency,
  maxSessions: undefined,
  requestsPerMinute: ratesOf(requestsPerMinute),
  monthlyCredits,
  // How far it is allowed at all is decided where code is run.
  unsandboxedCode: true,
})
