import { createHash, createHmac } from 'node:crypto'
import type { Credentials } from '../store/objects-url.ts'

/** One request as it is sent. Header names are in lower case, `host` among them; the path is encoded already. */
export type Unsigned = {
  method: string
  path: string
  query?: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array
}
type Scope = { region: string; service: string; at: Date }

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text).digest()
const algorithm = 'AWS4-HMAC-SHA256'

/** SHA-256 of a body, which is signed: what is changed on the way is refused. */
export const bodyDigest = (body: Uint8Array = new Uint8Array()): string => sha256(body)

/**
 * The `authorization` header of Signature Version 4 over all of the headers, which hold `x-amz-date` already
 * (`amzDate`). It signs what it is given as it is: a query has to be in the order of its names.
 */
export function authorization(request: Unsigned, { accessKeyId, secretAccessKey }: Credentials, scope: Scope): string {
  const { method, path, query = '', headers, body } = request
  const names = Object.keys(headers).toSorted()
  const signed = names.join(';')
  const lines = names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`).join('')
  const digest = headers['x-amz-content-sha256'] ?? bodyDigest(body)
  const canonical = [method, path, query, lines, signed, digest].join('\n')
  const day = amzDate(scope.at).slice(0, 8)
  const place = `${day}/${scope.region}/${scope.service}/aws4_request`
  const toSign = [algorithm, amzDate(scope.at), place, sha256(canonical)].join('\n')
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce<string | Uint8Array>(
    hmac,
    `AWS4${secretAccessKey}`,
  )
  const signature = hmac(key, toSign).toString('hex')
  return `${algorithm} Credential=${accessKeyId}/${place}, SignedHeaders=${signed}, Signature=${signature}`
}

/** A time as `x-amz-date` has it. */
export const amzDate = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')
