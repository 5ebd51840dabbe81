import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { failure } from '../../kernel/error.ts'
import { createTrustedClient, type TrustedClient, type TrustedResponse } from '../net/http/trusted-client.ts'
import { type Objects, type ObjectsPlace, parseObjectsUrl } from '../store/data-places.ts'

/** Time limit for the complete response, including retries, plus extra time for large objects. */
const answerMs = 5000
const msPerMegabyte = 2000
const maxTries = 3
const pauseMs = 100
const maxErrorBytes = 4096

/** `size`: number of bytes sent or expected. */
type S3Request = { method: 'GET' | 'PUT' | 'DELETE'; key: string; body?: Uint8Array; mediaType?: string; size: number }
type S3Answer = { status: number; bytes: Uint8Array }

/** Stores objects in an S3-compatible bucket. The operator configured its URL, so address rules do not apply. */
export function openS3Objects(objectsUrl: string, userAgent: string): Objects {
  const client = createTrustedClient(userAgent)
  const place = parseObjectsUrl(objectsUrl)
  /** Sends a request, and sends it again after transient failures. */
  async function send(request: S3Request): Promise<S3Answer> {
    const signal = AbortSignal.timeout(answerMs + msPerMegabyte * Math.ceil(request.size / 2 ** 20))
    try {
      for (let attempt = 1; ; attempt++) {
        const answer = await exchange(place, client, request, signal).catch((cause: unknown) => {
          if (attempt === maxTries || signal.aborted) throw cause
        })
        if (answer && (attempt === maxTries || !isTransient(answer.status))) return answer
        await sleep(pauseMs * 2 ** attempt, undefined, { signal })
      }
    } catch (cause) {
      throw unavailable(signal.aborted ? new Error('No answer came in time.') : cause)
    }
  }
  return {
    async put(key, { bytes, mediaType }) {
      const answer = await send({ method: 'PUT', key, body: bytes, mediaType, size: bytes.byteLength })
      if (answer.status !== 200) throw refused(answer)
    },
    async get(key, size) {
      const answer = await send({ method: 'GET', key, size })
      if (isMissing(answer)) return undefined
      if (answer.status !== 200) throw refused(answer)
      if (answer.bytes.byteLength !== size)
        throw unavailable(new Error('The object has a different size than expected.'))
      const { buffer, byteOffset } = answer.bytes
      return new Uint8Array(buffer, byteOffset, size)
    },
    async delete(key) {
      const answer = await send({ method: 'DELETE', key, size: 0 })
      if (![200, 204].includes(answer.status) && !isMissing(answer)) throw refused(answer)
    },
    close: () => client.close(),
  }
}

/** True if the store, or a proxy in front of it, may accept a retry. */
const isTransient = (status: number) => status === 429 || status >= 500

async function exchange(
  place: ObjectsPlace,
  client: TrustedClient,
  { method, key, body, mediaType, size }: S3Request,
  signal: AbortSignal,
): Promise<S3Answer> {
  const { credentials, region, endpoint, bucket, prefix } = place
  if (credentials === undefined) throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.')
  // The digest of the body is signed too, so a modified body is refused.
  const digest = createHash('sha256')
    .update(body ?? '')
    .digest('hex')
  const headers = { 'x-amz-content-sha256': digest, ...(mediaType !== undefined && { 'content-type': mediaType }) }
  const url = `${endpoint}/${bucket}/${prefix}${key}`
  const signed = await new AwsV4Signer({ method, url, headers, service: 's3', region, ...credentials }).sign()
  const request = { method, url: signed.url.href, headers: Object.fromEntries(signed.headers), signal }
  const answer = await client.send({ ...request, ...(body && { body }) })
  try {
    return { status: answer.status, bytes: await read(answer, Math.max(size, maxErrorBytes)) }
  } finally {
    await answer.end()
  }
}

/** Reads a body up to the chunk that exceeds `maxBytes`. */
async function read({ body }: TrustedResponse, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    chunks.push(chunk)
    if (length > maxBytes) break
  }
  return Buffer.concat(chunks)
}

/** Returns the error code of a response, such as `SignatureDoesNotMatch`. */
const codeOf = ({ bytes }: S3Answer) => /<Code>(\w{1,64})<\/Code>/.exec(Buffer.from(bytes).toString('latin1'))?.[1]

/**
 * True if the object is missing. Any other 404 is from a missing bucket or another server; the object may still exist.
 */
const isMissing = (answer: S3Answer) => answer.status === 404 && codeOf(answer) === 'NoSuchKey'

const unavailable = (cause: unknown) => failure('OBJECT_STORE_UNAVAILABLE', { cause })
const refused = (answer: S3Answer) =>
  unavailable(new Error(`It answered ${[answer.status, codeOf(answer)].filter(Boolean).join(' ')}.`))
