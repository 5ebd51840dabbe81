/** What a picture says of itself. Where it was taken is left out on purpose: it is not for others to spread. */
export type ImageFacts = {
  /** The name of the format, as people know it. */
  format: string
  /** Pixels, as shown. */
  width?: number | undefined
  height?: number | undefined
  isAnimated?: boolean | undefined
  title?: string | undefined
  description?: string | undefined
  author?: string | undefined
  copyright?: string | undefined
  /** As written in the file: EXIF knows no time zones. */
  date?: string | undefined
  camera?: string | undefined
  software?: string | undefined
  orientation?: string | undefined
  /** Words drawn in the picture, one paragraph each; only SVG has them as text. */
  text?: readonly string[]
}
/** Facts without a format, from a part that many formats can hold. */
export type ImageMetadata = Partial<Omit<ImageFacts, 'format'>>

/** The first that says something of each fact. */
export function merged<F extends ImageMetadata>(first: F, ...others: readonly ImageMetadata[]): F {
  const said = [first, ...others].toReversed().flatMap((facts) => Object.entries(facts))
  return Object.fromEntries(said.filter(([, value]) => value !== undefined && value !== '')) as F
}

/** Numbers and texts at any offset of untrusted bytes; what lies outside reads as 0 or nothing. */
export type BinaryView = {
  length: number
  u8(at: number): number
  u16(at: number): number
  u32(at: number): number
  /** One character a byte. */
  ascii(at: number, length: number): string
  /** A text up to its first NUL, in UTF-8, or in Latin-1 where it is none. */
  text(at: number, length: number): string
  part(at: number, length: number): Uint8Array
}

const maxTextBytes = 20_000

export function binaryView(bytes: Uint8Array, order: 'big' | 'little'): BinaryView {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLittle = order === 'little'
  const has = (at: number, length: number) => at >= 0 && at + length <= bytes.length
  const part = (at: number, length: number) => bytes.subarray(Math.max(0, at), Math.max(0, at + Math.max(0, length)))
  return {
    length: bytes.length,
    u8: (at) => (has(at, 1) ? data.getUint8(at) : 0),
    u16: (at) => (has(at, 2) ? data.getUint16(at, isLittle) : 0),
    u32: (at) => (has(at, 4) ? data.getUint32(at, isLittle) : 0),
    ascii: (at, length) => Buffer.from(part(at, length)).toString('latin1'),
    text: (at, length) => decoded(part(at, Math.min(length, maxTextBytes))),
    part,
  }
}

export function decoded(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  const text = end === -1 ? bytes : bytes.subarray(0, end)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    return Buffer.from(text).toString('latin1')
  }
}
