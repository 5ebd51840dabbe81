import { jsonPieces } from '../../util/json.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFinished, type JobState } from '../../kernel/operation.ts'
import type { RouteMatch } from '../../kernel/route.ts'
import { fail } from '../../kernel/error.ts'
import type { LinkedFiles } from '../../contracts/fetch.ts'

/** A browser cannot derive a file name from the id in a link. */
const endings: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** A file that a response links to. Its id is the permission, as in a shared link. Fails with NOT_FOUND. */
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
 * Clients of the public service follow `next` of a running job without a pause, hundreds of times a second. A
 * response without results is therefore delayed for a second, or until there is a result.
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

/** A shorter response is sent in one write. */
const minStreamed = 64 * 1024
/** Shorter chunks are joined with their neighbours. */
const minAlone = 16 * 1024

/**
 * A JSON response. A long one is sent in chunks as it is stored: Response would copy it, and copies outside the heap
 * make V8 collect the whole heap.
 */
export function jsonResponse(value: object): Response {
  const pieces = jsonPieces(value)
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const type = { 'content-type': 'application/json' }
  if (length < minStreamed) return new Response(Buffer.concat(pieces), { headers: type })
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
    if (piece.byteLength < minAlone) short.push(piece)
    else {
      if (short.length > 0) yield Buffer.concat(short)
      yield piece
      short = []
    }
  }
  if (short.length > 0) yield Buffer.concat(short)
}
