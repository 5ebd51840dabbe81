import type { Handling, Team } from '../../../kernel/ctx.ts'
import { fail, failure } from '../../../kernel/error.ts'
import type { TranslatedMatch } from '../../v1.ts'
import type { Bytes } from '../../../util/file-bytes.ts'
import { fileTooLarge, inputFrom, readBody, uploadIn, withAddress } from './input.ts'
import { createFairSemaphore } from '../../../util/semaphore.ts'

/** A JSON body, with the parts of its request that also determine the input. */
export type LargeBody = { method: string; url: string; handling?: Handling | undefined; bytes: Bytes }
export type ReadInput = {
  input: Record<string, unknown>
  /** Notes about values that were coerced or ignored. */
  notes: readonly string[]
  /** True if the input has been validated. */
  isChecked: boolean
}
/** Parses and validates a body in another thread, where it blocks no other request. Fails as validation does. */
export type ReadElsewhere = (body: LargeBody, teamId: string, signal: AbortSignal) => Promise<ReadInput>

export type LargeRules = {
  maxBytes: number
  /** Length of the body by its headers. */
  announced: number | undefined
  /** After this many bytes, reading pauses until `admit` resolves. */
  freeBytes: number
  admit(): Promise<void>
  /** When it aborts, reading stops and the bytes are dropped. */
  late: AbortSignal
}

/** All bytes of a stream in their own, transferable buffer; undefined if there are more than `maxBytes`. */
export async function readLarge(stream: ReadableStream<Uint8Array>, rules: LargeRules): Promise<Bytes | undefined> {
  const { late } = rules
  const reader = stream.getReader()
  // Waiting for a chunk that may never arrive would keep all earlier chunks in memory.
  const leave = () => void reader.cancel(late.reason).catch(() => {})
  late.addEventListener('abort', leave, { once: true })
  try {
    return await collected(reader, rules)
  } finally {
    late.removeEventListener('abort', leave)
    leave()
  }
}

async function collected(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, freeBytes, announced, admit, late }: LargeRules,
): Promise<Bytes | undefined> {
  let bytes: Bytes = new Uint8Array()
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const needed = size + next.value.byteLength
    if (size <= freeBytes && needed > freeBytes) await admit()
    late.throwIfAborted()
    if (needed > maxBytes) return undefined
    if (needed > bytes.byteLength) bytes = grown(bytes, nextSize(needed, { maxBytes, freeBytes, announced }))
    bytes.set(next.value, size)
    size = needed
  }
  // A cancelled stream ends without an error.
  late.throwIfAborted()
  return bytes.subarray(0, size)
}

/**
 * Size of the next buffer. Once a slot is taken, it is the announced length: the system provides memory only for bytes
 * that arrive.
 */
function nextSize(needed: number, { maxBytes, freeBytes, announced = 0 }: Omit<LargeRules, 'admit' | 'late'>): number {
  if (needed > freeBytes && announced >= needed) return Math.min(announced, maxBytes)
  return Math.min(needed * 2, maxBytes)
}

function grown(bytes: Bytes, size: number): Bytes {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
}

/** Kind of a large body: a list of many items, or a file in base64. */
type BodyKind = 'list' | 'file'
type Body = { kind: BodyKind; teamId: string; signal: AbortSignal }
/** Releases a slot; a second call does nothing. */
type Release = () => void

/**
 * Slots for calls with large bodies. A call takes one to read its body, and another to process it, which takes memory
 * of many times its size. Both fail with QUEUE_FULL if no slot becomes free in time.
 */
export type BodySlots = {
  /** `announced` is the length of the body by its headers, in bytes. */
  read(body: Body & { announced?: number | undefined }): Promise<Release>
  work(body: Body & { bytes: number }): Promise<Release>
}

/** Larger bodies may take a hundred megabytes or two, so they are processed one at a time. */
const largeBytes = { list: 2 ** 20, file: 8 * 2 ** 20 }
/** Longer lists, and lists of unknown length, share a single slot for reading. */
const longListBytes = 8 * 2 ** 20
/** Shorter than the server's time limit for receiving a request. */
const longestWaitMs = 90_000

/**
 * Number of slots. Once a team has waited a second while another team uses all of them, it gets an extra slot; not for
 * long lists, because the database writes them one after the other, so a second one would only occupy memory.
 */
const limits = {
  list: { read: { usual: 1 }, small: { usual: 4 }, large: { usual: 1, reserved: 0 } },
  file: { read: { usual: 2 }, small: { usual: 8 }, large: { usual: 1 } },
}

export function createBodySlots(waitMs = longestWaitMs): BodySlots {
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
): Promise<Release> {
  const late = AbortSignal.timeout(waitMs)
  const release = await pool.acquire(teamId, AbortSignal.any([signal, late])).catch((reason: unknown) => {
    if (signal.aborted || !late.aborted) throw reason
    return fail('QUEUE_FULL', { message: 'Too many large bodies are waiting.', cause: reason })
  })
  return once(release)
}

function once(release: () => void): Release {
  let isReleased = false
  return () => {
    if (!isReleased) release()
    isReleased = true
  }
}

/**
 * Time limit for receiving a body. `admit` waits for its slot and starts the time; `tooLate` rejects and `late` aborts
 * when it is over; `end` releases the slot.
 */
function createArrival(takeSlot: () => Promise<Release>, arrivalMs: number) {
  const over = new AbortController()
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  tooLate.catch(() => {})
  const slot: { release?: Release; timer?: NodeJS.Timeout } = {}
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
      slot.release = await takeSlot()
      slot.timer = setTimeout(cut, arrivalMs)
    },
    end() {
      clearTimeout(slot.timer)
      slot.release?.()
    },
  }
}

export type ReadOptions = {
  maxRequestBytes: number
  readElsewhere?: ReadElsewhere | undefined
  /** Time limit for receiving a large body once it has a slot, ms. */
  arrivalMs?: number
}
const usualArrivalMs = 60_000

export type Reading = {
  match: TranslatedMatch
  team: Team
  handling?: Handling | undefined
  signal: AbortSignal
  slots: BodySlots
}
/** Call `release` when the call has ended or its input is no longer needed. */
export type Sent = Pick<ReadInput, 'input'> & Partial<ReadInput> & { release?: Release }

/** Larger bodies are parsed in another thread; up to this size, parsing takes a few milliseconds. */
const hereBytes = 131_072

const isMultipart = ({ headers }: Request): boolean =>
  /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '')

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

/** Reads a large body, and returns the input that `make` creates from it with the slot that it occupies. */
async function readLargeInput(
  request: Request,
  reading: LargeReading,
  make: (bytes: Bytes | undefined) => Promise<Sent>,
): Promise<Sent> {
  const { match, team, signal, slots } = reading
  const body = { kind: match.operation.upload ? 'file' : 'list', teamId: team.id, signal } as const
  const arrival = createArrival(() => slots.read({ ...body, announced: lengthOf(request) }), reading.arrivalMs)
  const slot: { release?: Release } = {}
  try {
    const read = readLarge(request.body ?? nothing(), { ...rulesOf(request, reading), ...arrival })
    const bytes = await Promise.race([read, arrival.tooLate])
    if (bytes && bytes.byteLength > hereBytes) slot.release = await slots.work({ ...body, bytes: bytes.byteLength })
    arrival.end()
    return { ...(await make(bytes)), ...slot }
  } catch (thrown) {
    slot.release?.()
    throw thrown
  } finally {
    arrival.end()
  }
}

const nothing = () => new ReadableStream<Uint8Array>({ start: (stream) => stream.close() })

function rulesOf(request: Request, { most, usual }: LargeReading) {
  const announced = lengthOf(request)
  // A body announced as large must wait for a slot anyway, so little of it is read before.
  const freeBytes = announced !== undefined && announced > usual ? Math.min(hereBytes, usual) : usual
  return { maxBytes: most, freeBytes, announced }
}

/** Returns the bytes. Fails with BAD_REQUEST if the content type says that they are not JSON. */
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
