import type { NodeFacts } from '../../../../contracts/cluster/node.ts'
import type { Finding } from '../../../../contracts/ports.ts'
import type { Probe } from '../../../../engine/node/probe.ts'
import { ago, counted, nameOf, type Seen } from './seen.ts'

/** What is worth saying, and from where on others take the server for dead. */
const clockMs = { note: 2000, fault: 10_000 }

/** How one server is. `own`: what this command, with its settings, would say of itself. */
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
