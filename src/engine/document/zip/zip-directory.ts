import { refuse } from '../refuse.ts'

export type Entry = {
  name: string
  method: number
  isEncrypted: boolean
  compressedSize: number
  size: number
  /** Offset of its local header. */
  offset: number
}

const endSignature = 0x06054b50
const end64Signature = 0x06064b50
const locator64Signature = 0x07064b50
const entrySignature = 0x02014b50
const endSize = 22
const maxComment = 65_535
const unknown32 = 0xffffffff
/** Maximum number of parts; even books of many small chapters stay below it. */
const maxEntries = 20_000

/**
 * Reads the central directory of a zip file (PKWARE APPNOTE 6.3, with zip64) without inflating anything. Of two entries
 * with one name the first counts. Throws SCRAPE_UNSUPPORTED_FILE_ERROR if the file is not a complete zip file.
 */
export function readDirectory(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const end = findEnd(view)
    const { count, size, offset, at } = end64(view, end) ?? end
    if (count > maxEntries) refuse('The file contains too many parts to be read.')
    // Bytes prepended to an archive shift everything in it.
    const shift = Math.max(0, at - size - offset)
    return readEntries(view, bytes, offset + shift, count, shift)
  } catch (thrown) {
    if (thrown instanceof RangeError) return truncated(thrown)
    throw thrown
  }
}

export function truncated(cause?: unknown): never {
  return refuse('The file is truncated or damaged: it is not a complete zip file.', { cause })
}

type End = { count: number; size: number; offset: number; at: number }

function findEnd(view: DataView): End {
  const last = view.byteLength - endSize
  for (let at = last; at >= 0 && at >= last - maxComment; at--) {
    if (view.getUint32(at, true) !== endSignature) continue
    const [count, size, offset] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 12, true),
      view.getUint32(at + 16, true),
    ]
    return { count, size, offset, at }
  }
  return truncated()
}

function end64(view: DataView, { at, count, size, offset }: End): End | undefined {
  const isFull = count === 0xffff || size === unknown32 || offset === unknown32
  if (!isFull || at < 20 || view.getUint32(at - 20, true) !== locator64Signature) return undefined
  const end = long(view, at - 12)
  if (view.getUint32(end, true) !== end64Signature) return truncated()
  return { count: long(view, end + 32), size: long(view, end + 40), offset: long(view, end + 48), at: end }
}

/** Sizes beyond 2^53 cannot occur; they fail like invalid offsets. */
const long = (view: DataView, at: number) => Number(view.getBigUint64(at, true))

function readEntries(view: DataView, bytes: Uint8Array, start: number, count: number, shift: number): Entry[] {
  const entries = new Map<string, Entry>()
  let at = start
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== entrySignature) truncated()
    const nameSize = view.getUint16(at + 28, true)
    const extraSize = view.getUint16(at + 30, true)
    const name = normalName(bytes.subarray(at + 46, at + 46 + nameSize))
    const sizes = sizesOf(view, at, at + 46 + nameSize, extraSize)
    const entry = {
      ...sizes,
      name,
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 0x41) !== 0,
      offset: sizes.offset + shift,
    }
    const key = name.toLowerCase()
    if (!entries.has(key)) entries.set(key, entry)
    at += 46 + nameSize + extraSize + view.getUint16(at + 32, true)
  }
  return [...entries.values()]
}

type Sizes = Pick<Entry, 'compressedSize' | 'size' | 'offset'>

function sizesOf(view: DataView, at: number, extraAt: number, extraSize: number): Sizes {
  const written: Sizes = {
    size: view.getUint32(at + 24, true),
    compressedSize: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  }
  const field = zip64Field(view, extraAt, extraAt + extraSize)
  if (field === undefined) return written
  // The field contains only the numbers that did not fit, in this order.
  let next = field
  const real = (value: number) => (value === unknown32 ? long(view, (next += 8) - 8) : value)
  const size = real(written.size)
  const compressedSize = real(written.compressedSize)
  return { size, compressedSize, offset: real(written.offset) }
}

function zip64Field(view: DataView, from: number, to: number): number | undefined {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === 1) return at + 4
  return undefined
}

/** Returns the compressed bytes of a part. */
export function compressedBytes(bytes: Uint8Array, entry: Entry): Uint8Array {
  if (entry.isEncrypted)
    refuse('The file is password-protected.', { hint: 'Save it without a password and scrape that copy.' })
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { offset, compressedSize } = entry
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== 0x04034b50) return truncated()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + compressedSize > bytes.length) return truncated()
  return bytes.subarray(start, start + compressedSize)
}

/** Normalises names to paths from the root of the archive. Nothing is ever written to disk, so no name can do harm. */
function normalName(written: Uint8Array): string {
  return normalPath(decodeName(written))
}

export function normalPath(path: string): string {
  const steps: string[] = []
  for (const step of path.replaceAll('\\', '/').split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/** Many writers use UTF-8 without setting its flag. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}
