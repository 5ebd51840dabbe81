import type { Clock, Ports } from '../../contracts/ports.ts'
import type { KeyOwner } from '../../contracts/account-ports.ts'
import { createIdempotency } from '../../engine/account/call-once.ts'
import { createTeamQuotas } from '../../engine/account/team-quotas.ts'
import { ratesOf, createTeamLimits } from '../../engine/account/team-limits.ts'
import type { Store } from '../../engine/store/store.ts'
import type { Log } from '../../kernel/log.ts'
import type { Config } from '../config.ts'
import { audiencesOf } from '../../engine/account/oauth/oauth-settings.ts'
import { once } from '../../util/async.ts'

/** Checks access tokens of the configured authorization server. */
export type AccessTokens = {
  /** Returns the owner of a token; fails if the token is invalid. */
  find(token: string): Promise<KeyOwner>
  /** Fetches the signing keys as for a token; fails with the reason. */
  tryKeys(): Promise<{ url: string; count: number }>
  close(): Promise<void>
}

/** The first token loads the code that checks tokens. */
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
  const { createAccessTokens, createKeySet, fetchKeys } = await import('../../engine/account/oauth/access-token.ts')
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

/** Limits of the teams (a team's own, otherwise those of the settings), and what each team currently uses of them. */
export function openAccount(config: Config, { store, ...parts }: Parts) {
  const limitsOf = createTeamLimits({ stateOf: async (id) => (await store()).teams.stateOf(id) }, limitsIn(config))
  const quotaStore = async () => (await store()).quotas
  const { close: closeQuotas, ...quotas } = createTeamQuotas({
    ...parts,
    quotas: quotaStore,
    limitsOf,
    maxWaiting: config.maxWaiting,
  })
  const port: Ports['account'] = { ...quotas, limitsOf, jobRetentionMs: config.jobRetentionHours * 3_600_000 }
  const { close: closeIdempotency, ...idempotency } = createIdempotency({
    calls: async () => (await store()).keyedCalls,
    quotas: quotaStore,
    log: parts.log,
  })
  return {
    ports: { account: port, idempotency },
    close: async () => void (await Promise.all([closeQuotas(), closeIdempotency()])),
  }
}

/** Limits of teams without limits of their own. */
const limitsIn = ({
  maxConcurrency,
  requestsPerMinute,
  monthlyCredits,
}: Config): Parameters<typeof createTeamLimits>[1] => ({
  maxConcurrency,
  // By default, live sessions have no limit per team, only one for the whole machine.
  maxSessions: undefined,
  requestsPerMinute: ratesOf(requestsPerMinute),
  monthlyCredits,
  // The setting of the same name applies when code is run, whatever the team may do.
  unsandboxedCode: true,
})
