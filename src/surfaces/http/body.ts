import { fail } from '../../kernel/error.ts'
import { jsonExcess, type JsonAmount } from '../../util/json-amount.ts'
import { isRecord } from '../../util/json.ts'

/** All bytes of a stream, or undefined once there are more than `maxBytes`; no announced length is trusted. */
export async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!stream) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return joined(chunks, size)
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

/** The body of a request. Fails with PAYLOAD_TOO_LARGE. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const bytes = (await readBytes(hasBody ? request.body : null, maxBytes)) ?? fail('PAYLOAD_TOO_LARGE')
  if (bytes.byteLength > smallBytes) await ownTurn()
  return bytes
}

const smallBytes = 16_384
let lastTurn = Promise.resolve()

/** What comes in large takes a while to parse and validate: one a turn of the event loop, so that others are answered in between. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return lastTurn
}

/** The JSON object in a request; no body is an empty object. Fails with BAD_REQUEST, BAD_REQUEST_INVALID_JSON or PAYLOAD_TOO_LARGE. */
export async function readObject(request: Request, maxBytes: number, most?: JsonAmount): Promise<object> {
  const bytes = await readBody(request, maxBytes)
  if (bytes.byteLength === 0) return {}
  if (!isJson(request.headers.get('content-type')))
    fail('BAD_REQUEST', {
      message: 'The content type of the body is not JSON.',
      hint: 'Send content-type: application/json.',
    })
  refuseExcess(bytes, most)
  const value = parseJson(bytes)
  if (value === undefined) fail('BAD_REQUEST_INVALID_JSON')
  if (!isRecord(value)) fail('BAD_REQUEST', { message: 'The body is JSON, but not an object.' })
  return value
}

/** Fails with BAD_REQUEST for JSON that would take long to parse. */
export function refuseExcess(bytes: Uint8Array, most?: JsonAmount): void {
  const excess = jsonExcess(bytes, most)
  if (excess !== undefined) fail('BAD_REQUEST', { message: `The JSON of the body is too much: ${excess}.` })
}

function isJson(contentType: string | null): boolean {
  return contentType === null || /^(?:application\/json|[\w.-]+\/[\w.-]+\+json)\s*(?:;|$)/i.test(contentType)
}

/** Undefined for bytes that are not JSON in UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
