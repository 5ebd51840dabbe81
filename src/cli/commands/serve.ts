import { type App, hasAccess, isReachableByOthers } from '../../app/app.ts'
import type { Config } from '../../app/config.ts'
import { audiencesOf } from '../../engine/account/oauth/settings.ts'
import { openApi } from '../../surfaces/docs/openapi.ts'
import { createDashboard } from '../../surfaces/dashboard/dashboard.ts'
import { createHttpApp } from '../../surfaces/http/app.ts'
import { endpointSockets } from '../../surfaces/http/endpoints.ts'
import { listen } from '../../surfaces/http/server.ts'
import { createMcpFetch } from '../../surfaces/mcp/transport/http.ts'
import { acceptUpgrades } from '../../surfaces/ws/upgrade.ts'
import { watchRoute } from '../../surfaces/ws/watch.ts'
import { failure } from '../../kernel/error.ts'
import { version } from '../../version.ts'
import { type Command, UsageError } from '../command.ts'
import { mcpOptions } from '../mcp-options.ts'

/** How long running requests may go on once the server is told to end. */
const drainMs = 1000

/** `gossamer serve`: MCP and REST on one port, until told to end. */
export const serveCommand: Command = async ({ app, config, log, terminal, signal }) => {
  await refuseOpenServer(app, config)
  refuseNoAudience(config)
  const mcp = createMcpFetch(mcpOptions(app, config, log))
  const served = {
    operations: app.operations,
    tools: app.tools,
    invoke: app.invokeOverRest,
    newCtx: app.newCtx,
    authenticate: app.authenticate,
    authorizationServer: config.oauthIssuer,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    maxRequestBytes: config.maxRequestBytes,
    allowedHosts: allowedHosts(config),
    allowedOrigins: config.httpOrigins,
    endpoints: app.sessions,
    log,
  }
  const api = openApi({ operations: app.operations, version, title: 'Gossamer' })
  const health = () => healthOf(app)
  const dashboard = createDashboard(served)
  const http = createHttpApp({ ...served, dashboard, mcp, files: app.linkedFiles, openApi: api, version, health })
  const server = await listen({ app: http, host: config.host, port: config.port, log })
  const upgrades = acceptUpgrades(server.server, {
    ...served,
    routes: [watchRoute(served), ...endpointSockets(served)],
  })
  app.resume()
  app.tidy()
  terminal.err(
    `Gossamer ${version} listens on ${server.url} — dashboard at /, MCP at /mcp, REST at /v2, routes at /openapi.json\n`,
  )
  terminal.err(await storeNote(app))
  if (config.remoteUrl === undefined) terminal.err(await monitorNote(app))
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // Browsers take longest to end, and whoever watches one is to hear why.
  const sessionsEnded = app.endSessions()
  await Promise.all([mcp.close(), upgrades.close()])
  await Promise.all([server.close(drainMs), sessionsEnded])
  return 0
}

/** A server that cannot store anything still answers calls that need not be stored. Paths are not for everybody. */
async function healthOf(app: App): Promise<object> {
  const { describe, storage } = await app.store()
  const { code, message, hint } = failure('STORAGE_FULL')
  if (await storage.isFull()) return { status: 'degraded', warning: `${code}: ${message} ${hint}` }
  if (describe().warning === undefined) return {}
  return { status: 'degraded', warning: 'The data folder is unusable, so everything is kept in memory.' }
}

/** Without its data folder a server does not know the keys in it, so it lets nobody in without one. */
async function storeNote(app: App): Promise<string> {
  const store = await app.store()
  await store.ready()
  if (store.describe().warning === undefined) return ''
  return 'The data folder is unusable, so every call needs a key from GOSSAMER_API_KEYS. To run without a data folder, set GOSSAMER_DATA_DIR=memory.\n'
}

/** What will be done without anybody's call. */
async function monitorNote(app: App): Promise<string> {
  const { active, nextAt } = await (await app.store()).monitors.upcoming()
  if (active === 0 || nextAt === null) return ''
  const count = active === 1 ? '1 monitor is' : `${active} monitors are`
  return `${count} active; the next check is due at ${new Date(nextAt).toISOString()}\n`
}

/** Anyone who reaches an open server could use it to reach what it can reach. */
async function refuseOpenServer(app: App, config: Config): Promise<void> {
  if (!isReachableByOthers(config) || hasAccess(config)) return
  if ((await (await app.store()).keys.list()).length > 0) return
  throw new UsageError(
    `This server can be reached from other machines, so it needs an API key.\nCreate one with "gossamer keys add NAME", or set GOSSAMER_API_KEYS.`,
  )
}

/** Tokens for other services of the same authorization server would be as good as those for this one. */
function refuseNoAudience(config: Config): void {
  if (config.oauthIssuer === undefined || audiencesOf(config).length > 0) return
  throw new UsageError(
    'Access tokens need an audience: set GOSSAMER_PUBLIC_URL to the address of this server, or GOSSAMER_OAUTH_AUDIENCE to what the tokens name.',
  )
}

function allowedHosts({ host, publicUrl, httpHosts: more }: Config): string[] {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  return ['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host, ...own, ...more]
}
