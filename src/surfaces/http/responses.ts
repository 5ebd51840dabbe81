import { jsonPieces } from '../../util/json.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFinished, type JobState } from '../../kernel/operation.ts'
import type { RouteMatch } from '../../kernel/route.ts'
import { fail } from '../../kernel/error.ts'
import type { LinkedFiles } from '../../contracts/fetch.ts'

/** Names in a link are of no use to a browser that saves the file. */
const endings: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** A file that an answer links to. Its id is the permission, as in a link that is passed on. Fails with NOT_FOUND. */
export async function answerFile({ find }: Pick<LinkedFiles, 'find'>, id: string): Promise<Response> {
  const file = await find(id)
  if (!file)
    fail('NOT_FOUND', {
      message: 'The file does not exist or has expired.',
      hint: 'Read the result that linked to it again, or scrape the page again.',
    })
  const { mediaType, bytes } = file
  const name = `page.${endings[mediaType] ?? 'pdf'}`
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': mediaType,
      'content-disposition': `inline; filename="${name}"`,
      'cache-control': 'private, max-age=3600, immutable',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    },
  })
}

const pauseMs = 200

const longestMs = 1000

/**
 * Clients of the public service follow `next` of a running job without a pause, hundreds of times a second. So an answer
 * to that which holds no result is kept back for a second, or until there is one.
 */
export const mayHoldBack = ({ operation, query }: RouteMatch): boolean =>
  operation.watch !== undefined && query['skip'] !== undefined

export async function heldBack(call: () => Promise<object>, signal: AbortSignal): Promise<object> {
  const endsAt = performance.now() + longestMs
  let output = await call()
  while (isWithoutNews(output as JobState) && performance.now() < endsAt) {
    await sleep(pauseMs, undefined, { signal })
    output = await call()
  }
  return output
}

const isWithoutNews = (state: JobState) => !isFinished(state) && state.data.length === 0

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
