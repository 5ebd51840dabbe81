import type { FileHandle } from 'node:fs/promises'
import { constants, crc32, inflateRaw, type Zlib } from 'node:zlib'

/** A gzip member; without an end it goes on behind the bytes at hand. */
type Member = { end?: number; isWarc: boolean }

/**
 * Length of a compressed WARC file up to its last whole record. Looks at what lies behind `from`, where a record
 * begins or the file ends. Answers `foreign` for what is no such file, and `damaged` where something other than its
 * end is missing: neither is ours to cut.
 */
export async function wholeLength(file: FileHandle, from: number): Promise<number | 'foreign' | 'damaged'> {
  const { size } = await file.stat()
  let end = from
  while (end < size) {
    const member = await memberAt(file, end, size)
    if (member === 'damaged') return end === 0 ? 'foreign' : 'damaged'
    if (!member.isWarc) return 'foreign'
    if (member.end === undefined) return end
    end += member.end
  }
  return end === size ? end : 'damaged'
}

const firstWindow = 32 * 1024

async function memberAt(file: FileHandle, start: number, size: number): Promise<Member | 'damaged'> {
  for (let window = firstWindow; ; window *= 4) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(window, size - start)), 0, null, start)
    const member = await memberIn(buffer.subarray(0, bytesRead))
    if (member === 'damaged' || member.end !== undefined) return member
    if (bytesRead < window) return member
  }
}

async function memberIn(bytes: Buffer): Promise<Member | 'damaged'> {
  if (!gzipStart.subarray(0, bytes.length).equals(bytes.subarray(0, gzipStart.length))) return 'damaged'
  const head = headerLength(bytes)
  // Too little to see what it is; it begins like one of ours.
  if (head > bytes.length) return { isWarc: true }
  const inflated = await inflate(bytes.subarray(head))
  if (inflated === 'damaged') return inflated
  const { content, consumed } = inflated
  const isWarc = warcStart.subarray(0, content.length).equals(content.subarray(0, warcStart.length))
  const trailer = head + consumed
  if (trailer + trailerLength > bytes.length) return { isWarc }
  const isIntact =
    bytes.readUInt32LE(trailer) === crc32(content) && bytes.readUInt32LE(trailer + 4) === content.length % 2 ** 32
  return isIntact ? { isWarc, end: trailer + trailerLength } : 'damaged'
}

const gzipStart = Buffer.from([0x1f, 0x8b, 8])
const warcStart = Buffer.from('WARC/')
const trailerLength = 8
const flags = { headerCrc: 2, extra: 4, name: 8, comment: 16 }

/** Length of a gzip header (RFC 1952, 2.3); more than there is when it is cut. */
function headerLength(bytes: Buffer): number {
  const flag = bytes[3]
  if (flag === undefined) return Infinity
  let length = 10
  if (flag & flags.extra) length += 2 + (length + 2 <= bytes.length ? bytes.readUInt16LE(length) : Infinity)
  for (const text of [flags.name, flags.comment])
    if (flag & text) {
      const end = bytes.indexOf(0, length)
      length = end === -1 ? Infinity : end + 1
    }
  return flag & flags.headerCrc ? length + 2 : length
}

/** As far as the bytes go; `consumed` tells where the compressed data ended. */
function inflate(bytes: Buffer): Promise<{ content: Buffer; consumed: number } | 'damaged'> {
  return new Promise((resolve) => {
    const options = { info: true, finishFlush: constants.Z_SYNC_FLUSH }
    inflateRaw(bytes, options, (error, result) => {
      // With `info` the answer is this pair, which the types do not know.
      const { buffer: content, engine } = (result ?? {}) as unknown as { buffer: Buffer; engine: Zlib }
      resolve(error ? 'damaged' : { content, consumed: engine.bytesWritten })
    })
  })
}
