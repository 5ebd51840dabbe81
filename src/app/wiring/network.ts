import { localTeamId, type Teams } from '../../contracts/account.ts'
import type { BrowsePage } from '../../contracts/fetch.ts'
import type { Config } from '../config.ts'

export type Network = Awaited<ReturnType<typeof openNetwork>>

/** The local team needs no database: what it may reach is in the settings. */
export async function openNetwork(config: Config, teams: Pick<Teams, 'find'>, browse: BrowsePage) {
  const { createTeamRules } = await import('../../engine/net/address/team-rules.ts')
  const { createFetcher } = await import('../../engine/net/http/client.ts')
  const { createProxyRotation, parseProxy } = await import('../../engine/net/proxy/upstream-proxy.ts')
  const ruleOf = createTeamRules(config.allowHosts, async (teamId) =>
    teamId === localTeamId ? [] : ((await teams.find(teamId))?.terms.privateHosts ?? []),
  )
  const chooseProxy = createProxyRotation(config.proxies.map(parseProxy))
  return {
    rule: await ruleOf(localTeamId),
    ruleOf,
    chooseProxy,
    ...createFetcher({ userAgent: config.userAgent, ruleOf, chooseProxy, browse }),
  }
}
