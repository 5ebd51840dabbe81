import { createHash, timingSafeEqual } from 'node:crypto'
import { type GrantedPermission, type KeyOwner, localTeamId, type TeamTerms } from '../../contracts/account-ports.ts'
import type { Team } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'

export type KeySource = {
  /** Keys from the settings, each `key` or `team:key`. */
  configured: readonly string[]
  /** Lets the caller manage the server, like the local user. */
  adminKey: string | undefined
  /** Granted to the teams of configured keys. */
  permissions: readonly GrantedPermission[]
  /** Terms that an operator has set; permissions among them apply to all keys of the team. */
  stateOf(teamId: string): Promise<Pick<TeamTerms, 'permissions' | 'disabled'>>
  findStored(presented: string): Promise<KeyOwner | undefined>
  /** Owner and requested permissions of an access token (JWT); fails if it is invalid. Absent: no tokens accepted. */
  findToken?: ((token: string) => Promise<KeyOwner>) | undefined
  /** Team of a caller without a key; undefined if a key is required. */
  keyless: () => Promise<Team | undefined>
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns the team of a key from the settings. */
export function teamOfConfigured(entry: string): string {
  const colon = entry.indexOf(':')
  return colon > 0 ? entry.slice(0, colon) : 'default'
}

const teamOf = ({ teamId: id, name: key, permissions, limits }: KeyOwner, own = permissions): Team => ({
  id,
  key,
  permissions: own,
  ...(limits && { limits }),
})

const adminTeam: Team = { id: localTeamId, key: 'admin', permissions: ['admin'] }

/** A JWT has two dots; a stored key never does. */
const isToken = (presented: string) => presented.split('.').length > 2

/** Maps an Authorization header ("Bearer KEY") to its team, undefined if refused. Compares digests in constant time. */
export function createAuthenticate({
  configured,
  adminKey,
  permissions,
  stateOf,
  findStored,
  findToken,
  keyless,
}: KeySource) {
  const admin = adminKey === undefined ? undefined : digest(adminKey)
  const configuredKeys = configured.map((entry, index) => ({
    digest: digest(entry.slice(entry.indexOf(':') + 1)),
    teamId: teamOfConfigured(entry),
    name: `configured-${index + 1}`,
  }))
  const permissionsOf = async (teamId: string): Promise<readonly GrantedPermission[] | undefined> => {
    const { disabled, permissions: own } = await stateOf(teamId)
    return disabled ? fail('TEAM_DISABLED') : own
  }
  return async (authorization: string | undefined): Promise<Team | undefined> => {
    // Clients with an empty key still send "Bearer".
    if (authorization === undefined || /^Bearer *$/i.test(authorization)) return keyless()
    const presented = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (presented === undefined) return undefined
    const presentedDigest = digest(presented)
    if (admin && timingSafeEqual(admin, presentedDigest)) return adminTeam
    const match = configuredKeys.find((key) => timingSafeEqual(key.digest, presentedDigest))
    if (!match && findToken && isToken(presented)) {
      const { teamId: id, name: key, permissions: requested } = await findToken(presented)
      const granted = (await permissionsOf(id)) ?? permissions
      return { id, key, permissions: granted.filter((permission) => requested.includes(permission)) }
    }
    const owner = match ? { ...match, permissions } : await findStored(presented)
    if (owner) return teamOf(owner, await permissionsOf(owner.teamId))
    // Clients of Firecrawl always send a key, even to a server that requires none.
    return keyless()
  }
}
