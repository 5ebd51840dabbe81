import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { gunzip, isGzip } from '../../../../util/bytes/gzip.ts'

/** Level 1 packs HTML as tightly as level 3 within a percent and writes a third faster. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Below it a compressor costs more to make than it saves. */
const leastPacked = 512

/** Packs into a frame of zstd; what is short stands in it as it is. */
export function pack(content: Uint8Array): Uint8Array {
  return content.byteLength < leastPacked ? plainFrame(content) : zstdCompressSync(content, packing)
}

const magic = 0xfd2fb528
/** Of frame and block. */
const headerBytes = 12
/** The size of the content follows in four bytes, and no window does. */
const singleSegment = 0xa0
/** Of a block of bytes as they are, with which the frame ends; its size stands above. */
const lastRawBlock = 1

/** A frame around one raw block (RFC 8878, 3.1.1): whoever unpacks zstd reads it. */
function plainFrame(content: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafeSlow(headerBytes + content.byteLength)
  frame.writeUInt32LE(magic, 0)
  frame.writeUInt8(singleSegment, 4)
  frame.writeUInt32LE(content.byteLength, 5)
  frame.writeUIntLE((content.byteLength << 3) | lastRawBlock, 9, 3)
  frame.set(content, headerBytes)
  return frame
}

/** What stands in such a frame; undefined of any other. */
function plainContent(frame: Uint8Array): Uint8Array | undefined {
  if (frame.byteLength < headerBytes || frame.byteLength > headerBytes + leastPacked) return undefined
  const { buffer, byteOffset, byteLength } = frame
  const view = new DataView(buffer, byteOffset, byteLength)
  const size = byteLength - headerBytes
  const isPlain =
    view.getUint32(0, true) === magic &&
    view.getUint8(4) === singleSegment &&
    view.getUint32(5, true) === size &&
    (view.getUint16(9, true) | (view.getUint8(11) << 16)) === ((size << 3) | lastRawBlock)
  return isPlain ? frame.subarray(headerBytes) : undefined
}

/** The least that Node takes for a chunk. */
const leastChunk = 64
/** What is larger comes in several chunks. */
const mostChunk = 16 * 2 ** 20

/** Bytes that a gzip may become: what is stored as one is a page that was read already. */
const mostUnzipped = 64 * 2 ** 20

/**
 * Unpacks a frame of zstd, or the gzip that a page came in. Into one buffer of the right size: in chunks of the usual 16 kB, put
 * together afterwards, it takes half as long again.
 */
export function unpack(frame: Uint8Array): Uint8Array {
  if (isGzip(frame)) return gunzip(frame, mostUnzipped)
  const plain = plainContent(frame)
  if (plain) return plain
  const size = contentSize(frame)
  if (size === undefined) return zstdDecompressSync(frame)
  return zstdDecompressSync(frame, { chunkSize: Math.min(mostChunk, Math.max(leastChunk, size)) })
}

/** How long the content of a zstd frame is, in bytes, if its header says so (RFC 8878, 3.1.1.1). */
function contentSize(frame: Uint8Array): number | undefined {
  const { buffer, byteOffset, byteLength } = frame
  if (byteLength < 14) return undefined
  const view = new DataView(buffer, byteOffset, byteLength)
  const descriptor = view.getUint8(4)
  const isSingle = (descriptor & 0x20) !== 0
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  const flag = descriptor >> 6
  if (flag === 0) return isSingle ? view.getUint8(at) : undefined
  if (flag === 1) return view.getUint16(at, true) + 256
  return flag === 2 ? view.getUint32(at, true) : undefined
}
