import { constants, gunzipSync } from 'node:zlib'

/** RFC 1952, 2.2: the shortest there is has a header of 10 bytes, an empty block of 2 and the trailer. */
const leastBytes = 20
export const gzipTrailerLength = 8

/** Whether bytes begin as a gzip does. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8

/** Where the packed bytes of a gzip begin (RFC 1952, 2.3): the optional fields are as long as its flags say. */
export function gzipHeaderLength(bytes: Uint8Array): number {
  const flags = bytes[3] ?? 0
  let at = 10
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf(0, at) + 1 || bytes.length
  return flags & 2 ? at + 2 : at
}

/**
 * Decodes a gzip whose content has at most `maxBytes`; throws where it is broken or longer. In one buffer of the size that its
 * trailer tells this takes a quarter less time than in chunks of 16 kB. The trailer may lie, or there may be several parts, so
 * nothing relies on it.
 */
export function gunzip(gzip: Uint8Array, maxBytes: number): Uint8Array {
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, Math.min(maxBytes, saidSize(gzip) + 1))
  return gunzipSync(gzip, { maxOutputLength: maxBytes, chunkSize })
}

function saidSize(gzip: Uint8Array): number {
  if (gzip.byteLength < leastBytes) return 0
  const trailer = new DataView(gzip.buffer, gzip.byteOffset + gzip.byteLength - gzipTrailerLength, gzipTrailerLength)
  return trailer.getUint32(4, true)
}

const gzips = new WeakMap<Uint8Array, Uint8Array>()

/** Notes the gzip that bytes were decoded from, for as long as somebody holds the bytes. Neither may be changed afterwards. */
export function noteGzip(bytes: Uint8Array, gzip: Uint8Array): void {
  gzips.set(bytes, gzip)
}

/** What the bytes were decoded from, if that was noted. */
export const gzipOf = (bytes: Uint8Array): Uint8Array | undefined => gzips.get(bytes)
