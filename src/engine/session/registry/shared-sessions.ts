import type { LiveNode, SessionsElsewhere } from '../../../contracts/cluster-nodes.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type {
  SessionInfo,
  SessionRecord,
  SessionRecords,
  SessionRef,
  SessionRequest,
  Sessions,
} from '../../../contracts/session-port.ts'
import { AppError } from '../../../kernel/error.ts'
import { authorize, elsewhere, lostWithServer } from './session-errors.ts'
import { endLost } from './session-lifetime.ts'
import type { OpenSessions } from './open-sessions.ts'

export type SharedOptions = {
  local: OpenSessions
  records: SessionRecords
  nodeId: string
  alive(): Promise<LiveNode[]>
  /** Returns undefined if a server cannot be reached. */
  reach(node: LiveNode): SessionsElsewhere | undefined
  /** True if new sessions are opened on browser servers, as long as there are any. */
  leavesBrowsers: boolean
  clock: Clock
}

/** Manages the sessions of all servers on one database: calls are forwarded to the server that owns the session. */
export function createSharedSessions(options: SharedOptions): OpenSessions {
  const { local } = options
  const holder = createHolder(options)
  const forwarded = callsOfSession.map((name) => [
    name,
    async (ref: SessionRef, ...more: unknown[]) =>
      ((await holder(ref))[name] as (...given: unknown[]) => Promise<unknown>)(ref, ...more),
  ])
  return {
    ...local,
    ...(Object.fromEntries(forwarded) as Pick<Sessions, CallOfSession>),
    create: createPlacing(options, holder),
    async list(query) {
      const rows = await local.list(query)
      const open = await openedElsewhere(options, query.teamId, rows)
      return rows.map((row) => (row.endedAt === undefined ? (open.get(row.id) ?? row) : row))
    },
    async canRun(language, teamId) {
      if (!options.leavesBrowsers) return local.canRun(language, teamId)
      const there = await browserServers(options)
      return there[0]?.canRun(language, teamId) ?? local.canRun(language, teamId)
    },
  }
}

/** Calls that are answered by the server that owns the session. */
export const callsOfSession = [
  'find',
  'state',
  'execute',
  'snapshot',
  'act',
  'confine',
  'announce',
  'askViewers',
  'file',
  'screenshot',
  'close',
] as const
type CallOfSession = (typeof callsOfSession)[number]
type Holder = (ref: SessionRef) => Promise<Pick<Sessions, 'create' | CallOfSession>>

/** Finds the server that owns a session. For an ended or unknown session it is this server, which raises the error. */
function createHolder({ local, records, nodeId, alive, reach, clock }: SharedOptions): Holder {
  return async (ref) => {
    if (local.holds(ref.id)) return local
    const record = await records.find(ref.id)
    if (!isElsewhere(record, nodeId)) return local
    authorize(record, ref)
    const node = (await alive()).find(({ id }) => id === record.nodeId)
    if (node) return reach(node) ?? elsewhere(ref.id)
    await endLost(records, clock)
    return lostWithServer(ref.id)
  }
}

const isElsewhere = (record: SessionRecord | undefined, nodeId: string): record is SessionRecord =>
  record !== undefined && record.endedAt === null && record.nodeId !== null && record.nodeId !== nodeId

/** Opens a new session on a server with free capacity. An existing one, as behind a scrape, stays on its server. */
function createPlacing(options: SharedOptions, holder: Holder): Sessions['create'] {
  const { local, records, nodeId } = options
  const place = async (request: SessionRequest, signal: AbortSignal): Promise<SessionInfo> => {
    const there = options.leavesBrowsers ? await browserServers(options) : []
    let full: AppError | undefined
    for (const each of there) {
      try {
        return await each.create(request, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof AppError) || !tryNext.has(error.code)) throw error
        full = error
      }
    }
    if (full) throw full
    return local.create(request, signal)
  }
  return async (request, signal) => {
    if (local.holds(request.id)) return local.create(request, signal)
    if (isElsewhere(await records.find(request.id), nodeId)) return (await holder(request)).create(request, signal)
    return place(request, signal).catch(async (error: unknown) => {
      // Another server may have opened it at the same time.
      const isRemote = isElsewhere(await records.find(request.id), nodeId)
      if (!isRemote || !(error instanceof AppError) || error.code !== 'SESSION_GONE') throw error
      return (await holder(request)).create(request, signal)
    })
  }
}

const tryNext = new Set(['SESSION_LIMIT', 'REMOTE_UNAVAILABLE', 'BROWSER_UNAVAILABLE'])

async function browserServers({ alive, reach }: SharedOptions): Promise<SessionsElsewhere[]> {
  const nodes = (await alive()).filter(({ role }) => role === 'browser')
  return nodes.toSorted((one, other) => one.sessions - other.sessions).flatMap((node) => reach(node) ?? [])
}

/** Returns open sessions of other servers with their secrets; skips servers that do not respond. */
async function openedElsewhere(
  { records, nodeId, alive, reach }: SharedOptions,
  teamId: string,
  rows: readonly SessionInfo[],
): Promise<Map<string, SessionInfo>> {
  if (rows.every(({ endedAt, secrets }) => endedAt !== undefined || secrets !== undefined)) return new Map()
  const active = await records.list({ teamId, status: 'active' })
  const holders = new Set(active.filter((record) => isElsewhere(record, nodeId)).map((record) => record.nodeId))
  const nodes = (await alive()).filter(({ id }) => holders.has(id))
  const opened = await Promise.all(
    nodes.map(
      (node) =>
        reach(node)
          ?.opened(teamId)
          .catch(() => []) ?? [],
    ),
  )
  return new Map(opened.flat().map((info) => [info.id, info]))
}
