import { type App, hasAccess, isReachableByOthers } from '../../../app/app.ts'
import type { Config } from '../../../app/config.ts'
import { audiencesOf } from '../../../engine/account/oauth/settings.ts'
import { UsageError } from '../../command.ts'

/** Throws where the server must not start as it is set. */
export async function refuseUnready(app: App, config: Config): Promise<void> {
  refuseNoAudience(config)
  refuseLoneRole(config)
  refuseUnreachable(config)
  // Without its database a server knows nobody's key, and the schema is checked before anything works on it.
  if (config.databaseUrl !== undefined) await (await app.store()).ready()
  if (config.role === 'all' || config.role === 'api') await refuseOpenServer(app, config)
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

/** Callers come to the browsers of such a server through the others alone. */
function refuseUnreachable({ role, nodeUrl, nodeSecret }: Config): void {
  if (role !== 'browser' || (nodeUrl !== undefined && nodeSecret !== undefined)) return
  throw new UsageError(
    'The role browser needs GOSSAMER_NODE_URL, where the other servers reach this one, and GOSSAMER_NODE_SECRET, which they share.',
  )
}

/** Alone, one of them has nobody to work for it, or nobody to work for. */
function refuseLoneRole({ role, databaseUrl }: Config): void {
  if (role === 'all' || databaseUrl !== undefined) return
  throw new UsageError(
    `The role ${role} is for several servers on one database: set GOSSAMER_DATABASE_URL, or leave GOSSAMER_ROLE out.`,
  )
}
