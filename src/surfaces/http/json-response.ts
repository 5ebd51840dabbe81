import { jsonPieces } from '../../util/json.ts'

/** A shorter answer is sent in one write. */
const leastStreamed = 64 * 1024
/** Pieces that are shorter are sent with what stands beside them. */
const leastAlone = 16 * 1024

/**
 * An answer in JSON. One that is long goes out piece by piece as it is stored: Response would copy it, and what is copied
 * outside of the heap has V8 collect all of the heap.
 */
export function jsonResponse(value: object): Response {
  const pieces = jsonPieces(value)
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const type = { 'content-type': 'application/json' }
  if (length < leastStreamed) return new Response(Buffer.concat(pieces), { headers: type })
  const chunks = chunksOf(pieces)
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value: chunk } = chunks.next()
      if (done) controller.close()
      else controller.enqueue(chunk)
    },
  })
  return new Response(body, { headers: { ...type, 'content-length': String(length) } })
}

function* chunksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array, void> {
  let short: Uint8Array[] = []
  for (const piece of pieces) {
    if (piece.byteLength < leastAlone) short.push(piece)
    else {
      if (short.length > 0) yield Buffer.concat(short)
      yield piece
      short = []
    }
  }
  if (short.length > 0) yield Buffer.concat(short)
}
