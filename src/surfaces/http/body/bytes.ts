import { fail } from '../../../kernel/error.ts'
import { ownTurn } from '../../../util/async.ts'

/** What comes in larger takes a while to parse and validate. */
const smallBytes = 16_384

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
