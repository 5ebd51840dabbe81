import { createHash } from 'node:crypto'
import type { NodeFacts } from '../../../contracts/cluster/node.ts'
import { objectsPlace } from '../../../engine/store/objects.ts'
import { thisProcess } from '../../../engine/store/worker-id.ts'
import { version } from '../../../version.ts'
import type { Config } from '../../config.ts'

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
