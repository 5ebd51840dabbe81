import { randomBytes, randomUUID, createHash } from 'node:crypto'
import type { LiveNode, Node, NodeFacts, Nodes } from '../../../contracts/cluster-nodes.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type { SessionEvents } from '../../../contracts/session-port.ts'
import { createEventsElsewhere } from './events-elsewhere.ts'
import type { OpenSessions } from '../../../engine/session/registry/open-sessions.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Log } from '../../../kernel/log.ts'
import { lazyPort, once } from '../../../util/async.ts'
import type { Channel, NodeSocket } from '../../../engine/node/node-channel.ts'
import { isNodeCredential, maxNodeMessageBytes, nodePath } from '../../../engine/node/dial.ts'
import type { Config } from '../../config.ts'
import type { BackCalls, OpenedCalls, SessionCalls } from './session-calls.ts'
import { forwardedCaller, forwardPath, forwardTo } from '../../../engine/node/forward.ts'
import { nodeOfSecret } from '../../../engine/session/registry/secrets.ts'
import type { Handling, Team } from '../../../kernel/ctx.ts'
import { objectsPlace } from '../../../engine/store/data-places.ts'
import { thisProcess } from '../../../engine/store/worker-id.ts'
import { version } from '../../../version.ts'

type Told = Pick<Config, 'role' | 'nodeSecret' | 'objectsUrl' | 'apiKeys' | 'adminKey' | 'oauthIssuer'>

/** Too short to tell a secret by, long enough to see that two differ. */
const digestLength = 6

/** What a server says of itself in the database. Secrets are not in it, nor what they could be found by. */
export function nodeFacts(config: Told, schema: number | undefined): NodeFacts {
  const { role, nodeSecret, objectsUrl, apiKeys, adminKey, oauthIssuer } = config
  const takesCalls = role === 'all' || role === 'api'
  const everywhere = {
    GOSSAMER_NODE_SECRET: nodeSecret,
    GOSSAMER_OBJECTS_URL: objectsUrl === undefined ? undefined : objectsPlace(objectsUrl),
  }
  const ofCallers = {
    GOSSAMER_API_KEYS: apiKeys.length === 0 ? undefined : apiKeys.toSorted().join(),
    GOSSAMER_ADMIN_KEY: adminKey,
    GOSSAMER_OAUTH_ISSUER: oauthIssuer,
  }
  const told = Object.entries({ ...everywhere, ...(takesCalls && ofCallers) })
  const settings = Object.fromEntries(
    told.map(([name, value]) => [name, value === undefined ? null : digestOf(name, value)]),
  )
  return { process: thisProcess(), version, schema: schema ?? null, settings }
}

const digestOf = (name: string, value: string): string =>
  createHash('sha256').update(`gossamer ${name} ${value}`).digest('base64url').slice(0, digestLength)

/** Twice as long as a server looks for a database that restarts, and some. */
const leaseMs = 20_000
const renewMs = 5000
/** Calls of one session follow each other quickly. */
const knownMs = 1000

/** This server among those that share its database. */
type Membership = {
  readonly id: string
  join(): Promise<void>
  /** The others send nothing new here any more. */
  leave(): Promise<void>
  alive(): Promise<LiveNode[]>
  /** Also one that has only just started. */
  find(id: string): Promise<LiveNode | undefined>
}

type Entry = { node: Node; facts(): Promise<NodeFacts>; nodes(): Promise<Nodes>; log: Log }

function createMembership({ node, facts, nodes, log }: Entry): Membership {
  let timer: NodeJS.Timeout | undefined
  let known: { at: number; alive: Promise<LiveNode[]> } | undefined
  const renew = async () => (await nodes()).renew({ ...node, facts: await facts() }, leaseMs)
  const alive = () => (known !== undefined && performance.now() - known.at < knownMs ? known.alive : look())

  function look(): Promise<LiveNode[]> {
    const seen = nodes().then((open) => open.alive())
    seen.catch(() => (known = undefined))
    known = { at: performance.now(), alive: seen }
    return seen
  }
  return {
    id: node.id,
    async join() {
      await renew()
      timer = setInterval(
        () =>
          void renew().catch((cause: unknown) => log.warn('the lease of this server could not be renewed', { cause })),
        renewMs,
      ).unref()
    },
    async leave() {
      if (timer === undefined) return
      clearInterval(timer)
      timer = undefined
      await (
        await nodes()
      )
        .leave(node.id)
        .catch((cause: unknown) => log.warn('the others were not told of the end', { cause }))
    },
    alive,
    async find(id) {
      const among = (all: readonly LiveNode[]) => all.find((each) => each.id === id)
      return among(await alive()) ?? among(await look())
    },
  }
}

type Parts = {
  id: string
  secret: string
  find(id: string): Promise<LiveNode | undefined>
  admits(authorization: string | null): boolean
}
type Caller = { team: Team; baseUrl: string; handling?: Handling | undefined }

/** What MCP over HTTP keeps in the memory of one server, reached from all: an id begins with that of its server, as secrets do. */
function mcpElsewhere({ id: own, secret, find, admits }: Parts) {
  return {
    elsewhere: {
      newId: () => `${own}.${randomUUID()}`,
      isElsewhere: (held: string) => (nodeOfSecret(held) ?? own) !== own,
      async forward(held: string, sent: { request: Request; body: Buffer }, caller: Caller) {
        const node = await find(nodeOfSecret(held) ?? own)
        if (node === undefined || node.url === null) return undefined
        const { team, baseUrl, handling } = caller
        const told = { team, baseUrl, ...(handling && { handling }) }
        return forwardTo({ id: node.id, url: node.url }, { ...sent, caller: told, secret })
      },
    },
    forwarded: {
      path: forwardPath,
      callerOf: (headers: Headers): Caller | undefined =>
        admits(headers.get('authorization')) ? (forwardedCaller(headers) as Caller | undefined) : undefined,
    },
  }
}

type Settings = Pick<Config, 'nodeUrl'> & Parameters<typeof nodeFacts>[0]
type Tools = {
  /** Of this run of the program (`newNodeId`). */
  id: string
  store: () => Promise<Pick<Store, 'nodes' | 'sessions' | 'schema'>>
  /** The live browsers of this server. */
  local: () => Promise<OpenSessions>
  /** What happens to them. */
  events: SessionEvents
  clock: Clock
  log: Log
}

export const newNodeId = (): string => randomBytes(9).toString('base64url')

/** This server among those that share its database. Nobody knows of it before it joins, and it opens nothing before it is asked. */
export function createCluster(settings: Settings, { id, store, local, events, clock, log }: Tools) {
  const { role, nodeUrl, nodeSecret } = settings
  const url = nodeUrl?.replace(/\/+$/, '') ?? null
  const nodes = async () => (await store()).nodes
  const self = { id, role, url, startedAt: clock.now() }
  const facts = async () => nodeFacts(settings, (await store()).schema)
  const membership = createMembership({ node: self, facts, nodes, log })
  const isCalled = nodeSecret !== undefined && url !== null
  const admits = (authorization: string | null): boolean =>
    nodeSecret !== undefined && isNodeCredential(authorization, { secret: nodeSecret, nodeId: id, now: clock.now() })
  const channels = new Set<Channel>()
  const peers = once(() => openPeers(nodeSecret))
  const elsewhere = createEventsElsewhere({
    id,
    alive: membership.alive,
    watch: async (node, heard) =>
      node.url === null ? undefined : (await peers())?.watch({ ...node, url: node.url }, heard),
    endLost: () => endLostOf(store, clock),
    log,
  })
  const listen = () => (nodeSecret === undefined ? undefined : elsewhere.begin())
  return {
    id,
    /** Of the sessions on the other servers. */
    events: elsewhere.events,
    async join() {
      await membership.join()
      listen()
    },
    leave: membership.leave,
    path: nodePath,
    maxMessageBytes: maxNodeMessageBytes,
    /** Whether an Authorization header shows one of the others; undefined where none can call here. */
    admits: (authorization: string | null): boolean | undefined => (isCalled ? admits(authorization) : undefined),
    /** Sessions of MCP on other servers, and here for those; absent where none can call. */
    mcp: isCalled ? mcpElsewhere({ id, secret: nodeSecret, find: membership.find, admits }) : undefined,
    /** The live browsers of all servers. */
    async sessions(): Promise<OpenSessions> {
      const { createSharedSessions } = await import('../../../engine/session/registry/shared-sessions.ts')
      const open = await peers()
      listen()
      return createSharedSessions({
        local: await local(),
        records: (await store()).sessions,
        nodeId: id,
        alive: membership.alive,
        reach: (node: LiveNode) => (node.url === null ? undefined : open?.of({ ...node, url: node.url })),
        leavesBrowsers: role === 'api',
        clock,
      })
    },
    /** Answers the calls of another server. */
    take: (socket: NodeSocket) => takeCalls(socket, { local, events, channels }),
    close(): void {
      void peers.close(async (open) => open?.close())
      for (const channel of channels) channel.close()
    },
  }
}

const openPeers = async (secret: string | undefined) =>
  secret === undefined ? undefined : (await import('./peers.ts')).createPeers(secret)

async function endLostOf(store: Tools['store'], clock: Clock): Promise<void> {
  const { endLost } = await import('../../../engine/session/registry/session-lifetime.ts')
  await endLost((await store()).sessions, clock)
}

type Taking = Pick<Tools, 'local' | 'events'> & { channels: Set<Channel> }

async function takeCalls(socket: NodeSocket, { local, events, channels }: Taking): Promise<void> {
  socket.pause()
  const [{ channelOver }, { callerOver, serveCalls }, { sessionCalls, watchCalls }] = await Promise.all([
    import('../../../engine/node/node-channel.ts'),
    import('../rpc.ts'),
    import('./session-calls.ts'),
  ])
  const channel = channelOver(socket)
  channels.add(channel)
  const back = callerOver<BackCalls>(channel.opened)
  const opened = async () => sessionCalls(await local(), back)
  const calls = { ...lazyPort<OpenedCalls>(opened, sessionCallNames), ...watchCalls(events, back) }
  const serving = serveCalls<SessionCalls>(channel.opener, calls)
  socket.resume()
  await channel.closed
  channels.delete(channel)
  serving.close()
}

const sessionCallNames = {
  carry: true,
  create: true,
  canRun: true,
  opened: true,
  endpoint: true,
  confine: true,
  takeRefused: true,
} as const
