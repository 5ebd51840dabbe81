import { inflateSync } from 'node:zlib'
import { textIn } from '../../../util/xml.ts'

/** Metadata embedded in a picture. The location is omitted deliberately, for privacy. */
export type ImageFacts = {
  /** Common name of the format. */
  format: string
  /** Size in pixels, as shown. */
  width?: number | undefined
  height?: number | undefined
  isAnimated?: boolean | undefined
  title?: string | undefined
  description?: string | undefined
  author?: string | undefined
  copyright?: string | undefined
  /** Local time as written in the file, because EXIF has no time zones. */
  date?: string | undefined
  camera?: string | undefined
  software?: string | undefined
  orientation?: string | undefined
  /** Texts drawn in an SVG; other formats contain none. */
  text?: readonly string[]
}
type Embedded = Partial<ImageFacts>

const maxTextBytes = 200_000

/**
 * Reads EXIF, XMP and the text chunks of PNG, each found by its marker, because every format wraps them differently.
 * Earlier sources take precedence.
 */
export function embeddedIn(bytes: Buffer): Embedded & { swapsSides?: boolean } {
  const found = [exifIn(bytes), xmpIn(bytes), ...pngTextsIn(bytes)]
  const known = found.toReversed().flatMap((facts) => Object.entries(facts))
  return Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== ''))
}

const exifMarks: readonly (readonly [mark: string, skipped: number])[] = [
  ['Exif\0\0', 6],
  ['eXIf', 4],
  ['EXIF', 8],
]
const isTiff = (bytes: Buffer) => /^(?:II\*\0|MM\0\*)/.test(bytes.toString('latin1', 0, 4))

function exifIn(bytes: Buffer) {
  const starts = exifMarks.map(([mark, skipped]) => bytes.indexOf(mark, 0, 'latin1') + skipped)
  const tiff = [0, ...starts].map((start) => bytes.subarray(start)).find(isTiff)
  return tiff ? readExif(tiff) : {}
}

const maxEntries = 512
const typeBytes: readonly number[] = [0, 1, 1, 2, 4, 8]
const tags = {
  description: 0x010e,
  maker: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  software: 0x0131,
  date: 0x0132,
  artist: 0x013b,
  copyright: 0x8298,
  exif: 0x8769,
  taken: 0x9003,
  windowsTitle: 0x9c9b,
  windowsComment: 0x9c9c,
} as const

/** Values of EXIF orientation (Exif 3.0, 4.6.5.1.6) that turn or mirror the picture; from 5 on, width and height are swapped. */
const orientations: Readonly<Record<number, string>> = {
  2: 'mirrored',
  3: 'rotated 180°',
  4: 'mirrored and rotated 180°',
  5: 'mirrored and rotated 90° counterclockwise',
  6: 'rotated 90° clockwise',
  7: 'mirrored and rotated 90° clockwise',
  8: 'rotated 90° counterclockwise',
}

/** Reads the first directory of a TIFF structure and its EXIF directory, but not GPS. */
function readExif(tiff: Buffer): Embedded & { swapsSides: boolean } {
  const { u32, directory } = tiffReader(tiff)
  const main = directory(u32(4))
  const exif = directory(main.number(tags.exif))
  const orientation = main.number(tags.orientation)
  return {
    swapsSides: orientation >= 5 && orientation <= 8,
    orientation: orientations[orientation],
    title: main.wide(tags.windowsTitle),
    description: main.text(tags.description) || main.wide(tags.windowsComment),
    author: main.text(tags.artist),
    copyright: main.text(tags.copyright),
    software: main.text(tags.software),
    camera: cameraOf(main.text(tags.maker), main.text(tags.model)),
    date: dateOf(exif.text(tags.taken) || main.text(tags.date)),
  }
}

/** Reads numbers and texts at any offset of untrusted bytes; out-of-range reads return 0 or nothing. */
function tiffReader(tiff: Buffer) {
  const isLittle = tiff[0] === 0x49
  const has = (at: number, length: number) => at >= 0 && at + length <= tiff.length
  const u16 = (at: number) => (has(at, 2) ? (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)) : 0)
  const u32 = (at: number) => (has(at, 4) ? (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)) : 0)
  /** Returns the entries of one directory by tag; empty if its offset is out of range. */
  const directory = (start: number) => {
    const count = start === 0 ? 0 : Math.min(u16(start), maxEntries)
    const places = Array.from({ length: count }, (_, index) => start + 2 + index * 12)
    const entries = new Map(places.map((at) => [u16(at), at]))
    const bytesOf = (tag: number) => {
      const entry = entries.get(tag)
      if (entry === undefined) return Buffer.alloc(0)
      const length = u32(entry + 4) * (typeBytes[u16(entry + 2)] ?? 0)
      const at = length <= 4 ? entry + 8 : u32(entry + 8)
      return tiff.subarray(at, at + Math.min(length, 20_000))
    }
    return {
      number(tag: number): number {
        const entry = entries.get(tag)
        if (entry === undefined) return 0
        return u16(entry + 2) === 3 ? u16(entry + 8) : u32(entry + 8)
      },
      text: (tag: number) => decoded(bytesOf(tag)).trim(),
      /** Windows writes its own fields in UTF-16. */
      wide: (tag: number) =>
        bytesOf(tag)
          .toString('utf16le')
          .replace(/\0[^]*$/, '')
          .trim(),
    }
  }
  return { u32, directory }
}

/** Decodes text up to its first NUL as UTF-8, or as Latin-1 if it is not valid UTF-8. */
function decoded(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  const text = end === -1 ? bytes : bytes.subarray(0, end)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    return text.toString('latin1')
  }
}

function cameraOf(maker: string, model: string): string {
  return model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${maker} ${model}`.trim()
}

/** Converts an EXIF date, which has colons between year, month and day; empty for an unset clock (zeros or blanks). */
function dateOf(written: string): string {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d:\d\d:\d\d)/.exec(written) ?? []
  return year && year !== '0000' ? `${year}-${month}-${day}T${time}` : ''
}

/** Reads the plain Dublin Core properties of an XMP packet, which is designed to be found in unparsed bytes. */
function xmpIn(bytes: Buffer): Embedded {
  const start = bytes.indexOf('<x:xmpmeta')
  if (start === -1) return {}
  const xmp = bytes.toString('utf8', start, start + maxTextBytes).replace(/<\/x:xmpmeta>[^]*/, '')
  return {
    title: property(xmp, 'title'),
    description: property(xmp, 'description'),
    author: property(xmp, 'creator'),
    copyright: property(xmp, 'rights'),
  }
}

/** Returns a property; of texts in several languages, the first. */
function property(xmp: string, name: string): string {
  const start = xmp.search(new RegExp(`<dc:${name}[\\s>]`))
  if (start === -1) return ''
  const end = xmp.indexOf(`</dc:${name}>`, start)
  const value = end === -1 ? '' : xmp.slice(start, Math.min(end, start + 20_000))
  const [, item] = /<rdf:li\b[^<>]*>([^<]*)</.exec(value) ?? []
  return textIn(item ?? value.replace(/<[^<>]*>/g, '')).trim()
}

const maxChunks = 100_000

/** Yields types and bodies of the chunks of a PNG file; nothing for other files. */
export function* pngChunksIn(bytes: Buffer): Generator<readonly [type: string, body: Buffer]> {
  if (bytes[0] !== 0x89) return
  let at = 8
  for (let chunk = 0; chunk < maxChunks && at + 12 <= bytes.length; chunk++) {
    const length = bytes.readUInt32BE(at)
    yield [bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length)]
    at += 12 + length
  }
}

/** Keywords of the PNG specification (11.3.3.2). */
const keywords: Readonly<Record<string, keyof Embedded>> = {
  Title: 'title',
  Description: 'description',
  Comment: 'description',
  Author: 'author',
  Copyright: 'copyright',
  Software: 'software',
  'Creation Time': 'date',
}

function* pngTextsIn(bytes: Buffer): Generator<Embedded> {
  for (const [type, body] of pngChunksIn(bytes)) {
    const end = /^(?:tE|zT|iT)Xt$/.test(type) ? body.indexOf(0) : -1
    const key = end > 0 && end < 80 ? keywords[body.toString('latin1', 0, end)] : undefined
    if (key) yield { [key]: textOf(type, body.subarray(end + 1)).trim() }
  }
}

function textOf(type: string, rest: Buffer): string {
  if (type === 'tEXt') return rest.toString('latin1', 0, maxTextBytes)
  if (type === 'zTXt') return inflated(rest.subarray(1)).toString('latin1')
  const keyword = rest.indexOf(0, rest.indexOf(0, 2) + 1)
  const text = rest.subarray(keyword + 1)
  return decoded(rest[0] === 1 ? inflated(text) : text.subarray(0, maxTextBytes))
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: maxTextBytes })
  } catch {
    return Buffer.alloc(0)
  }
}
