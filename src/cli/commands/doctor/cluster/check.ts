import type { Finding } from '../../../../contracts/ports.ts'
import { probeNode } from '../../../../engine/node/probe.ts'
import type { Store } from '../../../../engine/store/store.ts'
import { nodeFacts } from '../../../../app/wiring/nodes/facts.ts'
import { type CommandContext, UsageError } from '../../../command.ts'
import { storeFinding } from '../store.ts'
import { agreementFindings } from './agreement.ts'
import { queueFinding } from './queue.ts'
import { hostOf, isCalled, nameOf, type Seen } from './seen.ts'
import { serverFindings } from './server.ts'

export type ClusterReport = { findings: Finding[]; servers?: object[]; queue?: object }

/** What is wrong with the servers on one database, seen from any machine that reaches it. */
export async function checkCluster({ app, config }: Pick<CommandContext, 'app' | 'config'>): Promise<ClusterReport> {
  if (config.databaseUrl === undefined)
    throw new UsageError(
      'gossamer doctor --cluster looks at the servers that share a PostgreSQL database: set GOSSAMER_DATABASE_URL as they have it.',
    )
  const database = await storeFinding(app, config)
  if (database.state === 'fault') return { findings: [database] }
  const store = await app.store()
  const own = nodeFacts({ ...config, role: 'all' }, store.schema)
  const [servers, queue] = await Promise.all([see(store, config.nodeSecret), store.workload()])
  const findings = [
    database,
    ...servers.flatMap((server) => serverFindings(server, own)),
    ...agreementFindings(servers, own),
    queueFinding(queue),
  ]
  return { findings, servers: servers.map(told), queue }
}

/** The others are called where this command knows their secret, all at once. */
async function see({ nodes }: Pick<Store, 'nodes'>, secret: string | undefined): Promise<Seen[]> {
  return Promise.all(
    (await nodes.entered()).map(async (node): Promise<Seen> => {
      if (secret === undefined || !isCalled(node)) return node
      return { ...node, probe: await probeNode({ id: node.id, url: node.url }, secret) }
    }),
  )
}

/** For programs that read the report. Digests of settings are for comparisons alone. */
function told(server: Seen): object {
  const { id, role, url, startedAt, sessions, pages, silentMs, clockAheadMs, isAlive, facts, probe } = server
  const known = { name: nameOf(server), host: hostOf(server), version: facts?.version ?? null }
  return { id, ...known, role, url, startedAt, isAlive, silentMs, clockAheadMs, sessions, pages, probe: probe ?? null }
}
