import { readFile } from 'node:fs/promises'
import { localTeamId, type Teams } from '../../contracts/account-ports.ts'
import type { FetchPage, BrowsePage } from '../../contracts/fetch.ts'
import type { Log } from '../../kernel/log.ts'
import type { Config } from '../config.ts'

export type Network = Awaited<ReturnType<typeof openNetwork>>

/** Opens the network. The rules of the local team are in the settings, so its pages need no database. */
export async function openNetwork(config: Config, teams: Pick<Teams, 'stateOf'>, browse: BrowsePage) {
  const { createTeamRules } = await import('../../engine/net/team-rules.ts')
  const { createFetcher } = await import('../../engine/net/http/client.ts')
  const { createProxyRotation, parseProxy } = await import('../../engine/net/proxy/upstream-proxy.ts')
  const ruleOf = createTeamRules(config.allowHosts, async (teamId) =>
    teamId === localTeamId ? {} : teams.stateOf(teamId),
  )
  const chooseProxy = createProxyRotation(config.proxies.map(parseProxy))
  return {
    rule: await ruleOf(localTeamId),
    ruleOf,
    chooseProxy,
    ...createFetcher({ userAgent: config.userAgent, ruleOf, chooseProxy, browse }),
  }
}

export type OpenForwardProxies = Awaited<ReturnType<typeof openForwardProxies>>

/** Opens the forward proxies through which all browsers reach the network. */
export async function openForwardProxies(config: Config, { ruleOf, fetchPage }: Network, log: Log) {
  const { createForwardProxies } = await import('../../engine/net/proxy/forward-proxy.ts')
  const { createAdHosts } = await import('../../engine/net/proxy/block-list.ts')
  const lists = await Promise.all(config.blockLists.map((place) => listAt(place, fetchPage, log)))
  return createForwardProxies({ ruleOf, adHosts: createAdHosts(lists) })
}

/** Reads a block list; returns an empty one if it cannot be read, so that pages are still fetched. */
async function listAt(place: string, fetchPage: FetchPage, log: Log): Promise<string> {
  try {
    return /^https?:/i.test(place) ? await listFrom(place, fetchPage) : await readFile(place, 'utf8')
  } catch (error) {
    log.warn('a block list could not be read', { place, error })
    return ''
  }
}

const listWaitMs = 10_000
const maxListBytes = 20_000_000

async function listFrom(url: string, fetchPage: FetchPage): Promise<string> {
  const signal = AbortSignal.timeout(listWaitMs)
  const { status, body } = await fetchPage({
    url,
    teamId: localTeamId,
    headers: {},
    skipTlsVerification: false,
    maxBytes: maxListBytes,
    signal,
  })
  if (status !== 200) throw new Error(`The list answered with status ${status}`)
  return Buffer.from(body).toString()
}
