import { createHash, timingSafeEqual } from 'node:crypto'
import { type GrantedPermission, type KeyOwner, localTeamId } from '../../contracts/account-ports.ts'
import type { Team } from '../../kernel/ctx.ts'

export type KeySource = {
  /** Keys from the settings, each `key` or `team:key`. */
  configured: readonly string[]
  /** Who sends it manages the server, as the local user does. */
  adminKey: string | undefined
  /** Granted to the teams of configured keys. */
  permissions: readonly GrantedPermission[]
  /** What an operator has granted to the team itself, which then holds for all of its keys. */
  ownPermissions(teamId: string): Promise<readonly GrantedPermission[] | undefined>
  findStored(presented: string): Promise<KeyOwner | undefined>
  /** Who an access token (JWT) is of, with the permissions it asks for; fails for one that does not count. Absent: none do. */
  findToken?: ((token: string) => Promise<KeyOwner>) | undefined
  /** Who a caller without any key is, where that is allowed. */
  keyless: () => Promise<Team | undefined>
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** The team of a key from the settings. */
export function teamOfConfigured(entry: string): string {
  const colon = entry.indexOf(':')
  return colon > 0 ? entry.slice(0, colon) : 'default'
}

const adminTeam: Team = { id: localTeamId, key: 'admin', permissions: ['admin'] }

/** No stored key has two dots. */
const isToken = (presented: string) => presented.split('.').length > 2

/** The team behind an Authorization header ("Bearer KEY"); undefined = refused. Keys are compared by digest, in constant time. */
export function createAuthenticate({
  configured,
  adminKey,
  permissions,
  ownPermissions,
  findStored,
  findToken,
  keyless,
}: KeySource) {
  const admin = adminKey === undefined ? undefined : digest(adminKey)
  const known = configured.map((entry, index) => ({
    digest: digest(entry.slice(entry.indexOf(':') + 1)),
    teamId: teamOfConfigured(entry),
    name: `configured-${index + 1}`,
  }))
  return async (authorization: string | undefined): Promise<Team | undefined> => {
    // A client whose key is empty still sends the word.
    if (authorization === undefined || /^Bearer *$/i.test(authorization)) return keyless()
    const presented = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (presented === undefined) return undefined
    const presentedDigest = digest(presented)
    if (admin && timingSafeEqual(admin, presentedDigest)) return adminTeam
    const match = known.find((key) => timingSafeEqual(key.digest, presentedDigest))
    if (!match && findToken && isToken(presented)) {
      const { teamId: id, name: key, permissions: asked } = await findToken(presented)
      const granted = (await ownPermissions(id)) ?? permissions
      return { id, key, permissions: granted.filter((permission) => asked.includes(permission)) }
    }
    const owner = match ? { ...match, permissions } : await findStored(presented)
    if (owner) {
      const { teamId: id, name: key } = owner
      return { id, key, permissions: (await ownPermissions(id)) ?? owner.permissions }
    }
    // Clients of the public service always send a key, even to a server that asks for none.
    return keyless()
  }
}
