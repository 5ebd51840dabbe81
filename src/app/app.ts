import type { Model } from '../contracts/model-port.ts'
import type { Ports, Clock } from '../contracts/ports.ts'
import type { SessionEvents, SessionRequest, Sessions } from '../contracts/session-port.ts'
import { createAuthenticate, teamOfConfigured } from '../engine/account/authenticate.ts'
import { localTeamId } from '../contracts/account-ports.ts'
import { permissions } from '../schema/team.ts'
import type { Ctx, NewCtx, Team } from '../kernel/ctx.ts'
import type { Handler, Invoke, Middleware } from '../kernel/invoke.ts'
import type { LinkedFiles } from '../contracts/fetch.ts'
import type { Log } from '../kernel/log.ts'
import { createRefusalNotes, type RefusalNotes } from '../middleware/refusals.ts'
import { createInFlight, openPipeline } from '../middleware/pipeline.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import type { Tool } from '../kernel/tool.ts'
import { operations, tools } from '../operations/index.ts'
import { type Lazy, lazyPort, once } from '../util/async.ts'
import type { Config } from './config.ts'
import { noTelemetry, type Telemetry } from './telemetry/telemetry.ts'
import { type AccessTokens, openAccessTokens } from './wiring/open-account.ts'
import type { Callers } from './wiring/live-browsers.ts'
import { wire, type Wiring } from './wiring/wire-engine.ts'
import { createIdleMemory } from '../engine/store/idle-memory.ts'
import type { Store } from '../engine/store/store.ts'

const clock: Clock = { now: Date.now }

/** The user who runs the program on their own machine is its operator. */
export const localTeam: Team = { id: localTeamId, key: null, permissions: [...permissions, 'admin'] }

export type App = {
  operations: typeof operations
  /** Tools for agents. */
  tools: readonly Tool[]
  invoke: Invoke
  /** Like `invoke`, for REST: returns media as links if the setting `pictureLinks` is on. */
  invokeOverRest: Invoke
  linkedFiles: LinkedFiles
  newCtx: NewCtx
  authenticate: (authorization: string | undefined) => Promise<Team | undefined>
  /** Absent if no authorization server is configured. */
  accessTokens: AccessTokens | undefined
  /** Records a call that never reached an operation. */
  refused: RefusalNotes['refused']
  store: () => Promise<Store>
  webhookSecret: Ports['webhookSecret']
  watchExchanges: Wiring['watchExchanges']
  sessions: Sessions
  model: Model
  sessionEvents: SessionEvents
  endSessions: Wiring['endSessions']
  cluster: Wiring['cluster']
  telemetry: Telemetry
  /** Resumes the jobs of an earlier process, and the monitors. */
  resume(): void
  /** Shortly after the start, removes the files that browsers of killed processes left on disk. */
  tidy(): void
  close(): Promise<void>
}

/** Defaults: callers over HTTP, no telemetry. */
type AppOptions = { callers?: Callers; telemetry?: Telemetry | undefined }

/** Counts every call with its outcome, and measures its duration. */
const measureCalls =
  ({ measure }: Pick<Telemetry, 'measure'>): Middleware =>
  ({ name }, next) =>
  (input, ctx) =>
    measure({ kind: 'call', name, jobId: ctx.jobId }, () => next(input, ctx))

/** Connects settings, ports, middleware and operations. Each part is created on first use. */
export function createApp(config: Config, log: Log, options: AppOptions = {}): App {
  const { callers = 'over HTTP', telemetry = noTelemetry } = options
  const inFlight = createInFlight(() => memory.worked())
  const memory = createIdleMemory({ isBusy: inFlight.isBusy })
  const endpoints = once(async () => {
    const { openEndpointServer } = await import('../surfaces/http/endpoint-server.ts')
    return openEndpointServer({ endpoint: ports.sessions.endpoint, elsewhere: cluster?.elsewhere, log })
  })
  const { ports, store, watchExchanges, sessionEvents, endSessions, cluster, resumeJobs, close } = wire(config, {
    clock,
    log,
    telemetry,
    callers,
    hasOthers: async (caller) => hasOthers(caller, config, store),
    ownBaseUrl: async () => (await endpoints()).url,
    worked: () => memory.worked(),
  })
  const accessTokens = openAccessTokens(config, clock)
  const linkedFiles = lazyPort<LinkedFiles>(async () => (await store()).linkedFiles)
  const notes = createRefusalNotes({ refusals: ports.refusals, clock, log })
  const remote = remoteHandlers(config, telemetry)
  const hooks = {
    measureCalls: measureCalls(telemetry),
    recordRefusals: notes.middleware,
    trackInFlight: inFlight.track,
  }
  const pipeline = { ports, clock, readOnly: config.readOnly, remote, ...hooks }
  return {
    operations,
    tools,
    invoke: openPipeline(pipeline),
    invokeOverRest: openPipeline(pipeline, config.pictureLinks ? linkedFiles : undefined),
    linkedFiles,
    newCtx: (init) => newCtx({ handling: config.strict ? 'strict' : 'lenient', ...init }, ports, log),
    authenticate: authenticateBy(config, { store, accessTokens }),
    accessTokens,
    refused: remote ? () => {} : notes.refused,
    store,
    webhookSecret: ports.webhookSecret,
    watchExchanges,
    sessions: ports.sessions,
    model: ports.model,
    sessionEvents,
    endSessions,
    cluster,
    telemetry,
    // A remote service runs its own jobs; a server with the browser role runs none.
    resume: () => (config.remoteUrl === undefined && config.role !== 'browser' ? resumeJobs() : undefined),
    tidy: () => void setTimeout(() => void sweep(log), tidyAfterMs).unref(),
    close: async () => {
      await inFlight.settled()
      await notes.settled()
      await close()
      await accessTokens?.close()
      await endpoints.close((server) => server.close())
    },
  }
}

const tidyAfterMs = 500

async function sweep(log: Log): Promise<void> {
  const { sweepProfileDirs } = await import('../engine/browser/launch/profile-dir.ts')
  await sweepProfileDirs().catch((cause: unknown) => log.warn('sweep failed', { cause }))
}

function remoteHandlers(
  { remoteUrl, remoteKey }: Config,
  { traceHeaders }: Telemetry,
): ((operation: AnyOperation) => Handler) | undefined {
  if (remoteUrl === undefined) return undefined
  const remote = once(async () => {
    const { createRemoteInvoke } = await import('../surfaces/remote.ts')
    return createRemoteInvoke({
      baseUrl: remoteUrl,
      traceHeaders,
      ...(remoteKey !== undefined && { apiKey: remoteKey }),
    })
  })
  return (operation) => async (input, ctx) => (await remote())(operation, input, ctx)
}

/** Returns a log that adds these facts to each line. */
const withFacts = (log: Log, added: object): Log => {
  const at =
    (level: keyof Log) =>
    (event: string, facts: object = {}) =>
      log[level](event, { ...added, ...facts })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function newCtx({ requestId, ...init }: Parameters<NewCtx>[0], ports: Ports, log: Log): Ctx {
  const jobId = crypto.randomUUID()
  return {
    progress: () => {},
    ...init,
    jobId,
    startedAt: clock.now(),
    log: withFacts(log, { jobId, requestId }),
    warn: () => {},
    queuedMs: 0,
    ports,
  }
}

function authenticateBy(
  config: Config,
  { store, accessTokens }: { store: Lazy<Store>; accessTokens: AccessTokens | undefined },
): App['authenticate'] {
  return createAuthenticate({
    configured: config.apiKeys,
    adminKey: config.adminKey,
    permissions: config.permissions,
    stateOf: async (teamId) => (await store()).teams.stateOf(teamId),
    findStored: async (key) => (await store()).keys.find(key),
    findToken: accessTokens?.find,
    keyless: async () =>
      (await needsKey(config, store)) ? undefined : { ...localTeam, permissions: config.permissions },
  })
}

/** True if calls need a key: always on a server that others can reach, otherwise once a key exists. */
async function needsKey(config: Config, store: Lazy<Store>): Promise<boolean> {
  if (isReachableByOthers(config) || hasAccess(config)) return true
  const { keys, describe } = await store()
  const count = (await keys.list()).length
  // If the data folder cannot be used, it is unknown whether it contains keys.
  return count > 0 || describe().warning !== undefined
}

/** True if the settings accept callers by a key or a token. */
export const hasAccess = ({ apiKeys, adminKey, oauthIssuer }: Config) =>
  apiKeys.length > 0 || adminKey !== undefined || oauthIssuer !== undefined

/**
 * True if another team has a key. A caller without a key (stdio, or a server without keys) has no other team beside it.
 */
async function hasOthers(
  { teamId, keyName }: Pick<SessionRequest, 'teamId' | 'keyName'>,
  config: Config,
  store: Lazy<Store>,
) {
  if (keyName === null) return false
  // Only the authorization server knows which teams have tokens.
  if (config.oauthIssuer !== undefined) return true
  const { keys } = await store()
  const stored = (await keys.list()).map((key) => key.teamId)
  return [...config.apiKeys.map(teamOfConfigured), ...stored].some((other) => other !== teamId)
}

/** True if other machines can reach the server, directly or through a proxy in front of a loopback address. */
export const isReachableByOthers = ({ host, publicUrl, trustProxy }: Config) =>
  !isLoopback(host) || trustProxy || (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname))

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
