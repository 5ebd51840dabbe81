import { type App, hasAccess } from '../../../app/app.ts'
import { createBodyThread } from '../../../app/bodies/thread.ts'
import type { Config } from '../../../app/config.ts'
import type { Log } from '../../../kernel/log.ts'
import { askedCall } from '../../../engine/account/asked-call.ts'
import { createDashboard } from '../../../surfaces/dashboard/dashboard.ts'
import { openApi } from '../../../surfaces/docs/openapi.ts'
import { createHttpApp } from '../../../surfaces/http/app.ts'
import { endpointSockets } from '../../../surfaces/http/endpoints.ts'
import type { ListenOptions } from '../../../surfaces/http/server.ts'
import { createMcpFetch } from '../../../surfaces/mcp/transport/http.ts'
import { nodeRoute } from '../../../surfaces/ws/node-route.ts'
import type { UpgradeOptions, UpgradeRoute } from '../../../surfaces/ws/upgrade.ts'
import { watchRoute } from '../../../surfaces/ws/watch.ts'
import { version } from '../../../version.ts'
import { mcpOptions } from '../../mcp-options.ts'
import { checkReady, healthOf } from './notes.ts'

/** What a server shows to the network. */
export type Faces = {
  http: ListenOptions['app']
  sockets: UpgradeOptions
  /** What is where, for whoever starts it. */
  says: string
  /** Ends answers that would go on for ever. */
  endStreams(): Promise<void>
  /** Called after the last answer. */
  close(): Promise<void>
}

/** MCP, REST, live sessions and the dashboard. */
export function allFaces(app: App, config: Config, log: Log): Faces {
  const mcp = createMcpFetch({ ...mcpOptions(app, config, log), elsewhere: app.cluster?.mcp?.elsewhere })
  const bodies = createBodyThread(config.strict ? 'strict' : 'lenient')
  const served = { ...common(app, config, log), operations: app.operations, endpoints: app.sessions }
  const http = createHttpApp({
    ...served,
    // A remote service reads what it is sent itself.
    readElsewhere: config.remoteUrl === undefined ? bodies.read : undefined,
    dashboard: createDashboard({ ...served, askedCall }),
    mcp,
    forwardedMcp: app.cluster?.mcp?.forwarded,
    files: app.linkedFiles,
  })
  return {
    http,
    sockets: { ...served, routes: [watchRoute(served), ...endpointSockets(served), ...nodeRoutes(app, log)] },
    says: 'dashboard at /, MCP at /mcp, REST at /v2, routes at /openapi.json',
    endStreams: () => mcp.close(),
    close: () => bodies.close(),
  }
}

/** Live browsers for the other servers: their endpoints, and where the others call. */
export function browserFaces(app: App, config: Config, log: Log): Faces {
  const served = { ...common(app, config, log), operations: [], endpoints: app.sessions }
  return {
    http: createHttpApp(served),
    sockets: { ...served, routes: [...endpointSockets(served), ...nodeRoutes(app, log)] },
    says: 'live browsers for other servers; /health and /ready',
    endStreams: async () => {},
    close: async () => {},
  }
}

function nodeRoutes({ cluster }: App, log: Log): UpgradeRoute[] {
  if (cluster === undefined) return []
  const take = (...given: Parameters<typeof cluster.take>) =>
    void cluster
      .take(...given)
      .catch((cause: unknown) => log.error('calls of another server cannot be taken', { cause }))
  return [nodeRoute({ ...cluster, take })]
}

/** Only whether it is there and ready: a worker takes its jobs from the database. */
export function workerFaces(app: App, config: Config, log: Log): Faces {
  const served = { ...common(app, config, log), operations: [] }
  return {
    http: createHttpApp(served),
    sockets: { ...served, routes: [] },
    says: 'a worker; /health, /ready and /metrics',
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
