import type { Clock } from '../../../contracts/ports.ts'
import type { EndReason, SessionEnd, SessionFacts, SessionRecords, SessionWish } from '../../../contracts/session.ts'
import { fail } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { sessionCredits } from '../../billing/price.ts'
import type { Ears, LiveSession } from '../live-session.ts'
import { createNews, type News } from './events.ts'
import { keepRenewed, type Renewal } from './renewal.ts'
import { createKeyRing, type KeyRing } from './secrets.ts'
import { own, missing } from './refusals.ts'

export type RegistryOptions = {
  records: SessionRecords
  /** Opens a browser for the wish; nothing is left when it fails. */
  open(wish: SessionWish, ears: Ears, signal: AbortSignal): Promise<LiveSession>
  maxSessions: number
  clock: Clock
  log: Log
}

/** A session of this process: being made, alive, or on its way out. */
export type Entry = {
  readonly wish: SessionWish
  facts: SessionFacts
  /** Resolves when it can be used. */
  opened: Promise<unknown>
  live?: LiveSession
  /** Calls that run in it. */
  busy: number
  ending?: Promise<SessionEnd>
  stopWatch?: () => void
}
export type Registry = ReturnType<typeof createRegistry>

/** What the parts of the registry share. */
type Desk = Pick<RegistryOptions, 'records' | 'open' | 'maxSessions' | 'clock' | 'log'> & {
  entries: Map<string, Entry>
  ring: KeyRing<Entry>
  news: News
  renewal: Renewal
}

/** Makes and ends the sessions of this process, and keeps the database's book of them. */
export function createRegistry(options: RegistryOptions) {
  const entries = new Map<string, Entry>()
  const ring = createKeyRing<Entry>()
  const news = createNews()
  const renewal = keepRenewed(options.records, { ...options, alive: () => aliveIn(entries) })
  const desk: Desk = { ...options, entries, ring, news, renewal }
  return {
    open: (wish: SessionWish, signal: AbortSignal) => open(desk, wish, signal),
    /** Of those who end it the first says why; never rejects. */
    end: (entry: Entry, why: EndReason) => end(desk, entry, why),
    touch: (entry: Entry) => touch(desk, entry),
    listen: news.listen,
    /** As Renewal.reaped. */
    reaped: renewal.reaped,
    entry: (id: string) => entries.get(id),
    byKey: (key: string) => ring.find(key),
    async close(): Promise<void> {
      renewal.stop()
      await Promise.all(Array.from(entries.values(), (entry) => endOnceOpen(desk, entry)))
    },
  }
}

const aliveIn = (entries: Map<string, Entry>) =>
  [...entries.values()].flatMap((each) => (each.live && !each.ending ? [each.facts] : []))

async function open(desk: Desk, wish: SessionWish, signal: AbortSignal): Promise<Entry> {
  const { entries, records, renewal, clock, maxSessions } = desk
  await renewal.reaped()
  const record = await records.find(wish.id)
  // From here to where the entry stands nobody else gets a turn.
  const known = entries.get(wish.id)
  if (known) return known
  // Ids are used once: a session behind a scrape that was stopped stays so.
  if (record) missing(own(record, wish))
  refuseMany(aliveIn(entries), entries.size, wish.teamId, maxSessions)
  const entry: Entry = { wish, facts: factsOf(wish, clock.now()), opened: Promise.resolve(), busy: 0 }
  entries.set(wish.id, entry)
  entry.opened = begin(desk, entry, signal)
  // Whoever made it hears of it; the others meet a session that never was.
  entry.opened.catch(() => entries.delete(wish.id))
  return entry
}

async function begin(desk: Desk, entry: Entry, signal: AbortSignal): Promise<void> {
  const { records, clock, news, ring, renewal } = desk
  const { wish } = entry
  const ears = { activity: () => touch(desk, entry), changed: () => news.changed(wish.teamId, wish.id) }
  const live = await desk.open(wish, ears, signal)
  try {
    entry.facts = factsOf(wish, clock.now())
    const { keyName } = wish
    if (!(await records.begin({ ...entry.facts, keyName }))) fail('SESSION_GONE', { details: { id: wish.id } })
    signal.throwIfAborted()
  } catch (error) {
    await live.close('closed')
    throw error
  }
  entry.live = live
  entry.facts = { ...entry.facts, keys: ring.cut(entry), warnings: live.warnings }
  watch(desk, entry, live)
  renewal.start()
  news.listed(wish.teamId)
}

function watch(desk: Desk, entry: Entry, live: LiveSession): void {
  const { clock } = desk
  const lastActivityAt = () => (entry.busy > 0 ? clock.now() : entry.facts.lastActivityAt)
  const lifetime = { endsAt: entry.facts.expiresAt, activityTtlMs: entry.wish.activityTtlMs, lastActivityAt }
  entry.stopWatch = watchExpiry(clock, lifetime, (why) => void end(desk, entry, why))
  void live.gone.then(() => end(desk, entry, 'browser'))
}

function touch({ clock }: Desk, entry: Entry): void {
  entry.facts = { ...entry.facts, lastActivityAt: clock.now() }
}

function end(desk: Desk, entry: Entry, why: EndReason): Promise<SessionEnd> {
  entry.ending ??= ended(desk, entry, why)
  return entry.ending
}

async function endOnceOpen(desk: Desk, entry: Entry): Promise<void> {
  const opening = await Promise.allSettled([entry.opened])
  if (opening[0].status === 'fulfilled') await end(desk, entry, 'closed')
}

async function ended({ entries, ring, news, clock, log, records }: Desk, entry: Entry, why: EndReason) {
  const { id, teamId, createdAt, lastActivityAt } = entry.facts
  const endedAt = clock.now()
  const came = { durationMs: endedAt - createdAt, credits: sessionCredits(endedAt - createdAt) }
  const failed = (cause: unknown) => log.error('session.end', { id, cause })
  entry.stopWatch?.()
  ring.drop(entry)
  const written = async () => {
    await records.renew([{ id, lastActivityAt }])
    await records.end(id, { endedAt, why, credits: came.credits })
  }
  // A database that does not answer keeps no browser alive.
  const writing = written().catch(failed)
  await Promise.all([writing.then(() => news.listed(teamId)), entry.live?.close(why).catch(failed)])
  entries.delete(id)
  log.info('session', { id, why, ms: came.durationMs })
  return came
}

const factsOf = ({ id, kind, teamId, streamWebView, ttlMs }: SessionWish, now: number): SessionFacts => ({
  id,
  kind,
  teamId,
  streamWebView,
  createdAt: now,
  lastActivityAt: now,
  expiresAt: now + ttlMs,
})

function refuseMany(alive: readonly SessionFacts[], count: number, teamId: string, maxSessions: number): void {
  if (count < maxSessions) return
  const sessions = alive.filter((each) => each.teamId === teamId).map(({ id }) => id)
  fail('SESSION_LIMIT', { details: { maxSessions, sessions } })
}

export type Lifetime = {
  /** When it ends whatever happens, ms since the epoch. */
  endsAt: number
  activityTtlMs: number
  /** When something last happened; now, while something happens. */
  lastActivityAt(): number
}

/** Tells once when a session's time is over; the timer alone does not hold the process open. Returns what ends the watch. */
function watchExpiry(
  clock: Clock,
  { endsAt, activityTtlMs, lastActivityAt }: Lifetime,
  expired: (why: Extract<EndReason, 'ttl' | 'activityTtl'>) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const now = clock.now()
    const quietAt = lastActivityAt() + activityTtlMs
    if (now >= endsAt) expired('ttl')
    else if (now >= quietAt) expired('activityTtl')
    else timer = setTimeout(look, Math.max(1, Math.min(endsAt, quietAt) - now)).unref()
  }
  look()
  return () => clearTimeout(timer)
}
