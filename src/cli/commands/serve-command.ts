import { listen, type ListenOptions } from '../../surfaces/http/server.ts'
import { acceptUpgrades, type UpgradeOptions } from '../../surfaces/ws/upgrade.ts'
import { version } from '../../version.ts'
import type { Config } from '../../app/config.ts'
import { type Command, UsageError } from '../command.ts'
import { type App, hasAccess, isReachableByOthers } from '../../app/app.ts'
import { audiencesOf } from '../../engine/account/oauth/oauth-settings.ts'
import { createBodyThread } from '../../app/bodies/body-thread.ts'
import type { Log } from '../../kernel/log.ts'
import { timelineOf } from '../../engine/session/timeline.ts'
import { crawlFacts, findRecordedCall, monitorOf, runningJobs } from '../../engine/account/team-jobs.ts'
import { createDashboard } from '../../surfaces/dashboard/dashboard.ts'
import { openApi } from '../../surfaces/docs/openapi.ts'
import { createHttpApp } from '../../surfaces/http/app.ts'
import { endpointSockets } from '../../surfaces/http/endpoints.ts'
import { createMcpFetch } from '../../surfaces/mcp/transport/http.ts'
import { watchRoute } from '../../surfaces/ws/watch.ts'
import { mcpOptions } from '../mcp-options.ts'
import { AppError } from '../../kernel/error.ts'
import { errors } from '../../kernel/error-table.ts'

/** Returns problems of the storage for the health check, without paths, because anyone may call it. */
async function healthOf(app: App): Promise<object> {
  const store = await app.store()
  const { message, hint } = errors.STORAGE_FULL
  if (await store.storage.isFull()) return { status: 'degraded', warning: `STORAGE_FULL: ${message} ${hint}` }
  const { kind, warning } = store.describe()
  // A new database that replaces an invalid file has a warning too, but stores everything.
  if (kind !== 'memory' || warning === undefined) return {}
  return { status: 'degraded', warning: 'The data folder is unusable, so everything is kept in memory.' }
}

/** Returns a note if the stored keys are lost, because the folder is unusable or its database is new. */
async function storeNote(app: App): Promise<string> {
  const store = await app.store()
  await store.ready()
  if (store.describe().warning === undefined) return ''
  return 'The stored keys cannot be read, so every call needs a key from GOSSAMER_API_KEYS. To run without a data folder, set GOSSAMER_DATA_DIR=memory.\n'
}

/** Returns a note about active monitors. Ignores errors of the store, which the scheduler logs. */
async function monitorNote(app: App): Promise<string> {
  const { monitors } = await app.store()
  const { active, nextAt } = await monitors.upcoming().catch(() => ({ active: 0, nextAt: null }))
  if (active === 0 || nextAt === null) return ''
  const count = active === 1 ? '1 monitor is' : `${active} monitors are`
  return `${count} active; the next check is due at ${new Date(nextAt).toISOString()}\n`
}

/** Rejects while the server cannot serve calls, so that a load balancer uses another one. */
async function checkReady(app: App): Promise<void> {
  const { ready, storage } = await app.store()
  await ready()
  if (await storage.isFull()) throw new AppError('STORAGE_FULL', { ...errors.STORAGE_FULL, status: 503 })
}

/** Interfaces of a server over HTTP. */
type Faces = {
  http: ListenOptions['app']
  sockets: UpgradeOptions
  /** Addresses and purpose, for the operator. */
  summary: string
  /** Ends streaming responses, which have no end of their own. */
  endStreams(): Promise<void>
  /** Called after the last response. */
  close(): Promise<void>
}

/** Creates the interfaces of a complete server: MCP, REST, live sessions and the dashboard. */
function allFaces(app: App, config: Config, log: Log): Faces {
  const mcp = createMcpFetch({ ...mcpOptions(app, config, log), elsewhere: app.cluster?.elsewhere })
  const bodies = createBodyThread(config.strict ? 'strict' : 'lenient')
  const served = { ...common(app, config, log), ...sessionsOf(app), operations: app.operations }
  const http = createHttpApp({
    ...served,
    // A remote service parses the input itself.
    readElsewhere: config.remoteUrl === undefined ? bodies.read : undefined,
    dashboard: createDashboard({ ...served, findRecordedCall, crawlFacts, monitorOf, runningJobs, timelineOf }),
    mcp,
    files: app.linkedFiles,
  })
  return {
    http,
    sockets: { ...served, routes: [watchRoute(served), ...endpointSockets(served)] },
    summary: 'dashboard at /, MCP at /mcp, REST at /v2, routes at /openapi.json',
    endStreams: () => mcp.close(),
    close: () => bodies.close(),
  }
}

/** Creates the interfaces of a server that only runs live browsers, and that only other servers call. */
function browserFaces(app: App, config: Config, log: Log): Faces {
  const served = { ...common(app, config, log), ...sessionsOf(app), operations: [] }
  return {
    http: createHttpApp(served),
    sockets: { ...served, routes: [...endpointSockets(served)] },
    summary: 'live browsers for other servers; /health and /ready',
    endStreams: async () => {},
    close: async () => {},
  }
}

const sessionsOf = ({ sessions, cluster }: App) => ({
  endpoints: sessions,
  elsewhere: cluster?.elsewhere,
  peerRequests: cluster?.peerRequests,
})

/** Creates the interfaces of a worker: only health and metrics, because it gets its jobs from the database. */
function workerFaces(app: App, config: Config, log: Log): Faces {
  const served = { ...common(app, config, log), operations: [] }
  return {
    http: createHttpApp(served),
    sockets: { ...served, routes: [] },
    summary: 'a worker; /health, /ready and /metrics',
    endStreams: async () => {},
    close: async () => {},
  }
}

const common = (app: App, config: Config, log: Log) => ({
  tools: app.tools,
  invoke: app.invokeOverRest,
  newCtx: app.newCtx,
  authenticate: app.authenticate,
  refused: app.refused,
  authorizationServer: config.oauthIssuer,
  publicUrl: config.publicUrl,
  trustProxy: config.trustProxy,
  maxRequestBytes: config.maxRequestBytes,
  allowedHosts: allowedHosts(config),
  access: hasAccess(config) ? ('by key' as const) : ('open' as const),
  allowedOrigins: config.httpOrigins,
  openApi: () => openApi({ operations: app.operations, version, title: 'Gossamer' }),
  version,
  health: () => healthOf(app),
  ready: () => checkReady(app),
  continued: app.telemetry.continued,
  metrics: app.telemetry.exposition && { exposition: app.telemetry.exposition, token: config.metricsToken },
  log,
})

function allowedHosts({ host, publicUrl, nodeUrl, httpHosts: more }: Config): string[] {
  const own = [publicUrl, nodeUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))
  return ['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host, ...own, ...more]
}

/** Throws if the settings do not allow the server to start. */
async function refuseUnready(app: App, config: Config): Promise<void> {
  refuseNoAudience(config)
  refuseLoneRole(config)
  refuseUnreachable(config)
  // Without its database a server cannot verify any key, and the schema must be checked before use.
  if (config.databaseUrl !== undefined) await (await app.store()).ready()
  if (config.role === 'all' || config.role === 'api') await refuseOpenServer(app, config)
}

/** Fails if other machines could use the server without a key. */
async function refuseOpenServer(app: App, config: Config): Promise<void> {
  if (!isReachableByOthers(config) || hasAccess(config)) return
  if ((await (await app.store()).keys.list()).length > 0) return
  throw new UsageError(
    `This server can be reached from other machines, so it needs an API key.\nCreate one with "gossamer keys add NAME", or set GOSSAMER_API_KEYS.`,
  )
}

/** Fails without an audience: tokens for other services of the authorization server would be accepted. */
function refuseNoAudience(config: Config): void {
  if (config.oauthIssuer === undefined || audiencesOf(config).length > 0) return
  throw new UsageError(
    'Access tokens need an audience: set GOSSAMER_PUBLIC_URL to the address of this server, or GOSSAMER_OAUTH_AUDIENCE to what the tokens name.',
  )
}

/** Fails if the other servers could not reach this one, which only serves live browsers to them. */
function refuseUnreachable({ role, nodeUrl, nodeSecret }: Config): void {
  if (role !== 'browser' || (nodeUrl !== undefined && nodeSecret !== undefined)) return
  throw new UsageError(
    'The role browser needs GOSSAMER_NODE_URL, where the other servers reach this one, and GOSSAMER_NODE_SECRET, which they share.',
  )
}

/** Fails if a server has only one role, but no database that it could share with others. */
function refuseLoneRole({ role, databaseUrl }: Config): void {
  if (role === 'all' || databaseUrl !== undefined) return
  throw new UsageError(
    `The role ${role} is for several servers on one database: set GOSSAMER_DATABASE_URL, or leave GOSSAMER_ROLE out.`,
  )
}

/** Time limit for running requests at shutdown. */
const drainMs = 1000

const facesOf: Record<Config['role'], typeof allFaces> = {
  all: allFaces,
  api: allFaces,
  worker: workerFaces,
  browser: browserFaces,
}

/** `gossamer serve`: MCP and REST on one port, until stopped. */
export const serveCommand: Command = async ({ app, config, log, terminal, signal }) => {
  await refuseUnready(app, config)
  const faces = facesOf[config.role](app, config, log)
  const server = await listen({ app: faces.http, host: config.host, port: config.port, log })
  const upgrades = acceptUpgrades(server.server, faces.sockets)
  await app.cluster?.join()
  app.resume()
  app.tidy()
  terminal.err(`Gossamer ${version} listens on ${server.url} — ${faces.summary}\n`)
  terminal.err(await storeNote(app))
  if (config.remoteUrl === undefined) terminal.err(await monitorNote(app))
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // Started first, because browsers take longest to end. Viewers get the reason before their connections are closed.
  const sessionsEnded = app.endSessions()
  await Promise.all([faces.endStreams(), upgrades.close()])
  await Promise.all([server.close(drainMs), sessionsEnded])
  await faces.close()
  return 0
}
