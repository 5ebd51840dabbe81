import type { NodeFacts, EnteredNode } from '../../../contracts/cluster-nodes.ts'
import type { Finding } from '../../../contracts/ports.ts'
import type { Probe } from '../../../engine/node/dial.ts'

/** A server's record in the database, and its response if it was called. */
export type Seen = EnteredNode & { probe?: Probe }

export const hostOf = ({ facts }: EnteredNode): string | null => facts?.process.split(' ')[0] ?? null

/** Name for operators: the URL at which the others reach it, or its machine and process. */
export function nameOf(server: EnteredNode): string {
  const [host, pid] = server.facts?.process.split(' ') ?? []
  return server.url ?? (host === undefined ? server.id : `process ${pid} of ${host}`)
}

export const namesOf = (servers: readonly EnteredNode[]): string => servers.map(nameOf).join(', ')

/** Workers are not called: they get jobs through the database. */
export const isCalled = (server: EnteredNode): server is EnteredNode & { url: string } =>
  server.url !== null && server.isAlive && server.role !== 'worker'

/** Duration for people. */
export function ago(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Clock differences that are reported, and that make others consider the server dead. */
const clockMs = { note: 2000, fault: 10_000 }

/** Findings about one server. `own`: the facts of this command with its settings. */
export function serverFindings(server: Seen, own: NodeFacts): Finding[] {
  const topic = `Server ${nameOf(server)}`
  if (!server.isAlive) return [{ topic, ...dead(server) }]
  return [{ topic, ...reached(server, own) }, ...clockFinding(server).map((finding) => ({ topic, ...finding }))]
}

type Said = Omit<Finding, 'topic'>

function dead({ role, silentMs, sessions }: Seen): Said {
  const since = silentMs === null ? 'no more' : `not for ${ago(silentMs)}`
  const lost = sessions > 0 ? `, with ${counted(sessions, 'live browser')}` : ''
  return {
    state: 'fault',
    says: `${role}, heard of ${since}${lost}: it was killed, or is cut off from the database`,
    advice: `Others have taken its jobs over. Look at its log and start it again; it is told of for ten minutes.`,
  }
}

function reached(server: Seen, own: NodeFacts): Said {
  const { role, facts, sessions, pages, silentMs, probe } = server
  const heard = silentMs === null ? [] : [`heard of ${ago(silentMs)} ago`]
  const work = [counted(sessions, 'live browser'), `${counted(pages, 'page')} under way`]
  const about = [role, facts?.version ?? 'an older version', ...heard, ...work].join(', ')
  if (probe === undefined) return { state: 'ok', says: about }
  if (probe.kind === 'admitted') return { state: 'ok', says: `${about}, answers in ${probe.ms} ms` }
  return { state: 'fault', says: `${about}, but ${faultOf(probe)}`, advice: adviceFor(server, probe, own) }
}

type NotAdmitted = Exclude<Probe, { kind: 'admitted' }>

const faultOf = (probe: NotAdmitted): string =>
  probe.kind === 'silent'
    ? `does not answer: ${probe.reason}`
    : `refuses calls of other servers (status ${probe.status})`

function adviceFor({ url, facts, clockAheadMs }: Seen, probe: NotAdmitted, own: NodeFacts): string {
  if (probe.kind === 'silent')
    return `Check that GOSSAMER_NODE_URL of that server, ${url}, is how this machine and the others reach it.`
  const theirs = facts?.settings['GOSSAMER_NODE_SECRET']
  if (theirs === null) return 'Set GOSSAMER_NODE_SECRET there, the same as on all servers.'
  if (theirs !== undefined && theirs !== own.settings['GOSSAMER_NODE_SECRET'])
    return 'Its GOSSAMER_NODE_SECRET is not that of this command: give all servers, and this command, the same.'
  if (Math.abs(clockAheadMs ?? 0) > clockMs.fault) return 'Set its clock: what shows the secret holds for one minute.'
  return `The secret is the same, so another program may answer at ${url}, such as a balancer: GOSSAMER_NODE_URL has to name this one server.`
}

function clockFinding({ clockAheadMs }: Seen): Said[] {
  const off = Math.abs(clockAheadMs ?? 0)
  if (clockAheadMs === null || off < clockMs.note) return []
  const way = clockAheadMs > 0 ? 'ahead of' : 'behind'
  return [
    {
      state: off < clockMs.fault ? 'note' : 'fault',
      says: `its clock is ${ago(off)} ${way} that of the database`,
      advice:
        'Let NTP keep the clocks together: leases are told by them, so that a server whose clock is off is taken for dead, or takes others for it.',
    },
  ]
}
