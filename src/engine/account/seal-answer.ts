import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { isRecord } from '../../util/json.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts the stored response of a call with its idempotency key, of which only a digest is stored: responses contain
 * page text and session secrets, which only the caller may read.
 */
export function sealedBy(key: string) {
  const of = (use: string) => createHmac('sha256', key).update(use)
  return {
    keyDigest: createHash('sha256').update(`key ${key}`).digest(),
    asksDigest: (asks: object) => of('asks').update(canonical(asks)).digest(),
    async seal(value: object): Promise<Uint8Array> {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, of('answer').digest(), iv)
      const body = cipher.update(await compress(JSON.stringify(value)))
      return Buffer.concat([iv, body, cipher.final(), cipher.getAuthTag()])
    },
    async open(sealed: Uint8Array): Promise<unknown> {
      const decipher = createDecipheriv(algorithm, of('answer').digest(), sealed.subarray(0, ivBytes))
      decipher.setAuthTag(sealed.subarray(-tagBytes))
      const body = decipher.update(sealed.subarray(ivBytes, -tagBytes))
      return JSON.parse((await decompress(Buffer.concat([body, decipher.final()]))).toString('utf8'))
    },
  }
}

/** JSON that does not depend on the order of fields. */
const canonical = (value: object) =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
