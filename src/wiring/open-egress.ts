import type { Config } from '../config.ts'
import type { Log } from '../core/log.ts'
import { readLists } from './block-lists.ts'
import type { Network } from './open-network.ts'

export type OpenEgress = Awaited<ReturnType<typeof openEgress>>

/** The way out to the network for all browsers. */
export async function openEgress(config: Config, { rule, fetchPage }: Network, log: Log) {
  const { createEgress } = await import('../engine/net/egress.ts')
  const { createAdHosts } = await import('../engine/net/block-list.ts')
  const lists = await readLists(config.blockLists, fetchPage, log)
  return createEgress({ rule, adHosts: createAdHosts(lists) })
}
