import { crc32, deflateSync } from 'node:zlib'

type Order = 'LE' | 'BE'
const bufferOf = (part: Buffer | string | readonly number[]) =>
  typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)
/** Joins buffers, Latin-1 texts and lists of bytes. */
const join = (...parts: (Buffer | string | readonly number[])[]) => Buffer.concat(parts.map(bufferOf))
const zeros = (count: number) => Buffer.alloc(count)
const bytesIn = (value: number, order: Order, count: number) => {
  const bytes = Array.from({ length: count }, (_, at) => Math.floor(value / 256 ** at) & 255)
  return Buffer.from(order === 'LE' ? bytes : bytes.toReversed())
}
const u16 = (value: number, order: Order) => bytesIn(value, order, 2)
const u32 = (value: number, order: Order) => bytesIn(value, order, 4)

export function pngChunk(type: string, body: Buffer): Buffer {
  const named = join(type, body)
  return join(u32(body.length, 'BE'), named, u32(crc32(named), 'BE'))
}
export const png = (width: number, height: number, ...chunks: Buffer[]): Buffer =>
  pngOf([width, height, 2], Buffer.alloc(height * (width * 3 + 1)), chunks)

/** A picture of these pixels, one byte each. */
export function grayPng(width: number, height: number, pixels: Buffer): Buffer {
  const rows = Array.from({ length: height }, (_, y) => pixels.subarray(y * width, (y + 1) * width))
  return pngOf([width, height, 0], join(...rows.flatMap((row) => [zeros(1), row])))
}

function pngOf([width, height, color]: [number, number, number], data: Buffer, chunks: Buffer[] = []): Buffer {
  const head = pngChunk('IHDR', join(u32(width, 'BE'), u32(height, 'BE'), [8, color, 0, 0, 0]))
  const pixels = pngChunk('IDAT', deflateSync(data))
  return join('\x89PNG\r\n\x1a\n', head, pixels, ...chunks, pngChunk('IEND', zeros(0)))
}

export const jpegSegment = (marker: number, body: Buffer) => join([0xff, marker], u16(body.length + 2, 'BE'), body)
export function jpeg(width: number, height: number, ...segments: Buffer[]): Buffer {
  const frame = jpegSegment(0xc2, join([8], u16(height, 'BE'), u16(width, 'BE'), [3]))
  return join([0xff, 0xd8], ...segments, jpegSegment(0xdb, zeros(65)), frame, [0xff, 0xda])
}

type ExifValue = string | number | Buffer
/** A TIFF structure with one directory, and a second one if the tag 0x8769 is requested. */
export function tiff(
  main: Record<number, ExifValue>,
  exif: Record<number, ExifValue> = {},
  order: Order = 'LE',
): Buffer {
  const start = join(order === 'LE' ? 'II' : 'MM', u16(42, order), u32(8, order))
  const withLink = { ...main, 0x8769: 8 + sizeOf({ ...main, 0x8769: 0 }) }
  return join(start, directory(withLink, 8, order), directory(exif, withLink[0x8769], order))
}
const bytesOf = (value: ExifValue) => (typeof value === 'string' ? Buffer.from(`${value}\0\0\0\0`) : value)
const sizeOf = (tags: Record<number, ExifValue>) =>
  Object.values(tags).reduce<number>(
    (sum, value) => sum + 12 + (typeof value === 'number' ? 0 : (bytesOf(value) as Buffer).length),
    6,
  )

function directory(tags: Record<number, ExifValue>, at: number, order: Order): Buffer {
  const rows = Object.entries(tags)
  const data: Buffer[] = []
  let next = at + 6 + rows.length * 12
  const entries = rows.map(([tag, value]) => {
    const entryOf = (type: number, count: number, last: number) =>
      join(u16(Number(tag), order), u16(type, order), u32(count, order), u32(last, order))
    if (typeof value === 'number') return entryOf(4, 1, value)
    const bytes = bytesOf(value) as Buffer
    const entry = entryOf(2, bytes.length, next)
    data.push(bytes)
    next += bytes.length
    return entry
  })
  return join(u16(rows.length, order), ...entries, u32(0, order), ...data)
}

export function gif(width: number, height: number, frames: number, comment = ''): Buffer {
  const head = join('GIF89a', u16(width, 'LE'), u16(height, 'LE'), [0x80, 0, 0, 0, 0, 0, 9, 9, 9])
  const note = comment ? join([0x21, 0xfe, comment.length], comment, [0]) : zeros(0)
  const control = [0x21, 0xf9, 4, 0, 0, 0, 0, 0]
  const frame = join(control, [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return join(head, note, ...Array.from({ length: frames }, () => frame), [0x3b])
}

const riffChunk = (type: string, body: Buffer) => join(type, u32(body.length, 'LE'), body, zeros(body.length % 2))
export const webp = (...chunks: [type: string, body: Buffer][]) =>
  join('RIFF\0\0\0\0WEBP', ...chunks.map(([type, body]) => riffChunk(type, body)))
export const vp8x = (width: number, height: number, flags: number) =>
  join([flags, 0, 0, 0], bytesIn(width - 1, 'LE', 3), bytesIn(height - 1, 'LE', 3))
export const vp8 = (width: number, height: number) =>
  join([0, 0, 0, 0x9d, 1, 0x2a], u16(width, 'LE'), u16(height, 'LE'))
export const vp8l = (width: number, height: number) => join([0x2f], u32((width - 1) | ((height - 1) << 14), 'LE'))

const box = (type: string, ...body: Buffer[]) => join(u32(join(...body).length + 8, 'BE'), type, ...body)
export function avif(brand: string, ...sizes: [width: number, height: number][]): Buffer {
  const sized = sizes.map(([width, height]) => box('ispe', zeros(4), u32(width, 'BE'), u32(height, 'BE')))
  const properties = box('iprp', box('ipco', box('pixi', zeros(8)), ...sized))
  const meta = box('meta', zeros(4), box('hdlr', zeros(24)), properties)
  return join(box('ftyp', join(`${brand}\0\0\0\0mif1`)), meta, box('mdat', zeros(9)))
}

export const bmp = (width: number, height: number) =>
  join('BM', ...[70, 0, 54, 40, width, height].map((value) => u32(value, 'LE')))
export const ico = (...sides: number[]) =>
  join([0, 0, 1, 0], u16(sides.length, 'LE'), ...sides.map((side) => join([side & 255, side & 255], zeros(14))))

export const xmp = (inside: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r"><rdf:Description xmlns:dc="d">${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`
