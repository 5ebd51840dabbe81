import { randomUUID } from 'node:crypto'
import type { LiveNode, Node, NodeFacts, Nodes } from '../../../contracts/cluster-nodes.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type { SessionEvent, SessionEvents } from '../../../contracts/session-port.ts'
import type { OpenSessions } from '../../../engine/session/registry/open-sessions.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Log } from '../../../kernel/log.ts'
import { once } from '../../../util/async.ts'
import {
  createNodeCheck,
  digestOf,
  type Forwarded,
  forwardTo,
  type Reachable,
  statedCaller,
  upgradeAt,
} from '../../../engine/node/forward.ts'
import { type PeerRequests, type ForwardedCaller, sessionPath, type ToForward } from '../../../kernel/forwarding.ts'
import type { Config } from '../../config.ts'
import { objectsPlace } from '../../../engine/store/data-places.ts'
import { thisProcess } from '../../../engine/store/worker-id.ts'
import { version } from '../../../version.ts'

type AdvertisedConfig = Pick<Config, 'role' | 'nodeSecret' | 'objectsUrl' | 'apiKeys' | 'adminKey' | 'oauthIssuer'>

/** Digest prefix: long enough to compare secrets, too short to recover one. */
const digestLength = 6

/** Facts that a server publishes in the database. They reveal no secret. */
export function nodeFacts(config: AdvertisedConfig, schema: number | undefined): NodeFacts {
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
  const advertised = Object.entries({ ...everywhere, ...(takesCalls && ofCallers) })
  const settings = Object.fromEntries(
    advertised.map(([name, value]) => [name, value === undefined ? null : settingDigest(name, value)]),
  )
  return { process: thisProcess(), version, schema: schema ?? null, settings }
}

const settingDigest = (name: string, value: string): string =>
  digestOf(`gossamer ${name} ${value}`).slice(0, digestLength)

/** More than twice the time that a server waits for a restart of the database. */
const leaseMs = 20_000
const renewMs = 5000
/** Time for which the list of servers is reused: calls of one session follow each other quickly. */
const knownMs = 1000
/** Minimum age of the list before it is read again for an unknown id. */
const minMs = 50

/** Membership of this server in the cluster, that is, the servers on one database. */
type Membership = {
  readonly id: string
  join(): Promise<void>
  /** After this, other servers send no new work here. */
  leave(): Promise<void>
  alive(): Promise<LiveNode[]>
  /** Also finds a server that has just started. */
  find(id: string): Promise<LiveNode | undefined>
}

type Entry = { node: Node; facts(): Promise<NodeFacts>; nodes(): Promise<Nodes>; log: Log }

function createMembership({ node, facts, nodes, log }: Entry): Membership {
  let timer: NodeJS.Timeout | undefined
  let known: { at: number; alive: Promise<LiveNode[]> } | undefined
  const renew = async () => (await nodes()).renew({ ...node, facts: await facts() }, leaseMs)
  const alive = () => (known !== undefined && performance.now() - known.at < knownMs ? known.alive : readNodes())

  function readNodes(): Promise<LiveNode[]> {
    const latest = nodes().then((open) => open.alive())
    latest.catch(() => (known = undefined))
    known = { at: performance.now(), alive: latest }
    return latest
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
      const open = await nodes()
      await open
        .leave(node.id)
        .catch((cause: unknown) => log.warn('the other servers were not notified of the end', { cause }))
    },
    alive,
    async find(id) {
      const among = (all: readonly LiveNode[]) => all.find((each) => each.id === id)
      const current = among(await alive())
      return current ?? (performance.now() - (known?.at ?? 0) < minMs ? undefined : among(await readNodes()))
    },
  }
}

type ElsewhereParts = {
  id: string
  secret: string
  find(id: string): Promise<LiveNode | undefined>
}

/**
 * Access to objects in the memory of other servers. An id or secret of such an object begins with the id of the server.
 * Fails with REMOTE_UNAVAILABLE if that server does not answer.
 */
function createElsewhere({ id: own, secret, find }: ElsewhereParts) {
  const ownerOf = (key: string) => /^([^.]+)\./.exec(key)?.[1] ?? own
  const passOn = async <T>(
    send: (node: Reachable, forwarded: Forwarded) => Promise<T | undefined>,
    key: string,
    { team, baseUrl, handling, ...request }: ToForward,
  ): Promise<T | undefined> => {
    const node = await find(ownerOf(key))
    if (node === undefined || node.url === null) return undefined
    const caller = { baseUrl, ...(team && { team }), ...(handling && { handling }) }
    return send({ id: node.id, url: node.url }, { ...request, caller, secret })
  }
  return {
    newId: () => `${own}.${randomUUID()}`,
    isElsewhere: (key: string) => ownerOf(key) !== own,
    forward: (key: string, request: ToForward) => passOn(forwardTo, key, request),
    upgrade: (key: string, request: ToForward) => passOn(upgradeAt, key, request),
  }
}

/** Interval of the check for servers that have ended, the same as that of lease renewals. */
const checkMs = 5000
/** Sent after events may have been missed: the sessions of all teams may have changed. */
const missed: SessionEvent = { kind: 'list', teamId: null }

type EventParts = {
  /** Id of this server. */
  id: string
  store: () => Promise<Pick<Store, 'messages'>>
  /** Events of this server, sent to the others. */
  own: SessionEvents
  alive(): Promise<LiveNode[]>
  /** Ends the sessions of servers that ended without doing so themselves. */
  endLost(): Promise<void>
  log: Log
}
type Message = SessionEvent & { from: string }

/**
 * Sends the events of this server to the others. `events` are those of the others, received while there is a listener.
 */
function createEventsElsewhere({ id, store, own, alive, endLost, log }: EventParts) {
  const listeners = new Set<(event: SessionEvent) => void>()
  /** Servers of the last check, and senders of messages since then, which may end before the next check. */
  let known: ReadonlySet<string> = new Set()
  let isStarted = false
  let stop: (() => void) | undefined
  const emit = (event: SessionEvent) => listeners.forEach((listener) => listener(event))
  const failed = (cause: unknown) => log.debug('events of live browsers are not passed on', { cause })

  own((event) => {
    const message: Message = { from: id, ...event }
    store()
      .then(async ({ messages }) => messages?.send(JSON.stringify(message)), failed)
      .catch(failed)
  })

  function receive(text: string | undefined): void {
    if (text === undefined) return emit(missed)
    const { from, ...event } = JSON.parse(text) as Message
    if (from === id) return
    known = new Set([...known, from])
    emit(event)
  }

  /** A killed server sends no events for the end of its sessions. */
  async function check(): Promise<void> {
    const now = new Set((await alive()).map((node) => node.id))
    const isLost = [...known].some((each) => !now.has(each))
    known = now
    if (!isLost) return
    await endLost()
    emit(missed)
  }

  function update(): void {
    if (isStarted && listeners.size > 0) stop ??= listen({ store, receive, check, failed })
    else stop = void stop?.()
  }
  const events: SessionEvents = (listener) => {
    listeners.add(listener)
    update()
    return () => {
      listeners.delete(listener)
      update()
    }
  }
  return {
    events,
    start() {
      isStarted = true
      update()
    },
  }
}

type ListenParts = Pick<EventParts, 'store'> & {
  receive(text: string | undefined): void
  check(): Promise<void>
  failed(cause: unknown): void
}

/** Receives messages, and checks at an interval, until the returned function is called. */
function listen({ store, receive, check, failed }: ListenParts): () => void {
  const round = () => void check().catch(failed)
  const timer = setInterval(round, checkMs).unref()
  const listening = store().then(({ messages }) => messages?.listen(receive))
  listening.catch(failed)
  round()
  return () => {
    clearInterval(timer)
    listening.then((end) => end?.(), failed).catch(failed)
  }
}

type Settings = Pick<Config, 'nodeUrl'> & Parameters<typeof nodeFacts>[0]
type Tools = {
  /** Id of this server, new at each start. */
  id: string
  store: () => Promise<Pick<Store, 'nodes' | 'sessions' | 'schema' | 'messages'>>
  /** The live browsers of this server. */
  local: () => Promise<OpenSessions>
  /** Events of the live browsers of this server. */
  events: SessionEvents
  clock: Clock
  log: Log
}

/**
 * Connects this server with the others of its cluster, which do not know it until `join`. The database is opened on
 * first use.
 */
export function createCluster(settings: Settings, { id, store, local, events: own, clock, log }: Tools) {
  const { role, nodeUrl, nodeSecret: secret } = settings
  const url = nodeUrl?.replace(/\/+$/, '') ?? null
  const nodes = async () => (await store()).nodes
  const self = { id, role, url, startedAt: clock.now() }
  const facts = async () => nodeFacts(settings, (await store()).schema)
  const membership = createMembership({ node: self, facts, nodes, log })
  const { alive, find } = membership
  const endLost = async () => {
    const { endLost: endOf } = await import('../../../engine/session/registry/session-lifetime.ts')
    await endOf((await store()).sessions, clock)
  }
  const { events, start } = createEventsElsewhere({ id, store, own, alive, endLost, log })
  return {
    id,
    /** Events of the sessions on other servers. */
    events,
    async join() {
      await membership.join()
      start()
    },
    leave: membership.leave,
    /** Absent without a common secret, with which servers recognise each other. */
    elsewhere: secret === undefined ? undefined : createElsewhere({ id, secret, find }),
    /** Handles requests of other servers; absent if they cannot reach this one. */
    peerRequests:
      secret === undefined || url === null ? undefined : createPeerRequests({ secret, nodeId: id, local, clock }),
    /** The live browsers of all servers. */
    async sessions(): Promise<OpenSessions> {
      const [{ createSharedSessions }, { sessionsThere }] = await Promise.all([
        import('../../../engine/session/registry/shared-sessions.ts'),
        import('./session-calls.ts'),
      ])
      start()
      const reach = ({ id: nodeId, url: there }: LiveNode) => {
        if (secret === undefined || there === null) return undefined
        const node = { id: nodeId, url: there }
        return sessionsThere(({ name, ...sent }) =>
          forwardTo(node, { method: 'POST', path: sessionPath + name, ...sent, secret }),
        )
      }
      const leavesBrowsers = role === 'api'
      const records = (await store()).sessions
      return createSharedSessions({ local: await local(), records, nodeId: id, alive, reach, leavesBrowsers, clock })
    },
  }
}

type PeerRequestParts = Pick<Tools, 'local' | 'clock'> & { secret: string; nodeId: string }

function createPeerRequests({ local, clock, ...receiver }: PeerRequestParts): PeerRequests {
  const check = createNodeCheck(receiver)
  const answers = once(async () => (await import('./session-calls.ts')).createSessionAnswers(local))
  return {
    admit({ method, path, headers }) {
      const { encoded, caller } = statedCaller(headers)
      const accepts = check(headers.get('authorization'), { method, path, caller: encoded }, clock.now())
      return accepts && caller && { caller: caller as Partial<ForwardedCaller>, accepts }
    },
    answerSession: async (name, body, signal) => (await answers())(name, body, signal),
  }
}
