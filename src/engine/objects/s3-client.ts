import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from '../../kernel/error.ts'
import type { TrustedClient, TrustedResponse } from '../net/http/trusted-client.ts'
import type { ObjectsPlace } from '../store/objects-url.ts'
import { amzDate, authorization, bodyDigest } from './sign.ts'

/** Until the whole answer is there, tries again included; more for what is long. */
const answerMs = 5000
const msPerMegabyte = 2000
const tries = 3
const pauseMs = 100
const maxErrorBytes = 4096

/** `size`: as many bytes as go either way. */
export type S3Request = {
  method: 'GET' | 'PUT' | 'DELETE'
  key: string
  body?: Uint8Array
  mediaType?: string
  size: number
}
export type S3Answer = { status: number; bytes: Uint8Array }

/**
 * Asks a bucket, addressed by path and with each request signed; what fails in passing is tried again. Fails with
 * OBJECT_STORE_UNAVAILABLE where no answer came. The key is the only part of a URL that is made here.
 */
export function createS3Client(place: ObjectsPlace, client: TrustedClient) {
  const base = new URL(`${place.endpoint}/${place.bucket}/${place.prefix}`)
  return async (request: S3Request): Promise<S3Answer> => {
    const signal = AbortSignal.timeout(answerMs + msPerMegabyte * Math.ceil(request.size / 2 ** 20))
    try {
      for (let tried = 1; ; tried++) {
        const answer = await exchange({ place, base, client }, request, signal).catch((cause: unknown) => {
          if (tried === tries || signal.aborted) throw cause
        })
        if (answer && (tried === tries || !isPassing(answer.status))) return answer
        await sleep(pauseMs * 2 ** tried, undefined, { signal })
      }
    } catch (cause) {
      throw unavailable(signal.aborted ? new Error('No answer came in time.') : cause)
    }
  }
}

export const unavailable = (cause: unknown) => failure('OBJECT_STORE_UNAVAILABLE', { cause })

/** It asks to be asked again, or a proxy before it does. */
const isPassing = (status: number) => status === 429 || status >= 500

type World = { place: ObjectsPlace; base: URL; client: TrustedClient }

async function exchange({ place, base, client }: World, request: S3Request, signal: AbortSignal): Promise<S3Answer> {
  const { method, key, body, size } = request
  const path = base.pathname + key
  const headers = signed({ place, host: base.host, path }, request)
  const answer = await client.send({ method, url: base.origin + path, headers, ...(body && { body }), signal })
  try {
    return { status: answer.status, bytes: await read(answer, Math.max(size, maxErrorBytes)) }
  } finally {
    await answer.end()
  }
}

function signed(
  { place, host, path }: { place: ObjectsPlace; host: string; path: string },
  { method, body, mediaType }: S3Request,
): Record<string, string> {
  const { credentials, region } = place
  if (credentials === undefined) throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.')
  const at = new Date()
  const headers = {
    host,
    ...(mediaType !== undefined && { 'content-type': mediaType }),
    'x-amz-content-sha256': bodyDigest(body),
    'x-amz-date': amzDate(at),
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  }
  const scope = { region, service: 's3', at }
  return { ...headers, authorization: authorization({ method, path, headers }, credentials, scope) }
}

/** A body, of which what is behind as many bytes is not waited for. */
async function read({ body }: TrustedResponse, enough: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    chunks.push(chunk)
    if (length > enough) break
  }
  return Buffer.concat(chunks)
}
