import { createHash, timingSafeEqual } from 'node:crypto'
import type { Permission, Team } from '../../kernel/ctx.ts'

type StoredKey = { name: string; teamId: string; permissions: readonly Permission[] }
export type KeySource = {
  /** Keys from the settings, each `key` or `team:key`. */
  configured: readonly string[]
  /** Granted to the teams of configured keys. */
  permissions: readonly Permission[]
  findStored(presented: string): Promise<StoredKey | undefined>
  /** Who a caller without any key is, where that is allowed. */
  keyless: () => Promise<Team | undefined>
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** The team behind an Authorization header ("Bearer KEY"); undefined = refused. Keys are compared by digest, in constant time. */
export function createAuthenticate({ configured, permissions, findStored, keyless }: KeySource) {
  const known = configured.map((entry, index) => {
    const colon = entry.indexOf(':')
    return {
      digest: digest(entry.slice(colon + 1)),
      teamId: colon > 0 ? entry.slice(0, colon) : 'default',
      name: `configured-${index + 1}`,
    }
  })
  return async (authorization: string | undefined): Promise<Team | undefined> => {
    // A client whose key is empty still sends the word.
    if (authorization === undefined || /^Bearer *$/i.test(authorization)) return keyless()
    const presented = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (presented === undefined) return undefined
    const presentedDigest = digest(presented)
    const match = known.find((key) => timingSafeEqual(key.digest, presentedDigest))
    if (match) return { id: match.teamId, key: match.name, permissions }
    const stored = await findStored(presented)
    if (stored) return { id: stored.teamId, key: stored.name, permissions: stored.permissions }
    // Clients of the public service always send a key, even to a server that asks for none.
    return keyless()
  }
}
