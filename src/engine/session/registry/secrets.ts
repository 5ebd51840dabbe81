import { createHash, randomBytes } from 'node:crypto'
import type { SessionSecrets } from '../../../contracts/session.ts'

export type SecretUse = keyof SessionSecrets
export type SecretStore<T> = {
  create(owner: T): SessionSecrets
  find(secret: string): { owner: T; use: SecretUse } | undefined
  revoke(owner: T): void
}

const secretBytes = 32

/** Secrets are found by their digests, so that look-up times reveal nothing about them. */
export function createSecretStore<T>(): SecretStore<T> {
  const known = new Map<string, { owner: T; use: SecretUse }>()
  return {
    create(owner) {
      const createOne = (use: SecretUse) => {
        const secret = randomBytes(secretBytes).toString('base64url')
        known.set(digestOf(secret), { owner, use })
        return secret
      }
      return { cdp: createOne('cdp'), view: createOne('view'), control: createOne('control') }
    },
    find: (secret) => known.get(digestOf(secret)),
    revoke(owner) {
      for (const [digest, kept] of known) if (kept.owner === owner) known.delete(digest)
    },
  }
}

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('base64')
