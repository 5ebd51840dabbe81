import type { Handling } from '../../../kernel/ctx.ts'
import type { Bytes } from '../../../util/file-bytes.ts'

/** A JSON body with everything that determines its input. */
export type LargeBody = { method: string; url: string; handling?: Handling | undefined; bytes: Bytes }
export type ReadInput = {
  input: Record<string, unknown>
  /** Notes about values that were read differently or ignored. */
  notes: readonly string[]
  /** True if the input has been validated. */
  isChecked: boolean
}
/**
 * Parses, normalises and validates a body in another thread, where it blocks no other request. Fails as validation
 * does.
 */
export type ReadElsewhere = (body: LargeBody, teamId: string, signal: AbortSignal) => Promise<ReadInput>

export type LargeRules = {
  maxBytes: number
  announced: number | undefined
  /** Beyond this, reading pauses until `admit` resolves. */
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
    if (needed > bytes.byteLength) bytes = grown(bytes, roomFor(needed, { maxBytes, freeBytes, announced }))
    bytes.set(next.value, size)
    size = needed
  }
  // A cancelled stream ends without an error.
  late.throwIfAborted()
  return bytes.subarray(0, size)
}

/** The announced length is allocated once a slot is taken: the system provides memory only for bytes that arrive. */
function roomFor(needed: number, { maxBytes, freeBytes, announced = 0 }: Omit<LargeRules, 'admit' | 'late'>): number {
  if (needed > freeBytes && announced >= needed) return Math.min(announced, maxBytes)
  return Math.min(needed * 2, maxBytes)
}

function grown(bytes: Bytes, size: number): Bytes {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
}
