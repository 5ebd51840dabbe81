import { createHash, randomBytes } from 'node:crypto'
import type { SessionSecrets } from '../../../contracts/session-port.ts'

export type SecretUse = keyof SessionSecrets
export type SecretStore<T> = ReturnType<typeof createSecretStore<T>>

const secretBytes = 32

/** Looks secrets up by their digests, so lookup times reveal nothing about them. */
export function createSecretStore<T>(nodeId: string | null) {
  const known = new Map<string, { owner: T; use: SecretUse }>()
  return {
    create(owner: T): SessionSecrets {
      const createOne = (use: SecretUse) => {
        const random = randomBytes(secretBytes).toString('base64url')
        const secret = nodeId === null ? random : `${nodeId}.${random}`
        known.set(digestOf(secret), { owner, use })
        return secret
      }
      return { cdp: createOne('cdp'), view: createOne('view'), control: createOne('control') }
    },
    find: (secret: string) => known.get(digestOf(secret)),
    revoke(owner: T, use?: SecretUse) {
      for (const [digest, kept] of known)
        if (kept.owner === owner && kept.use === (use ?? kept.use)) known.delete(digest)
    },
  }
}

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('base64')
