import { inflateSync } from 'node:zlib'
import { type ExifFacts, readExif, readXmp } from './exif.ts'
import { decoded, type ImageFacts, merged, type ImageMetadata, type BinaryView, binaryView } from './image-facts.ts'

const maxBoxes = 5000

/** Reads the boxes of an AVIF file (ISO 14496-12); the largest of its pictures is the one shown. */
export function readAvif(bytes: Uint8Array): ImageFacts {
  const view = binaryView(bytes, 'big')
  const sizes = [...sizesIn(view)].map((at) => ({ width: view.u32(at + 4), height: view.u32(at + 8) }))
  const [largest] = sizes.toSorted((one, other) => other.width * other.height - one.width * one.height)
  return { format: 'AVIF', ...largest, isAnimated: view.ascii(8, 4) === 'avis' }
}

/** Boxes that lead to sizes, and the bytes from their start to their first child. All others are stepped over. */
const parents: Readonly<Record<string, number>> = { meta: 12, iprp: 8, ipco: 8 }

function* sizesIn(view: BinaryView): Generator<number> {
  let at = 0
  for (let box = 0; box < maxBoxes && at + 8 <= view.length; box++) {
    const type = view.ascii(at + 4, 4)
    if (type === 'ispe') yield at + 8
    // A length of 1 stands for one of 64 bits, 0 for the rest of the file: boxes of sizes have neither.
    at += parents[type] ?? Math.max(8, view.u32(at))
  }
}

const tableBytes = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/** Reads blocks (GIF89a) until there is a second picture. */
export function readGif(bytes: Uint8Array): ImageFacts {
  const view = binaryView(bytes, 'little')
  const said: ImageMetadata[] = []
  let frames = 0
  let at = 13 + tableBytes(view.u8(10))
  while (at < view.length && frames < 2) {
    const kind = view.u8(at)
    if (kind === 0x2c) {
      frames++
      at = endOfBlocks(view, at + 11 + tableBytes(view.u8(at + 9)))
    } else if (kind === 0x21) {
      if (view.u8(at + 1) === 0xfe) said.push({ description: view.text(at + 3, view.u8(at + 2)).trim() })
      at = endOfBlocks(view, at + 2)
    } else break
  }
  return merged({ format: 'GIF', width: view.u16(6), height: view.u16(8), isAnimated: frames > 1 }, ...said)
}

function endOfBlocks(view: BinaryView, start: number): number {
  let at = start
  while (at < view.length && view.u8(at) !== 0) at += view.u8(at) + 1
  return at + 1
}

const maxWebpChunks = 10_000

/** Reads the chunks of a WebP file (RFC 9649). */
export function readWebp(bytes: Uint8Array): ImageFacts {
  const view = binaryView(bytes, 'little')
  const said: ImageMetadata[] = []
  let at = 12
  for (let chunk = 0; chunk < maxWebpChunks && at + 8 <= view.length; chunk++) {
    const type = view.ascii(at, 4)
    const length = view.u32(at + 4)
    const body = at + 8
    said.push(saidBy(view, type, body, length))
    at = body + length + (length % 2)
  }
  return merged<ImageFacts>({ format: 'WebP' }, ...said)
}

function saidBy(view: BinaryView, type: string, body: number, length: number): ImageMetadata {
  if (type === 'VP8X')
    return { width: u24(view, body + 4) + 1, height: u24(view, body + 7) + 1, isAnimated: (view.u8(body) & 2) !== 0 }
  if (type === 'VP8 ') return { width: view.u16(body + 6) & 0x3fff, height: view.u16(body + 8) & 0x3fff }
  if (type === 'VP8L') return losslessSize(view.u32(body + 1))
  if (type === 'XMP ') return readXmp(Buffer.from(view.part(body, length)).toString('utf8'))
  if (type !== 'EXIF') return {}
  const start = view.ascii(body, 6) === 'Exif\0\0' ? 6 : 0
  const { width: _, height: _height, swapsSides: _swaps, ...said } = readExif(view.part(body + start, length - start))
  return said
}

const u24 = (view: BinaryView, at: number) => view.u16(at) + view.u8(at + 2) * 0x10000

const losslessSize = (packed: number) => ({ width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 })

const maxSegments = 2000
const exifMark = 'Exif\0\0'
const xmpMark = 'http://ns.adobe.com/xap/1.0/\0'

/** Reads the segments before the picture itself (ITU T.81, annex B). */
export function readJpeg(bytes: Uint8Array): ImageFacts {
  const view = binaryView(bytes, 'big')
  const said: ImageMetadata[] = []
  let exif: ExifFacts = { swapsSides: false }
  let size: Pick<ImageMetadata, 'width' | 'height'> = {}
  for (const { marker, start, length } of segmentsOf(view)) {
    if (isFrame(marker)) size = { height: view.u16(start + 1), width: view.u16(start + 3) }
    if (marker === 0xfe) said.push({ description: view.text(start, length).trim() })
    if (marker !== 0xe1) continue
    if (view.ascii(start, 6) === exifMark) exif = readExif(view.part(start + 6, length - 6))
    if (view.ascii(start, xmpMark.length) === xmpMark)
      said.unshift(readXmp(Buffer.from(view.part(start + xmpMark.length, length)).toString('utf8')))
  }
  const { swapsSides, width: _, height: _height, ...other } = exif
  const shown = swapsSides ? { width: size.height, height: size.width } : size
  return merged<ImageFacts>({ format: 'JPEG', ...shown }, other, ...said)
}

function* segmentsOf(view: BinaryView): Generator<{ marker: number; start: number; length: number }> {
  let at = 2
  for (let segment = 0; segment < maxSegments && at + 4 <= view.length; segment++) {
    // Any number of 0xFF may fill the space before a marker.
    while (view.u8(at) === 0xff && view.u8(at + 1) === 0xff) at++
    const marker = view.u8(at + 1)
    if (view.u8(at) !== 0xff || marker === 0xda || marker === 0xd9) return
    const length = Math.max(2, view.u16(at + 2)) - 2
    yield { marker, start: at + 4, length }
    at += 4 + length
  }
}

/** Start of frame; three markers in its range are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const maxPngChunks = 100_000
const maxTextBytes = 200_000
/** Keywords of the PNG specification (11.3.3.2). */
const keywords: Readonly<Record<string, keyof ImageMetadata>> = {
  Title: 'title',
  Description: 'description',
  Comment: 'description',
  Author: 'author',
  Copyright: 'copyright',
  Software: 'software',
  'Creation Time': 'date',
}

export function readPng(bytes: Uint8Array): ImageFacts {
  const view = binaryView(bytes, 'big')
  const said: ImageMetadata[] = []
  let isAnimated = false
  let at = 8
  for (let chunk = 0; chunk < maxPngChunks && at + 12 <= view.length; chunk++) {
    const length = view.u32(at)
    const type = view.ascii(at + 4, 4)
    const body = () => bytes.subarray(at + 8, Math.min(at + 8 + length, bytes.length))
    if (type === 'acTL') isAnimated = view.u32(at + 8) > 1
    else if (type === 'eXIf') said.push(exifOf(body()))
    else if (/^(?:tEXt|iTXt|zTXt)$/.test(type)) said.push(textOf(type, body()))
    else if (type === 'IEND') break
    at += 12 + length
  }
  return merged({ format: isAnimated ? 'APNG' : 'PNG', ...sizeOf(view), isAnimated }, ...said)
}

const sizeOf = (view: BinaryView) => (view.ascii(12, 4) === 'IHDR' ? { width: view.u32(16), height: view.u32(20) } : {})

function exifOf(bytes: Uint8Array): ImageMetadata {
  const { width: _, height: _height, swapsSides: _swaps, ...said } = readExif(bytes)
  return said
}

function textOf(type: string, body: Uint8Array): ImageMetadata {
  const end = body.indexOf(0)
  if (end < 1 || end > 79) return {}
  const keyword = Buffer.from(body.subarray(0, end)).toString('latin1')
  const value = valueOf(type, body.subarray(end + 1))
  if (keyword === 'XML:com.adobe.xmp') return readXmp(value)
  const key = keywords[keyword]
  return key ? { [key]: value.trim() } : {}
}

function valueOf(type: string, rest: Uint8Array): string {
  if (type === 'tEXt') return Buffer.from(rest.subarray(0, maxTextBytes)).toString('latin1')
  if (type === 'zTXt') return Buffer.from(inflated(rest.subarray(1))).toString('latin1')
  const language = rest.indexOf(0, 2)
  const keyword = language === -1 ? -1 : rest.indexOf(0, language + 1)
  if (keyword === -1) return ''
  const text = rest.subarray(keyword + 1)
  return decoded(rest[0] === 1 ? inflated(text) : text.subarray(0, maxTextBytes))
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: maxTextBytes })
  } catch {
    return new Uint8Array()
  }
}
