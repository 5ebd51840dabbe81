import type { Clock } from '../../../contracts/ports.ts'
import type { SessionEvents } from '../../../contracts/session.ts'
import { once } from '../../../util/lazy.ts'
import type { Config } from '../../config.ts'
import { openSessions, sessionEvents, type SessionParts, sessionPorts } from '../sessions.ts'
import { createCluster, newNodeId } from './cluster.ts'

export type BrowserTools = Omit<SessionParts, 'nodeId' | 'ports'> & { clock: Clock }

/** The live browsers of this server, and of those that share its database. Opens nothing before it is used. */
export function openLiveBrowsers(config: Config, tools: BrowserTools, ports: () => SessionParts['ports']) {
  const { store, clock, log } = tools
  const id = sharesDatabase(config) ? newNodeId() : null
  const { events: own, tell } = sessionEvents()
  const local = once(async () => {
    const opened = await openSessions(config, { ...tools, ports: ports(), nodeId: id })
    opened.listen(tell)
    return opened
  })
  const cluster = id === null ? undefined : createCluster(config, { id, store, local, events: own, clock, log })
  const { port, close } = sessionPorts(cluster?.sessions ?? local)
  const events: SessionEvents = (listener) => {
    const stops = [own, ...(cluster ? [cluster.events] : [])].map((source) => source(listener))
    return () => stops.forEach((stop) => stop())
  }
  const end = async () => {
    // Nothing new is sent here meanwhile.
    await cluster?.leave()
    await close()
    // They may have been opened by other servers alone.
    await local.close((opened) => opened.end())
  }
  return {
    port,
    events,
    cluster,
    /** Ends those of this server. */
    end,
    async close(): Promise<void> {
      await end()
      cluster?.close()
    },
  }
}

/** A remote service has servers of its own. */
const sharesDatabase = ({ databaseUrl, remoteUrl }: Config) => databaseUrl !== undefined && remoteUrl === undefined
