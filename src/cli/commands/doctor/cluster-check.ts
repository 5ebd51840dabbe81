import { counted } from '../../../util/amounts.ts'
import { type Finding, findingsOn } from '../../../contracts/ports.ts'
import { type Probe, probeNode } from '../../../engine/node/forward.ts'
import type { Store } from '../../../engine/store/store.ts'
import { nodeFacts } from '../../../app/wiring/nodes/cluster.ts'
import { type CommandContext, UsageError } from '../../command.ts'
import { storeFinding } from './store-finding.ts'
import type { Workload } from '../../../engine/store/workload.ts'
import { type EnteredNode, type NodeFacts, nodeRoles } from '../../../contracts/cluster-nodes.ts'

/** Checks that the live servers have all required roles and equal settings. */
function agreementFindings(servers: readonly CheckedServer[], own: NodeFacts): Finding[] {
  const alive = servers.filter(({ isAlive }) => isAlive)
  return [
    ...roleFindings(alive),
    ...versionFindings(alive, own),
    ...settingFindings(alive),
    ...sameUrls(alive),
    ...unreachable(alive),
    ...notCalled(alive, own),
  ]
}

function roleFindings(alive: readonly CheckedServer[]): Finding[] {
  const { ok, fault } = findingsOn('Roles')
  const has = (...roles: readonly CheckedServer['role'][]) => alive.some(({ role }) => roles.includes(role))
  if (alive.length === 0) return [fault('no server runs on this database', 'Start one: gossamer serve.')]
  const faults: Finding[] = []
  if (!has('all', 'worker'))
    faults.push(
      fault(
        'no server runs jobs, so that crawls, batches, extracts, agents, monitors and webhooks wait',
        'Start a server with GOSSAMER_ROLE=worker, or all.',
      ),
    )
  if (!has('all', 'api'))
    faults.push(fault('no server takes calls over MCP and REST', 'Start a server with GOSSAMER_ROLE=api, or all.'))
  if (faults.length > 0) return faults
  const counts = nodeRoles.flatMap((role) => {
    const count = alive.filter((server) => server.role === role).length
    return count === 0 ? [] : [`${count} ${role}`]
  })
  const browsers =
    has('api') && !has('browser')
      ? '; without a server of the role browser, those of api open live browsers themselves'
      : ''
  return [ok(`${counts.join(', ')}${browsers}`)]
}

function versionFindings(alive: readonly CheckedServer[], own: NodeFacts): Finding[] {
  const { note, fault } = findingsOn('Versions')
  const behind = alive.filter(({ facts }) => (facts?.schema ?? 0) < (own.schema ?? 0))
  if (behind.length > 0)
    return [
      fault(
        `the tables of the database are of version ${own.schema}, which ${namesOf(behind)} cannot know`,
        'Update these servers to the newest version in use: they could not start again with this database.',
      ),
    ]
  const versions = Map.groupBy(alive, ({ facts }) => facts?.version ?? 'unknown')
  if (versions.size < 2) return []
  const says = [...versions].map(([version, on]) => `${version} on ${namesOf(on)}`).join('; ')
  return [note(says, 'Update all servers to one version.')]
}

const ofSettings = findingsOn('Settings')

/** Compares settings that must be equal. Each server reports a digest of those that it uses; null means not set. */
function settingFindings(alive: readonly CheckedServer[]): Finding[] {
  const names = new Set(alive.flatMap(({ facts }) => Object.keys(facts?.settings ?? {})))
  return [...names].flatMap((name): Finding[] => {
    const reporting = alive.filter(({ facts }) => facts?.settings[name] !== undefined)
    const values = Map.groupBy(reporting, ({ facts }) => facts?.settings[name] ?? null)
    if (values.size < 2) return []
    const isOneValue = values.size === 2 && values.has(null)
    const parts = [...values].map(([value, on], at) => {
      if (value === null) return `not set on ${namesOf(on)}`
      return `${isOneValue ? 'set' : at === 0 ? 'one value' : 'another'} on ${namesOf(on)}`
    })
    const says = `${name} is not the same on all servers: ${parts.join('; ')}`
    return [ofSettings.fault(says, adviceOf[name] ?? 'Set the same on all servers.')]
  })
}

const adviceOf: Readonly<Record<string, string>> = {
  GOSSAMER_NODE_SECRET:
    'Set the same on all: until then servers cannot reach the live browsers and MCP sessions of each other.',
  GOSSAMER_OBJECTS_URL:
    'Set the same on all, or on none: until then some servers cannot read the files that others store.',
  GOSSAMER_API_KEYS:
    'Set the same on all, or keep keys in the database (gossamer keys): until then one server refuses a key that another accepts.',
}

function sameUrls(alive: readonly CheckedServer[]): Finding[] {
  const urls = Map.groupBy(alive, ({ url }) => url)
  return [...urls].flatMap(([url, on]): Finding[] =>
    url === null || on.length < 2
      ? []
      : [
          ofSettings.fault(
            `${on.length} servers say that they are reached at ${url}`,
            'GOSSAMER_NODE_URL names one server, not a balancer before several: give each its own.',
          ),
        ],
  )
}

const betweenServers = findingsOn('Between servers')

/** Reports servers whose live browsers and MCP sessions the other servers cannot reach. */
function unreachable(alive: readonly CheckedServer[]): Finding[] {
  const holders = alive.filter(({ role }) => role !== 'worker')
  const lacking = holders.filter(({ url, facts }) => url === null || facts?.settings['GOSSAMER_NODE_SECRET'] === null)
  if (holders.length < 2 || lacking.length === 0) return []
  return [
    betweenServers.note(
      `the others cannot call ${lacking.map(nameOf).join(', ')}: live browsers and MCP sessions there can be used only over that server`,
      'Set GOSSAMER_NODE_URL and GOSSAMER_NODE_SECRET on each server that takes calls, or send each caller to one server.',
    ),
  ]
}

function notCalled(alive: readonly CheckedServer[], { settings }: NodeFacts): Finding[] {
  const reachable = alive.filter(({ url, role }) => url !== null && role !== 'worker')
  if (settings['GOSSAMER_NODE_SECRET'] !== null || reachable.length === 0) return []
  return [
    betweenServers.note(
      `${counted(reachable.length, 'server was', 'servers were')} not called, because this command does not know their secret`,
      'Set GOSSAMER_NODE_SECRET to their value.',
    ),
  ]
}

/**
 * Waits from this length on get advice; shorter ones are normal, such as pauses of a site or teams without a free slot.
 */
const longMs = 5 * 60_000

/** Reports the number of waiting jobs, pages and deliveries, and how long they have waited. */
function queueFinding({ jobs, pages, deliveries, ...oldest }: Workload): Finding {
  const sum = (state: 'waiting' | 'running') =>
    jobs.filter((each) => each.state === state).reduce((total, { count }) => total + count, 0)
  const says = [
    `${counted(sum('running'), 'job')} running, ${sum('waiting')} waiting${since(oldest.oldestWaitingMs)}`,
    `${counted(pages.active, 'page')} being read, ${pages.waiting} waiting`,
    `${counted(deliveries, 'webhook event')} to be sent${since(oldest.oldestDeliveryMs)}`,
  ].join('; ')
  const advice = [
    ...(oldest.oldestWaitingMs > longMs && pages.active === 0 && sum('running') === 0
      ? ['No work is in progress: check the logs of the workers.']
      : []),
    ...(oldest.oldestWaitingMs > longMs && pages.active > 0 && sum('waiting') > 0
      ? ['Start more workers, or raise the limits of the teams that wait.']
      : []),
    ...(oldest.oldestDeliveryMs > longMs
      ? ['A receiver of webhooks does not answer: the logs of the workers name it.']
      : []),
  ]
  const { ok, note } = findingsOn('Queue')
  return advice.length === 0 ? ok(says) : note(says, advice.join(' '))
}

const since = (ms: number) => (ms > 0 ? `, the oldest for ${ago(ms)}` : '')

type ClusterReport = { findings: Finding[]; servers?: object[]; queue?: object }

/** Checks all servers on one database, from any machine that reaches the database. */
export async function checkCluster({ app, config }: Pick<CommandContext, 'app' | 'config'>): Promise<ClusterReport> {
  if (config.databaseUrl === undefined)
    throw new UsageError(
      'gossamer doctor --cluster checks the servers that share a PostgreSQL database: set GOSSAMER_DATABASE_URL to their value.',
    )
  const database = await storeFinding(app, config)
  if (database.state === 'fault') return { findings: [database] }
  const store = await app.store()
  const own = nodeFacts({ ...config, role: 'all' }, store.schema)
  const [servers, queue] = await Promise.all([callServers(store, config.nodeSecret), store.workload()])
  const findings = [
    database,
    ...servers.flatMap((server) => serverFindings(server, own)),
    ...agreementFindings(servers, own),
    queueFinding(queue),
  ]
  return { findings, servers: servers.map(jsonOf), queue }
}

/** Calls the other servers concurrently, if this command knows their secret. */
async function callServers({ nodes }: Pick<Store, 'nodes'>, secret: string | undefined): Promise<CheckedServer[]> {
  return Promise.all(
    (await nodes.entered()).map(async (node): Promise<CheckedServer> => {
      if (secret === undefined || !isCalled(node)) return node
      return { ...node, probe: await probeNode({ id: node.id, url: node.url }, secret) }
    }),
  )
}

/** Returns the facts about a server for the JSON report, without the digests of its settings. */
function jsonOf(server: CheckedServer): object {
  const { id, role, url, startedAt, sessions, pages, silentMs, clockAheadMs, isAlive, facts, probe } = server
  const known = { name: nameOf(server), host: hostOf(server), version: facts?.version ?? null }
  return { id, ...known, role, url, startedAt, isAlive, silentMs, clockAheadMs, sessions, pages, probe: probe ?? null }
}

/** A server's record in the database, and its response if it was called. */
type CheckedServer = EnteredNode & { probe?: Probe }

const hostOf = ({ facts }: EnteredNode): string | null => facts?.process.split(' ')[0] ?? null

/** Returns a name for operators: the URL at which the other servers reach it, or its machine and process. */
function nameOf(server: EnteredNode): string {
  const [host, pid] = server.facts?.process.split(' ') ?? []
  return server.url ?? (host === undefined ? server.id : `process ${pid} of ${host}`)
}

const namesOf = (servers: readonly EnteredNode[]): string => servers.map(nameOf).join(', ')

/** True if other servers call this one. Workers are not called, because they get jobs through the database. */
const isCalled = (server: EnteredNode): server is EnteredNode & { url: string } =>
  server.url !== null && server.isAlive && server.role !== 'worker'

/** Formats a duration for people. */
function ago(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** Clock differences: from `note` on they are reported, from `fault` on others consider the server dead. */
const clockMs = { note: 2000, fault: 10_000 }

/** Returns the findings about one server. `own`: the facts of this command. */
function serverFindings(server: CheckedServer, own: NodeFacts): Finding[] {
  const on = findingsOn(`Server ${nameOf(server)}`)
  return server.isAlive ? [reached(on, server, own), ...clockFinding(on, server)] : [dead(on, server)]
}

type Makers = ReturnType<typeof findingsOn>

function dead({ fault }: Makers, { role, silentMs, sessions }: CheckedServer): Finding {
  const silence = silentMs === null ? 'no report' : `no report for ${ago(silentMs)}`
  const lost = sessions > 0 ? `, with ${counted(sessions, 'live browser')}` : ''
  return fault(
    `${role}, ${silence}${lost}: it was killed, or is cut off from the database`,
    'Others have taken over its jobs. Check its log and start it again; it is reported for ten minutes.',
  )
}

function reached({ ok, fault }: Makers, server: CheckedServer, own: NodeFacts): Finding {
  const { role, facts, sessions, pages, silentMs, probe } = server
  const report = silentMs === null ? [] : [`last report ${ago(silentMs)} ago`]
  const work = [counted(sessions, 'live browser'), `${counted(pages, 'page')} being read`]
  const about = [role, facts?.version ?? 'an older version', ...report, ...work].join(', ')
  if (probe === undefined) return ok(about)
  if (probe.kind === 'admitted') return ok(`${about}, answers in ${probe.ms} ms`)
  return fault(`${about}, but ${faultOf(probe)}`, adviceFor(server, probe, own))
}

type NotAdmitted = Exclude<Probe, { kind: 'admitted' }>

const faultOf = (probe: NotAdmitted): string =>
  probe.kind === 'silent'
    ? `does not answer: ${probe.reason}`
    : `refuses calls of other servers (status ${probe.status})`

function adviceFor({ url, facts, clockAheadMs }: CheckedServer, probe: NotAdmitted, own: NodeFacts): string {
  if (probe.kind === 'silent')
    return `Check that GOSSAMER_NODE_URL of that server, ${url}, is how this machine and the others reach it.`
  const theirs = facts?.settings['GOSSAMER_NODE_SECRET']
  if (theirs === null) return 'Set GOSSAMER_NODE_SECRET there, the same as on all servers.'
  if (theirs !== undefined && theirs !== own.settings['GOSSAMER_NODE_SECRET'])
    return 'Its GOSSAMER_NODE_SECRET is not that of this command: give all servers, and this command, the same.'
  if (Math.abs(clockAheadMs ?? 0) > clockMs.fault)
    return 'Set its clock: a call signed with the secret is valid for one minute.'
  return `The secret is the same, so another program may answer at ${url}, such as a balancer: GOSSAMER_NODE_URL has to name this one server.`
}

function clockFinding({ note, fault }: Makers, { clockAheadMs }: CheckedServer): Finding[] {
  const off = Math.abs(clockAheadMs ?? 0)
  if (clockAheadMs === null || off < clockMs.note) return []
  const way = clockAheadMs > 0 ? 'ahead of' : 'behind'
  const report = off < clockMs.fault ? note : fault
  return [
    report(
      `its clock is ${ago(off)} ${way} that of the database`,
      'Synchronise the clocks with NTP: leases depend on them, so a server with a wrong clock is considered dead, or considers others dead.',
    ),
  ]
}
