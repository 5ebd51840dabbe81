import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'

const base64 = z.base64()
/** Text encrypted with AES-256-GCM (NIST SP 800-38D), with a key derived by scrypt (RFC 7914) from a passphrase and a salt. */
export const Sealed = z.object({
  cipher: z.literal('aes-256-gcm'),
  kdf: z.literal('scrypt-32768-8-1'),
  salt: base64,
  iv: base64,
  tag: base64,
  data: base64,
})
export type Sealed = z.output<typeof Sealed>

/** `about` is authenticated but not encrypted: with another value the text cannot be decrypted. */
export type Sealer = {
  seal(text: string, about: string): Promise<Sealed>
  /** Rejects for another passphrase, and when anything was changed. */
  unseal(sealed: Sealed, about: string): Promise<string>
}

const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const maxKeys = 64

/** Deriving a key is slow on purpose, so keys are cached by salt, and a process encrypts with one salt. */
export function createSealer(passphrase: string): Sealer {
  const keys = new Map<string, Promise<Buffer>>()
  const ownSalt = randomBytes(16)

  function keyFor(salt: Buffer): Promise<Buffer> {
    const id = textOf(salt)
    const key = keys.get(id) ?? keyOf(passphrase, salt)
    if (keys.size >= maxKeys) keys.clear()
    keys.set(id, key)
    return key
  }

  return {
    async seal(text, about) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', await keyFor(ownSalt), iv).setAAD(Buffer.from(about))
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return {
        cipher: 'aes-256-gcm',
        kdf: 'scrypt-32768-8-1',
        salt: textOf(ownSalt),
        iv: textOf(iv),
        tag: textOf(cipher.getAuthTag()),
        data: textOf(data),
      }
    },
    async unseal(sealed, about) {
      const key = await keyFor(bytesOf(sealed.salt))
      const decipher = createDecipheriv('aes-256-gcm', key, bytesOf(sealed.iv), { authTagLength: 16 })
        .setAAD(Buffer.from(about))
        .setAuthTag(bytesOf(sealed.tag))
      return Buffer.concat([decipher.update(bytesOf(sealed.data)), decipher.final()]).toString('utf8')
    },
  }
}

const textOf = (bytes: Buffer) => bytes.toString('base64')
const bytesOf = (text: string) => Buffer.from(text, 'base64')

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
