import type { Handling } from '../../../kernel/ctx.ts'
import type { Bytes } from '../../../util/file-bytes.ts'

/** A body of JSON with all that says what its input is. */
export type LargeBody = { method: string; url: string; handling?: Handling | undefined; bytes: Bytes }
export type ReadInput = {
  input: Record<string, unknown>
  /** What was read differently, and what was ignored. */
  notes: readonly string[]
  /** Whether it has been validated. */
  isChecked: boolean
}
/** Parses a body, reads it as it is meant and validates it, where it holds up nobody. Fails as validation does. */
export type ReadElsewhere = (body: LargeBody, teamId: string, signal: AbortSignal) => Promise<ReadInput>

/** Reads in this thread take a few milliseconds up to so many bytes. */
export const hereBytes = 131_072

export type LargeRules = {
  maxBytes: number
  announced: number | undefined
  /** Once there are more, nothing is read on until `admit` resolves. */
  freeBytes: number
  admit(): Promise<void>
  /** Nothing more is taken, and nothing kept, once it aborts. */
  late: AbortSignal
}

/** All bytes of a stream in a buffer of their own, which can be moved; undefined where there are more than `maxBytes`. */
export async function readLarge(stream: ReadableStream<Uint8Array>, rules: LargeRules): Promise<Bytes | undefined> {
  const { late } = rules
  const reader = stream.getReader()
  // Who waits for a chunk that may never come holds all those before it.
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
  // A stream that was left ends, too.
  late.throwIfAborted()
  return bytes.subarray(0, size)
}

/** What was announced counts once a place is held: the system gives memory only for what comes. */
function roomFor(needed: number, { maxBytes, freeBytes, announced = 0 }: Omit<LargeRules, 'admit' | 'late'>): number {
  if (needed > freeBytes && announced >= needed) return Math.min(announced, maxBytes)
  return Math.min(needed * 2, maxBytes)
}

function grown(bytes: Bytes, size: number): Bytes {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
}
