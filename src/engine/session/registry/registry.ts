import { createHash, randomBytes } from 'node:crypto'
import type { TeamLimits } from '../../../contracts/account-ports.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type {
  EndReason,
  SessionEnd,
  SessionInfo,
  SessionRecords,
  SessionRequest,
  SessionEvent,
  SessionEvents,
  SessionSecrets,
} from '../../../contracts/session-port.ts'
import { fail } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { leavesShare } from '../../../util/semaphore.ts'
import { sessionCredits } from '../../billing/price.ts'
import { translateErrors, authorize, missing } from './session-errors.ts'
import { storeTimeline } from '../timeline.ts'
import type { Jobs } from '../../../contracts/job-ports.ts'
import type { LiveSession, SessionCallbacks } from '../live-session.ts'
import { endOf, keepRenewed, type Lifetime, type Renewal, watchExpiry } from './session-lifetime.ts'

/** Emits session events; changes in quick succession are merged into one later event. */
function createEventSource(everyMs = 1000) {
  const listeners = new Set<(event: SessionEvent) => void>()
  const throttled = new Map<string, 'quiet' | 'changed'>()
  const emit = (event: SessionEvent) => listeners.forEach((listener) => listener(event))

  /** Emits that a session has changed: immediately, then at most once per `everyMs`. */
  function changed(teamId: string, id: string): void {
    if (listeners.size === 0) return
    if (throttled.has(id)) return void throttled.set(id, 'changed')
    throttled.set(id, 'quiet')
    emit({ kind: 'changed', teamId, id })
    setTimeout(() => {
      const hasChanged = throttled.get(id) === 'changed'
      throttled.delete(id)
      if (hasChanged) changed(teamId, id)
    }, everyMs).unref()
  }

  return {
    changed,
    listChanged: (teamId: string) => emit({ kind: 'list', teamId }),
    listen: ((listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }) satisfies SessionEvents,
  }
}

type SecretUse = keyof SessionSecrets
type SecretStore<T> = ReturnType<typeof createSecretStore<T>>

const secretBytes = 32

/** Stores secrets by digest, so the time of a lookup reveals nothing about them. */
function createSecretStore<T>(nodeId: string | null) {
  const known = new Map<string, { owner: T; use: SecretUse }>()
  return {
    create(owner: T): SessionSecrets {
      const createOne = (use: SecretUse) => {
        const random = randomBytes(secretBytes).toString('base64url')
        const secret = nodeId === null ? random : `${nodeId}.${random}`
        known.set(digestOf(secret), { owner, use })
        return secret
      }
      return { cdp: createOne('cdp'), view: createOne('view'), control: createOne('control') }
    },
    find: (secret: string) => known.get(digestOf(secret)),
    revoke(owner: T, use?: SecretUse) {
      for (const [digest, entry] of known)
        if (entry.owner === owner && entry.use === (use ?? entry.use)) known.delete(digest)
    },
  }
}

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('base64')

export type RegistryOptions = {
  records: SessionRecords
  /** Opens a browser for the request; leaves nothing behind on failure. */
  open(request: SessionRequest, callbacks: SessionCallbacks, signal: AbortSignal): Promise<LiveSession>
  jobs: Pick<Jobs, 'record'>
  nodeId: string | null
  maxSessions: number
  limitsOf(teamId: string): Promise<Pick<TeamLimits, 'maxSessions' | 'disabled' | 'stoppedAt'>>
  /** Returns true if other teams may use the server; part of the sessions is then reserved for them. */
  hasOthers(caller: Pick<SessionRequest, 'teamId' | 'keyName'>): Promise<boolean>
  clock: Clock
  log: Log
}

export type Entry = {
  readonly request: SessionRequest
  facts: SessionInfo
  opened: Promise<unknown>
  live?: LiveSession
  busy: number
  ending?: Promise<SessionEnd>
  stopWatch?: () => void
  /** Time until which an idle session is kept, in ms since the epoch. */
  keptUntil?: number
}
export type Registry = ReturnType<typeof createRegistry>

type RegistryContext = RegistryOptions & {
  entries: Map<string, Entry>
  secrets: SecretStore<Entry>
  events: ReturnType<typeof createEventSource>
  renewal: Renewal
}

export function createRegistry(options: RegistryOptions) {
  const entries = new Map<string, Entry>()
  const secrets = createSecretStore<Entry>(options.nodeId)
  const events = createEventSource()
  const renewal = keepRenewed(options.records, {
    ...options,
    alive: () => aliveIn(entries),
    check: () => endStopped(context),
  })
  const context: RegistryContext = { ...options, entries, secrets, events, renewal }
  return {
    open: (request: SessionRequest, signal: AbortSignal) => open(context, request, signal),
    /** Records the reason of the first caller; never rejects. */
    end: (entry: Entry, why: EndReason) => end(context, entry, why),
    touch: (entry: Entry) => touch(context, entry),
    listen: events.listen,
    reaped: renewal.reaped,
    entry: (id: string) => entries.get(id),
    openOf: (teamId: string) => aliveIn(entries).filter((facts) => facts.teamId === teamId),
    bySecret: (secret: string) => secrets.find(secret),
    async close(): Promise<void> {
      renewal.stop()
      await Promise.all(Array.from(entries.values(), (entry) => endOnceOpen(context, entry)))
    },
  }
}

const aliveIn = (entries: Map<string, Entry>) =>
  [...entries.values()].flatMap((each) => (each.live && !each.ending ? [each.facts] : []))

async function open(context: RegistryContext, request: SessionRequest, signal: AbortSignal): Promise<Entry> {
  const { entries, records, renewal, clock, maxSessions, hasOthers } = context
  await renewal.reaped()
  const isAlone = !(await hasOthers(request))
  const own = await ownLimit(context, request)
  const record = await records.find(request.id)
  // No await from here until the entry is set, so a concurrent call finds it.
  const known = entries.get(request.id)
  if (known) return known
  // Ids are not reused: the session behind a scrape stays ended.
  if (record) missing(authorize(record, request))
  const holders = Array.from(entries.values(), ({ facts }) => facts.teamId)
  const isFree = isAlone ? holders.length < maxSessions : leavesShare(request.teamId, holders, maxSessions)
  if (!isFree) limitReached(aliveIn(entries), request.teamId, maxSessions)
  if (holders.filter((teamId) => teamId === request.teamId).length >= own.left)
    ownLimitReached(aliveIn(entries), request.teamId, own.max)
  const entry: Entry = { request, facts: factsOf(request, clock.now()), opened: Promise.resolve(), busy: 0 }
  entries.set(request.id, entry)
  entry.opened = begin(context, entry, signal)
  // The creator receives the error; concurrent callers get SESSION_NOT_FOUND.
  entry.opened.catch(() => entries.delete(request.id))
  return entry
}

/** Fails with SESSION_LIMIT, and names the team's sessions, which the team may close. */
function limitReached(alive: readonly SessionInfo[], teamId: string, maxSessions: number): never {
  const sessions = idsOf(alive, teamId)
  const isOthers = sessions.length === 0 && {
    message: 'All browser sessions are in use.',
    hint: 'Wait until one ends, then call again, or ask the operator to raise GOSSAMER_MAX_SESSIONS.',
  }
  return fail('SESSION_LIMIT', { ...isOthers, details: { maxSessions, sessions } })
}

/** Fails with SESSION_LIMIT because of the limit of the team, whose sessions may also be in other processes. */
const ownLimitReached = (alive: readonly SessionInfo[], teamId: string, maxSessions: number): never =>
  fail('SESSION_LIMIT', {
    ...(maxSessions === 0 && {
      message: 'The team may not open browser sessions.',
      hint: 'Ask the operator to raise the limit.',
    }),
    details: { maxSessions, sessions: idsOf(alive, teamId) },
  })

const idsOf = (alive: readonly SessionInfo[], teamId: string) =>
  alive.filter((each) => each.teamId === teamId).map(({ id }) => id)

/** Returns the team's session limit, and how many of them it may open here. */
async function ownLimit({ entries, records, limitsOf }: RegistryContext, { teamId }: SessionRequest) {
  const { maxSessions: max } = await limitsOf(teamId)
  if (max === undefined) return { max: Infinity, left: Infinity }
  const active = await records.list({ teamId, status: 'active' })
  return { max, left: max - active.filter(({ id }) => !entries.has(id)).length }
}

async function begin(context: RegistryContext, entry: Entry, signal: AbortSignal): Promise<void> {
  const { records, clock, events, secrets, renewal } = context
  const { request } = entry
  const callbacks: SessionCallbacks = {
    activity: () => touch(context, entry),
    changed: () => events.changed(request.teamId, request.id),
    endsAt: () => endOf(lifetimeOf(context, entry)).at,
    extend: () => extend(context, entry),
    end: () => void end(context, entry, 'closed'),
    secretTyped() {
      secrets.revoke(entry, 'cdp')
      if (entry.facts.secrets) entry.facts = { ...entry.facts, secrets: { ...entry.facts.secrets, cdp: undefined } }
    },
  }
  const live = await translateErrors(() => context.open(request, callbacks, signal))
  try {
    entry.facts = factsOf(request, clock.now())
    const { keyName } = request
    if (!(await records.create({ ...entry.facts, keyName, nodeId: context.nodeId })))
      fail('SESSION_GONE', { details: { id: request.id } })
    signal.throwIfAborted()
  } catch (error) {
    await live.close('closed')
    throw error
  }
  entry.live = live
  entry.facts = { ...entry.facts, secrets: secrets.create(entry), warnings: live.warnings }
  watch(context, entry, live)
  renewal.start()
  events.listChanged(request.teamId)
}

function watch(context: RegistryContext, entry: Entry, live: LiveSession): void {
  const lifetime = () => lifetimeOf(context, entry)
  entry.stopWatch = watchExpiry(context.clock, lifetime, (why) => void end(context, entry, why))
  void live.gone.then(() => end(context, entry, 'browser'))
}

const lifetimeOf = ({ clock }: RegistryContext, { busy, facts, request, keptUntil }: Entry): Lifetime => ({
  endsAt: facts.expiresAt,
  activityTtlMs: request.activityTtlMs,
  lastActivityAt: busy > 0 ? clock.now() : facts.lastActivityAt,
  keptUntil,
})

const extensionMs = 10 * 60_000
const maxLifeMs = 60 * 60_000

/** Extends a session at a viewer's request, even if it is idle. */
function extend(context: RegistryContext, entry: Entry): boolean {
  const endsAt = endOf(lifetimeOf(context, entry)).at
  const later = Math.min(endsAt + extensionMs, entry.facts.createdAt + maxLifeMs)
  if (later <= endsAt) return false
  entry.keptUntil = later
  entry.facts = { ...entry.facts, expiresAt: Math.max(entry.facts.expiresAt, later) }
  return true
}

function touch({ clock }: RegistryContext, entry: Entry): void {
  entry.facts = { ...entry.facts, lastActivityAt: clock.now() }
}

function end(context: RegistryContext, entry: Entry, why: EndReason): Promise<SessionEnd> {
  entry.ending ??= ended(context, entry, why)
  return entry.ending
}

/** Ends the sessions of teams that were disabled or removed, possibly by another program. */
async function endStopped(context: RegistryContext): Promise<void> {
  for (const [teamId, entries] of Map.groupBy(context.entries.values(), ({ facts }) => facts.teamId)) {
    const { disabled, stoppedAt } = await context.limitsOf(teamId)
    for (const entry of entries)
      if (entry.live && (disabled || entry.facts.createdAt <= stoppedAt)) void end(context, entry, 'stopped')
  }
}

async function endOnceOpen(context: RegistryContext, entry: Entry): Promise<void> {
  const opening = await Promise.allSettled([entry.opened])
  if (opening[0].status === 'fulfilled') await end(context, entry, 'closed')
}

async function ended(context: RegistryContext, entry: Entry, why: EndReason) {
  const { entries, secrets, events, clock, log, records } = context
  const { id, teamId, createdAt, lastActivityAt, expiresAt } = entry.facts
  const endedAt = clock.now()
  const outcome = { durationMs: endedAt - createdAt, credits: sessionCredits(endedAt - createdAt) }
  const failed = (cause: unknown) => log.error('session.end', { id, cause })
  entry.stopWatch?.()
  secrets.revoke(entry)
  const written = async () => {
    await records.renew([{ id, lastActivityAt, expiresAt }])
    await records.end(id, { endedAt, why, credits: outcome.credits })
    await storeTimeline(entry.facts, entry.request.keyName, { acts: entry.live?.timeline() ?? [], jobs: context.jobs })
  }
  // The browser is closed even if the database does not respond.
  const writing = written().catch(failed)
  await Promise.all([writing.then(() => events.listChanged(teamId)), entry.live?.close(why).catch(failed)])
  entries.delete(id)
  log.info('session', { id, why, ms: outcome.durationMs })
  return outcome
}

const factsOf = ({ id, kind, teamId, streamWebView, ttlMs }: SessionRequest, now: number): SessionInfo => ({
  id,
  kind,
  teamId,
  streamWebView,
  createdAt: now,
  lastActivityAt: now,
  expiresAt: now + ttlMs,
})
