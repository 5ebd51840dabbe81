import { type NodeFacts, nodeRoles } from '../../../../contracts/cluster/node.ts'
import type { Finding } from '../../../../contracts/ports.ts'
import { counted, nameOf, namesOf, type Seen } from './seen.ts'

/** Whether the servers that live are what it takes, and are set alike. */
export function agreementFindings(servers: readonly Seen[], own: NodeFacts): Finding[] {
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

function roleFindings(alive: readonly Seen[]): Finding[] {
  const topic = 'Roles'
  const has = (...roles: readonly Seen['role'][]) => alive.some(({ role }) => roles.includes(role))
  const state = 'fault'
  if (alive.length === 0)
    return [{ topic, state, says: 'no server runs on this database', advice: 'Start one: gossamer serve.' }]
  const faults: Finding[] = []
  if (!has('all', 'worker'))
    faults.push({
      topic,
      state,
      says: 'no server carries out jobs, so that crawls, batches, extracts, agents, monitors and webhooks wait',
      advice: 'Start a server with GOSSAMER_ROLE=worker, or all.',
    })
  if (!has('all', 'api'))
    faults.push({
      topic,
      state,
      says: 'no server takes calls over MCP and REST',
      advice: 'Start a server with GOSSAMER_ROLE=api, or all.',
    })
  if (faults.length > 0) return faults
  const counts = nodeRoles.flatMap((role) => {
    const count = alive.filter((server) => server.role === role).length
    return count === 0 ? [] : [`${count} ${role}`]
  })
  const browsers =
    has('api') && !has('browser')
      ? '; without a server of the role browser, those of api open live browsers themselves'
      : ''
  return [{ topic, state: 'ok', says: `${counts.join(', ')}${browsers}` }]
}

function versionFindings(alive: readonly Seen[], own: NodeFacts): Finding[] {
  const topic = 'Versions'
  const behind = alive.filter(({ facts }) => (facts?.schema ?? 0) < (own.schema ?? 0))
  if (behind.length > 0)
    return [
      {
        topic,
        state: 'fault',
        says: `the tables of the database are of version ${own.schema}, which ${namesOf(behind)} cannot know`,
        advice: 'Bring these servers to the newest version that is in use; they would not start again as they are.',
      },
    ]
  const versions = Map.groupBy(alive, ({ facts }) => facts?.version ?? 'unknown')
  if (versions.size < 2) return []
  const says = [...versions].map(([version, on]) => `${version} on ${namesOf(on)}`).join('; ')
  return [{ topic, state: 'note', says, advice: 'Bring all servers to one version when the change is through.' }]
}

/** Each server tells a digest of what has to be the same; those that have no use for a setting do not tell it. */
function settingFindings(alive: readonly Seen[]): Finding[] {
  const names = new Set(alive.flatMap(({ facts }) => Object.keys(facts?.settings ?? {})))
  return [...names].flatMap((name): Finding[] => {
    const tellers = alive.filter(({ facts }) => facts?.settings[name] !== undefined)
    const values = Map.groupBy(tellers, ({ facts }) => facts?.settings[name] ?? null)
    if (values.size < 2) return []
    const isOneValue = values.size === 2 && values.has(null)
    const parts = [...values].map(([value, on], at) => {
      if (value === null) return `not set on ${namesOf(on)}`
      return `${isOneValue ? 'set' : at === 0 ? 'one value' : 'another'} on ${namesOf(on)}`
    })
    const says = `${name} is not the same on all servers: ${parts.join('; ')}`
    return [{ topic: 'Settings', state: 'fault', says, advice: adviceOf[name] ?? 'Set the same on all servers.' }]
  })
}

const adviceOf: Readonly<Record<string, string>> = {
  GOSSAMER_NODE_SECRET:
    'Set the same on all: until then servers cannot reach the live browsers and MCP sessions of each other.',
  GOSSAMER_OBJECTS_URL:
    'Set the same on all, or on none: until then some servers cannot read the files that others have kept.',
  GOSSAMER_API_KEYS:
    'Set the same on all, or keep keys in the database (gossamer keys): until then one refuses who another lets in.',
}

function sameUrls(alive: readonly Seen[]): Finding[] {
  const urls = Map.groupBy(alive, ({ url }) => url)
  return [...urls].flatMap(([url, on]): Finding[] =>
    url === null || on.length < 2
      ? []
      : [
          {
            topic: 'Settings',
            state: 'fault',
            says: `${on.length} servers say that they are reached at ${url}`,
            advice: 'GOSSAMER_NODE_URL names one server, not a balancer before several: give each its own.',
          },
        ],
  )
}

/** What they hold is then open to who asks them alone. */
function unreachable(alive: readonly Seen[]): Finding[] {
  const holders = alive.filter(({ role }) => role !== 'worker')
  const lacking = holders.filter(({ url, facts }) => url === null || facts?.settings['GOSSAMER_NODE_SECRET'] === null)
  if (holders.length < 2 || lacking.length === 0) return []
  return [
    {
      topic: 'Between servers',
      state: 'note',
      says: `the others cannot call ${lacking.map(nameOf).join(', ')}: live browsers and MCP sessions there are open only to who asks that server`,
      advice:
        'Set GOSSAMER_NODE_URL and GOSSAMER_NODE_SECRET on each server that takes calls, or send each caller to one server.',
    },
  ]
}

function notCalled(alive: readonly Seen[], { settings }: NodeFacts): Finding[] {
  const reachable = alive.filter(({ url, role }) => url !== null && role !== 'worker')
  if (settings['GOSSAMER_NODE_SECRET'] !== null || reachable.length === 0) return []
  return [
    {
      topic: 'Between servers',
      state: 'note',
      says: `${counted(reachable.length, 'server was', 'servers were')} not called, because this command does not know their secret`,
      advice: 'Set GOSSAMER_NODE_SECRET as they have it.',
    },
  ]
}
