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

/** Decodes base64 that comes in pieces, as Buffer does the whole: it ends at the first `=`, and what is not base64 is left out. */
type Base64Writer = {
  write(text: string): void
  /** How many bytes it came to. */
  end(): number
}

/**
 * Writes to the beginning of `target`, which may be where the text itself stands: four characters become three bytes, so that
 * what was not read yet is never reached.
 */
export function base64Writer(target: Buffer): Base64Writer {
  let [at, open, hasEnded] = [0, '', false]
  return {
    write(text) {
      if (hasEnded) return
      const padding = text.indexOf('=')
      hasEnded = padding !== -1
      const letters = open + (hasEnded ? text.slice(0, padding) : text).replace(/[^\w+/-]+/g, '')
      const whole = letters.length - (letters.length % 4)
      at += target.write(letters.slice(0, whole), at, 'base64')
      open = letters.slice(whole)
    },
    end() {
      at += target.write(open, at, 'base64')
      open = ''
      return at
    },
  }
}

/** The bytes that Buffer expects of a text in base64, whatever it then makes of it. */
export function expectedBytes(length: number, end: string): number {
  const padding = /={0,2}$/.exec(end.slice(-2))?.[0].length ?? 0
  return Math.floor(((length - padding) * 3) / 4)
}

export type Bytes = Uint8Array<ArrayBuffer>

/**
 * A file that was sent, held once: whoever takes its bytes has them alone, and nothing is left here for those that still hold
 * the input they came with. JSON shows it in base64, as it goes over the wire.
 */
export class FileBytes {
  readonly #size: number
  #bytes: Bytes | undefined

  /** Bytes in a buffer of their own, which is given up. */
  constructor(bytes: Bytes) {
    const { buffer, byteOffset, byteLength } = bytes
    this.#size = byteLength
    this.#bytes = new Uint8Array(buffer.transfer(), byteOffset, byteLength)
  }

  get byteLength(): number {
    return this.#size
  }

  /** Fails where they were taken before. */
  take(): Bytes {
    const bytes = this.#bytes
    if (!bytes) throw new Error('The bytes of this file have been taken.')
    this.#bytes = undefined
    return bytes
  }

  toJSON(): string {
    const { buffer, byteOffset, byteLength } = this.#bytes ?? new Uint8Array()
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  }
}

/** The bytes of a file, or of its base64, in a buffer of their own. */
export function bytesOf(content: FileBytes | string): Bytes {
  if (typeof content !== 'string') return content.take()
  const room = Buffer.alloc(Buffer.byteLength(content, 'base64'))
  return room.subarray(0, room.write(content, 'base64'))
}

/**
 * Frees the memory of bytes that nobody needs any more, although somebody may still hold a view of them. Never while they are
 * written somewhere: the system would read what is there instead.
 */
export function letGo({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
