import type { Handling, Team } from '../../../kernel/ctx.ts'
import { fail, failure } from '../../../kernel/error.ts'
import type { UploadRule } from '../../../kernel/operation.ts'
import { isRecord } from '../../../util/json.ts'
import type { TranslatedMatch } from '../../v1.ts'
import { type Bytes, FileBytes } from '../../../util/file-bytes.ts'
import { fileTooLarge, inputFrom, parseJson, readBody, refuseExcess, withAddress } from './input.ts'
import { type ReadElsewhere, type ReadInput, readLarge } from './large.ts'
import { createFairSemaphore } from '../../../util/semaphore.ts'

/** Kind of a large body: a list of many items, or a file in base64. */
type BodyKind = 'list' | 'file'
type Body = { kind: BodyKind; teamId: string; signal: AbortSignal }
/** Releases a slot; a second call does nothing. */
type Leave = () => void

/**
 * Slots for calls with large bodies. They wait for one before their body is read further, and for another before it
 * is processed, which takes many times its size. Both fail with QUEUE_FULL if none becomes free in time.
 */
export type Places = {
  /** `announced` is the length of the body by its headers, in bytes. */
  read(body: Body & { announced?: number | undefined }): Promise<Leave>
  work(body: Body & { bytes: number }): Promise<Leave>
}

/** Larger bodies may take a hundred megabytes or two, so they are processed one at a time. */
const largeBytes = { list: 2 ** 20, file: 8 * 2 ** 20 }
/** Longer lists, and lists of unknown length, are read one at a time. */
const longListBytes = 8 * 2 ** 20
/** Shorter than the time that a client has for its request. */
const longestWaitMs = 90_000

/**
 * The database writes long lists one after the other, so a second one would only occupy memory: there is no extra slot
 * for another team. For all other bodies there is one, once another team has waited a second.
 */
const limits = {
  list: { read: { usual: 1 }, small: { usual: 4 }, large: { usual: 1, reserved: 0 } },
  file: { read: { usual: 2 }, small: { usual: 8 }, large: { usual: 1 } },
}

export function createPlaces(waitMs = longestWaitMs): Places {
  const pools = { list: poolsOf('list'), file: poolsOf('file') }
  const longLists = createFairSemaphore({ usual: 1, reserved: 0 })
  return {
    read({ kind, announced = Infinity, ...body }) {
      const isLong = kind === 'list' && announced > longListBytes
      return enter(isLong ? longLists : pools[kind].read, body, waitMs)
    },
    work: ({ kind, bytes, ...body }) => enter(pools[kind][bytes > largeBytes[kind] ? 'large' : 'small'], body, waitMs),
  }
}

const poolsOf = (kind: BodyKind) => ({
  read: createFairSemaphore(limits[kind].read),
  small: createFairSemaphore(limits[kind].small),
  large: createFairSemaphore(limits[kind].large),
})

async function enter(
  pool: ReturnType<typeof createFairSemaphore>,
  { teamId, signal }: Omit<Body, 'kind'>,
  waitMs: number,
): Promise<Leave> {
  const late = AbortSignal.timeout(waitMs)
  const release = await pool.acquire(teamId, AbortSignal.any([signal, late])).catch((reason: unknown) => {
    if (signal.aborted || !late.aborted) throw reason
    return fail('QUEUE_FULL', { message: 'Too many large bodies are waiting.', cause: reason })
  })
  return once(release)
}

function once(release: () => void): Leave {
  let isLeft = false
  return () => {
    if (!isLeft) release()
    isLeft = true
  }
}

/**
 * Arrival of a body: `admit` waits for its slot, `tooLate` rejects if it then takes too long, `end` releases the
 * slot.
 */
function createArrival(takePlace: () => Promise<Leave>, arrivalMs: number) {
  const over = new AbortController()
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  tooLate.catch(() => {})
  const held: { leave?: Leave; timer?: NodeJS.Timeout } = {}
  const cut = () => {
    const message = `A body of that size must arrive within ${arrivalMs / 1000} s.`
    const fault = failure('BAD_REQUEST', { message, hint: 'Send it faster, or in several calls.' })
    over.abort(fault)
    reject(fault)
  }
  return {
    tooLate,
    late: over.signal,
    async admit() {
      held.leave = await takePlace()
      held.timer = setTimeout(cut, arrivalMs)
    },
    end() {
      clearTimeout(held.timer)
      held.leave?.()
    },
  }
}

export type ReadOptions = {
  maxRequestBytes: number
  readElsewhere?: ReadElsewhere | undefined
  /** Time limit for a large body to arrive once it has a slot, which others may be waiting for, ms. */
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
/** Call `leave` when the call has ended or its input is no longer needed. */
export type Sent = Pick<ReadInput, 'input'> & Partial<ReadInput> & { leave?: Leave }

/** Up to this size, reading in this thread takes a few milliseconds. */
const hereBytes = 131_072

const isMultipart = ({ headers }: Request): boolean =>
  /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '')

/** A part of a form (RFC 7578). It is a file if `filename` is set. */
type Part = { name: string; filename: string | undefined; contentType: string; bytes: Uint8Array }

const lineEnd = Buffer.from('\r\n')
const headersEnd = Buffer.from('\r\n\r\n')
const [dash, maxHeaderBytes] = [0x2d, 16_384]
/** A call needs two. */
const maxParts = 100

/**
 * The parts of a multipart body as views of its bytes: a file of 50 MB is not copied. Undefined if the body has no
 * boundary, ends early, or is not a form. Reads at most one part more than `maxParts`.
 */
export function partsOf(bytes: Uint8Array, contentType: string): Part[] | undefined {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return undefined
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const isFirst = body.subarray(0, mark.length - 2).equals(mark.subarray(2))
  let at = isFirst ? mark.length - 2 : endOf(body, mark, 0)
  const parts: Part[] = []
  while (at !== undefined) {
    if (body[at] === dash && body[at + 1] === dash) return parts
    const start = headersFrom(body, at)
    const end = start && body.indexOf(mark, start.content - lineEnd.length)
    if (!start || end === undefined || end === -1) return undefined
    const part = partOf(start.headers, body.subarray(start.content, Math.max(start.content, end)))
    if (part) parts.push(part)
    if (parts.length > maxParts) return parts
    at = end + mark.length
  }
  return undefined
}

/** RFC 2046, 5.1.1: at most 70 characters, quoted if it contains other characters than those of a token. */
function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain
}

function endOf(body: Buffer, mark: Buffer, from: number): number | undefined {
  const at = body.indexOf(mark, from)
  return at === -1 ? undefined : at + mark.length
}

/** Headers start with the rest of the boundary's line, which is blank. */
function headersFrom(body: Buffer, at: number): { headers: string; content: number } | undefined {
  const end = body.subarray(at, at + maxHeaderBytes).indexOf(headersEnd)
  if (end === -1) return undefined
  const headers = body.subarray(at, at + end).toString('utf8')
  return /^[ \t]*(?:\r\n|$)/.test(headers) ? { headers, content: at + end + headersEnd.length } : undefined
}

/** Undefined for a part that is not a form field. */
function partOf(headers: string, bytes: Uint8Array): Part | undefined {
  const disposition = headerOf(headers, 'content-disposition')
  const name = /^form-data\b/i.test(disposition) ? parameterOf(disposition, 'name') : undefined
  if (name === undefined) return undefined
  const filename = extendedOf(disposition) ?? parameterOf(disposition, 'filename')
  return { name, filename, contentType: headerOf(headers, 'content-type'), bytes }
}

const headerOf = (headers: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(headers)?.[1]?.trim() ?? ''

/** Browsers write a quote as %22 and line ends as %0D and %0A; other programs escape quotes with a backslash. */
function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
  return (quoted ?? plain)?.replace(/\\(["\\])/g, '$1').replace(/%(22|0d|0a)/gi, (hex) => decodeURIComponent(hex))
}

/** `filename*=UTF-8''…` (RFC 5987), which some programs write for non-ASCII names. */
function extendedOf(disposition: string): string | undefined {
  const [, encoded] = /;[ \t]*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(disposition) ?? []
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/**
 * The file of a multipart body, and the JSON of its part `options`. The bytes are released. Fails with BAD_REQUEST or
 * PAYLOAD_TOO_LARGE.
 */
export function uploadIn(bytes: Bytes, headers: Headers, rule: UploadRule): object {
  const { field } = rule
  const parts = partsOf(bytes, headers.get('content-type') ?? '')
  if (!parts)
    return refuse('The multipart body cannot be read: it has another boundary than its header says, or breaks off.')
  if (parts.length > maxParts) return refuse(`The multipart body has more than ${maxParts} parts.`)
  const [file, ...others] = parts.filter(({ name, filename }) => name === field && filename !== undefined)
  if (!file) return refuse(`The body has no file part named ${field}.`)
  if (others.length > 0) return refuse(`The body has ${others.length + 1} files, and a call takes one.`)
  if (file.bytes.byteLength > rule.maxBytes) fileTooLarge(rule)
  const options = optionsOf(parts.find(({ name }) => name === 'options'))
  const { byteOffset, byteLength } = file.bytes
  const base64 = new FileBytes(new Uint8Array(bytes.buffer, byteOffset, byteLength))
  const contentType = file.contentType === '' ? {} : { contentType: file.contentType }
  return { ...options, [field]: { filename: file.filename, ...contentType, base64 } }
}

function optionsOf(part: Part | undefined): object {
  if (part === undefined) return {}
  const bytes = part.filename === undefined ? part.bytes : new Uint8Array()
  refuseExcess(bytes)
  const value = parseJson(bytes)
  return isRecord(value) ? value : refuse('The part options is not a JSON object.')
}

const refuse = (message: string): never =>
  fail('BAD_REQUEST', {
    message,
    hint: 'Send one part with the file, and a part named options with the other fields as JSON.',
  })

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

/** Input of a large body, with the slot that it occupies. */
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
  // A body that will have to wait anyway gets no more memory than any other.
  const freeBytes = announced !== undefined && announced > usual ? Math.min(hereBytes, usual) : usual
  return { maxBytes: most, freeBytes, announced }
}

/** Returns the same bytes if they may be JSON. */
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
