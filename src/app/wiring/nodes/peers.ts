import {
  type CarriedCall,
  carriedCalls,
  type LiveNode,
  type SessionsElsewhere,
} from '../../../contracts/cluster-nodes.ts'
import type { SessionBounds, SessionEvent } from '../../../contracts/session-port.ts'
import { failure } from '../../../kernel/error.ts'
import type { Channel } from '../../../engine/node/node-channel.ts'
import { notReached } from '../../../engine/node/dial.ts'
import { type Call, callerOver, serveCalls } from '../rpc.ts'
import type { Watch } from './events-elsewhere.ts'
import type { BackCalls, SessionCalls } from './session-calls.ts'

type Peer = {
  call: Call<SessionCalls>
  bounds: Map<string, SessionBounds>
  heard: Set<(event: SessionEvent) => void>
  closed: Promise<void>
  close(): void
}
type Reachable = LiveNode & { url: string }
export type Peers = {
  of(node: Reachable): SessionsElsewhere
  watch(node: Reachable, heard: (event: SessionEvent) => void): Promise<Watch>
  close(): void
}

/** The other servers, each over one channel that is opened by its first call and again after it was lost. */
export function createPeers(secret: string): Peers {
  const open = new Map<string, Promise<Peer>>()

  function peerOf(node: { id: string; url: string }): Promise<Peer> {
    const known = open.get(node.id)
    if (known) return known
    const forget = () => {
      if (open.get(node.id) === opening) open.delete(node.id)
    }
    const opening = openPeer(node, secret, forget)
    open.set(node.id, opening)
    opening.catch(forget)
    return opening
  }
  return {
    of: (node) => sessionsOn(node.url, () => peerOf(node)),
    async watch(node, heard) {
      const peer = await peerOf(node)
      peer.heard.add(heard)
      const forget = () => void peer.heard.delete(heard)
      const stop = await peer.call('watch', {}).catch((cause: unknown) => {
        forget()
        throw cause
      })
      return {
        ended: peer.closed,
        stop() {
          forget()
          stop()
        },
      }
    },
    close: () => open.forEach((opening) => void opening.then((peer) => peer.close()).catch(() => {})),
  }
}

async function openPeer(node: { id: string; url: string }, secret: string, ended: () => void): Promise<Peer> {
  const { dialNode } = await import('../../../engine/node/dial.ts')
  const channel: Channel = await dialNode(node, secret)
  const bounds = new Map<string, SessionBounds>()
  const heard = new Set<(event: SessionEvent) => void>()
  const serving = serveCalls<BackCalls>(channel.opened, {
    mayVisit: async ({ hold, url }) => (await bounds.get(hold)?.mayVisit(url)) ?? false,
    entered: async ({ hold, url }) => void bounds.get(hold)?.mayEnter(url),
    told: async (event) => heard.forEach((each) => each(event)),
  })
  const over = new AbortController()
  void channel.closed.then(() => {
    serving.close()
    over.abort(failure('REMOTE_UNAVAILABLE', { message: notReached, hint: 'Try again in a moment.' }))
    return ended()
  })
  const ask = callerOver<SessionCalls>(channel.opener)
  return {
    // Whoever waits when the channel ends hears that it has.
    call: (name, asked, signal) => ask(name, asked, AbortSignal.any([over.signal, ...(signal ? [signal] : [])])),
    bounds,
    heard,
    closed: channel.closed,
    close: channel.close,
  }
}

function sessionsOn(url: string, peer: () => Promise<Peer>): SessionsElsewhere {
  const carried = carriedCalls.map((name) => [
    name,
    async (...given: unknown[]) => {
      const last = given.at(-1)
      const signal = last instanceof AbortSignal ? last : undefined
      return (await peer()).call('carry', { name, given: signal ? given.slice(0, -1) : given }, signal)
    },
  ])
  return {
    ...(Object.fromEntries(carried) as Pick<SessionsElsewhere, CarriedCall>),
    create: async (request, signal) => (await peer()).call('create', request, signal),
    canRun: async (language, teamId) => (await peer()).call('canRun', { language, teamId }),
    opened: async (teamId) => (await peer()).call('opened', { teamId }),
    async endpoint(secret) {
      const found = await (await peer()).call('endpoint', { secret })
      if (found === undefined) return undefined
      const { endpointAt } = await import('../../../engine/node/node-endpoint.ts')
      const { teamId, ...facts } = found
      return { ...endpointAt(url, secret, facts), teamId }
    },
    async confine(ref, bounds, signal) {
      const { call, bounds: known } = await peer()
      const hold = crypto.randomUUID()
      known.set(hold, bounds)
      const lift = await call('confine', { hold, ref, sites: bounds.sites }, signal).catch((cause: unknown) => {
        known.delete(hold)
        throw cause
      })
      return {
        takeRefused: () => call('takeRefused', { hold }),
        async lift() {
          known.delete(hold)
          lift()
        },
      }
    },
  }
}
