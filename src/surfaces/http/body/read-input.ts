import type { Handling, Team } from '../../../kernel/ctx.ts'
import { fail } from '../../../kernel/error.ts'
import type { TranslatedMatch } from '../../v1/v1.ts'
import type { Bytes } from '../../../util/file-bytes.ts'
import { readBody } from './bytes.ts'
import { fileTooLarge, inputFrom, withAddress } from './input.ts'
import { hereBytes, type ReadElsewhere, type ReadInput, readLarge } from './large.ts'
import { createArrival, type Leave, type Places } from './places.ts'
import { isMultipart, uploadIn } from './upload.ts'

export type ReadOptions = {
  maxRequestBytes: number
  readElsewhere?: ReadElsewhere | undefined
  /** How long a large body may take to come once it has a place, which others may be waiting for, ms. */
  arrivalMs?: number
}
const usualArrivalMs = 60_000

export type Reading = {
  match: TranslatedMatch
  team: Team
  handling?: Handling | undefined
  signal: AbortSignal
  places: Places
}
/** `leave` is to be called when the call has ended, or nothing needs its input any more. */
export type Sent = Pick<ReadInput, 'input'> & Partial<ReadInput> & { leave?: Leave }

/** The input of a request. Fails with BAD_REQUEST, BAD_REQUEST_INVALID_JSON, PAYLOAD_TOO_LARGE or QUEUE_FULL. */
export async function readInput(request: Request, reading: Reading, options: ReadOptions): Promise<Sent> {
  const { match } = reading
  const { upload, maxBodyBytes } = match.operation
  const { maxRequestBytes: usual, readElsewhere, arrivalMs = usualArrivalMs } = options
  if (upload && isMultipart(request)) {
    const large = { ...reading, most: upload.maxBytes + usual, usual, arrivalMs }
    return readLargeInput(request, large, async (bytes) => ({
      input: withAddress(match, uploadIn(bytes ?? fileTooLarge(upload), request.headers, upload)),
    }))
  }
  const most = upload ? Math.ceil((upload.maxBytes * 4) / 3) + usual : Math.max(usual, maxBodyBytes ?? 0)
  if (most > usual && readElsewhere)
    return readLargeInput(request, { ...reading, most, usual, arrivalMs }, async (body) => {
      const bytes = ofJson(request, body ?? fail('PAYLOAD_TOO_LARGE'))
      if (bytes.byteLength <= hereBytes) return { input: inputFrom(match, bytes) }
      const { method, url } = request
      const { handling, team, signal } = reading
      return readElsewhere({ method, url, handling, bytes }, team.id, signal)
    })
  const bytes = await readBody(request, most)
  return { input: inputFrom(match, ofJson(request, bytes)) }
}

type LargeReading = Reading & { most: number; usual: number; arrivalMs: number }

/** What is made of a body that others may not have, with the place that it holds. */
async function readLargeInput(
  request: Request,
  reading: LargeReading,
  make: (bytes: Bytes | undefined) => Promise<Sent>,
): Promise<Sent> {
  const { match, team, signal, places } = reading
  const body = { kind: match.operation.upload ? 'file' : 'list', teamId: team.id, signal } as const
  const inTime = createArrival(() => places.read({ ...body, announced: lengthOf(request) }), reading.arrivalMs)
  const held: { leave?: Leave } = {}
  try {
    const read = readLarge(request.body ?? nothing(), { ...rulesOf(request, reading), ...inTime })
    const bytes = await Promise.race([read, inTime.tooLate])
    if (bytes && bytes.byteLength > hereBytes) held.leave = await places.work({ ...body, bytes: bytes.byteLength })
    inTime.end()
    return { ...(await make(bytes)), ...held }
  } catch (thrown) {
    held.leave?.()
    throw thrown
  } finally {
    inTime.end()
  }
}

const nothing = () => new ReadableStream<Uint8Array>({ start: (stream) => stream.close() })

function rulesOf(request: Request, { most, usual }: LargeReading) {
  const announced = lengthOf(request)
  // Of what will have to wait anyway no more is held than of any other.
  const freeBytes = announced !== undefined && announced > usual ? Math.min(hereBytes, usual) : usual
  return { maxBytes: most, freeBytes, announced }
}

/** The same bytes, if they may be JSON. */
function ofJson<T extends Uint8Array>(request: Request, bytes: T): T {
  if (bytes.byteLength > 0 && !isJson(request.headers.get('content-type')))
    fail('BAD_REQUEST', {
      message: 'The content type of the body is not JSON.',
      hint: 'Send content-type: application/json.',
    })
  return bytes
}

function isJson(contentType: string | null): boolean {
  return contentType === null || /^(?:application\/json|[\w.-]+\/[\w.-]+\+json)\s*(?:;|$)/i.test(contentType)
}

function lengthOf({ headers }: Request): number | undefined {
  const length = headers.get('content-length')
  return length === null ? undefined : Number(length)
}
