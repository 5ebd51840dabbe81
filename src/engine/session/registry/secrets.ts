import { createHash, randomBytes } from 'node:crypto'
import type { SessionKeys } from '../../../contracts/session.ts'

export type KeyUse = keyof SessionKeys
export type KeyRing<T> = {
  /** Makes the keys of something. */
  cut(owner: T): SessionKeys
  /** What a key was made for. */
  find(key: string): { owner: T; use: KeyUse } | undefined
  /** Its keys open nothing from now on. */
  drop(owner: T): void
}

const keyBytes = 32

/** Keys are found by their digests, so that the time of a look-up tells nothing about any of them. */
export function createKeyRing<T>(): KeyRing<T> {
  const known = new Map<string, { owner: T; use: KeyUse }>()
  return {
    cut(owner) {
      const cut = (use: KeyUse) => {
        const key = randomBytes(keyBytes).toString('base64url')
        known.set(digestOf(key), { owner, use })
        return key
      }
      return { cdp: cut('cdp'), view: cut('view'), control: cut('control') }
    },
    find: (key) => known.get(digestOf(key)),
    drop(owner) {
      for (const [digest, kept] of known) if (kept.owner === owner) known.delete(digest)
    },
  }
}

const digestOf = (key: string) => createHash('sha256').update(key).digest('base64')
