import { crc32, deflateSync } from 'node:zlib'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const u16 = (value: number, order: 'LE' | 'BE') => {
  const bytes = Buffer.alloc(2)
  return (void bytes[`writeUInt16${order}`](value), bytes)
}
const u32 = (value: number, order: 'LE' | 'BE') => {
  const bytes = Buffer.alloc(4)
  return (void bytes[`writeUInt32${order}`](value), bytes)
}

export function pngChunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([latin1(type), body])
  return Buffer.concat([u32(body.length, 'BE'), named, u32(crc32(named), 'BE')])
}
export const png = (width: number, height: number, ...chunks: Buffer[]): Buffer =>
  pngOf([width, height, 2], Buffer.alloc(height * (width * 3 + 1)), chunks)

/** A picture of these pixels, one byte each. */
export function grayPng(width: number, height: number, pixels: Buffer): Buffer {
  const rows = Array.from({ length: height }, (_, y) => pixels.subarray(y * width, (y + 1) * width))
  return pngOf([width, height, 0], Buffer.concat(rows.flatMap((row) => [Buffer.alloc(1), row])))
}

function pngOf([width, height, color]: [number, number, number], data: Buffer, chunks: Buffer[] = []): Buffer {
  const head = Buffer.concat([u32(width, 'BE'), u32(height, 'BE'), Buffer.from([8, color, 0, 0, 0])])
  return Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(data)),
    ...chunks,
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export const jpegSegment = (marker: number, body: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(body.length + 2, 'BE'), body])
export function jpeg(width: number, height: number, ...segments: Buffer[]): Buffer {
  const frame = Buffer.concat([Buffer.from([8]), u16(height, 'BE'), u16(width, 'BE'), Buffer.from([3])])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments,
    jpegSegment(0xdb, Buffer.alloc(65)),
    jpegSegment(0xc2, frame),
    Buffer.from([0xff, 0xda]),
  ])
}

type ExifValue = string | number | Buffer
/** A TIFF structure with one directory, and a second one if the tag 0x8769 is requested. */
export function tiff(
  main: Record<number, ExifValue>,
  exif: Record<number, ExifValue> = {},
  order: 'LE' | 'BE' = 'LE',
): Buffer {
  const start = Buffer.concat([latin1(order === 'LE' ? 'II' : 'MM'), u16(42, order), u32(8, order)])
  const withLink = { ...main, 0x8769: 8 + sizeOf({ ...main, 0x8769: 0 }) }
  return Buffer.concat([start, directory(withLink, 8, order), directory(exif, withLink[0x8769], order)])
}
const bytesOf = (value: ExifValue) => (typeof value === 'string' ? Buffer.from(`${value}\0\0\0\0`) : value)
const sizeOf = (tags: Record<number, ExifValue>) =>
  Object.values(tags).reduce<number>(
    (sum, value) => sum + 12 + (typeof value === 'number' ? 0 : (bytesOf(value) as Buffer).length),
    6,
  )

function directory(tags: Record<number, ExifValue>, at: number, order: 'LE' | 'BE'): Buffer {
  const rows = Object.entries(tags)
  const data: Buffer[] = []
  let next = at + 6 + rows.length * 12
  const entries = rows.map(([tag, value]) => {
    if (typeof value === 'number')
      return Buffer.concat([u16(Number(tag), order), u16(4, order), u32(1, order), u32(value, order)])
    const bytes = bytesOf(value) as Buffer
    const entry = Buffer.concat([u16(Number(tag), order), u16(2, order), u32(bytes.length, order), u32(next, order)])
    data.push(bytes)
    next += bytes.length
    return entry
  })
  return Buffer.concat([u16(rows.length, order), ...entries, u32(0, order), ...data])
}

export function gif(width: number, height: number, frames: number, comment = ''): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  const said = comment
    ? Buffer.concat([Buffer.from([0x21, 0xfe, comment.length]), latin1(comment), Buffer.from([0])])
    : Buffer.alloc(0)
  const control = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0])
  return Buffer.concat([
    latin1('GIF89a'),
    u16(width, 'LE'),
    u16(height, 'LE'),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 9, 9, 9]),
    said,
    ...Array.from({ length: frames }, () => Buffer.concat([control, frame])),
    Buffer.from([0x3b]),
  ])
}

const riffChunk = (type: string, body: Buffer) =>
  Buffer.concat([latin1(type), u32(body.length, 'LE'), body, Buffer.alloc(body.length % 2)])
export const webp = (...chunks: [type: string, body: Buffer][]) =>
  Buffer.concat([latin1('RIFF\0\0\0\0WEBP'), ...chunks.map(([type, body]) => riffChunk(type, body))])
export const vp8x = (width: number, height: number, flags: number) =>
  Buffer.concat([
    Buffer.from([flags, 0, 0, 0]),
    u32(width - 1, 'LE').subarray(0, 3),
    u32(height - 1, 'LE').subarray(0, 3),
  ])
export const vp8 = (width: number, height: number) =>
  Buffer.concat([Buffer.from([0, 0, 0, 0x9d, 1, 0x2a]), u16(width, 'LE'), u16(height, 'LE')])
export const vp8l = (width: number, height: number) =>
  Buffer.concat([Buffer.from([0x2f]), u32((width - 1) | ((height - 1) << 14), 'LE')])

const box = (type: string, body: Buffer) => Buffer.concat([u32(body.length + 8, 'BE'), latin1(type), body])
export function avif(brand: string, ...sizes: [width: number, height: number][]): Buffer {
  const sized = sizes.map(([width, height]) =>
    box('ispe', Buffer.concat([Buffer.alloc(4), u32(width, 'BE'), u32(height, 'BE')])),
  )
  const properties = box('iprp', box('ipco', Buffer.concat([box('pixi', Buffer.alloc(8)), ...sized])))
  return Buffer.concat([
    box('ftyp', latin1(`${brand}\0\0\0\0mif1`)),
    box('meta', Buffer.concat([Buffer.alloc(4), box('hdlr', Buffer.alloc(24)), properties])),
    box('mdat', Buffer.alloc(9)),
  ])
}

export const bmp = (width: number, height: number) =>
  Buffer.concat([
    latin1('BM'),
    u32(70, 'LE'),
    Buffer.alloc(4),
    u32(54, 'LE'),
    u32(40, 'LE'),
    u32(width, 'LE'),
    u32(height >>> 0, 'LE'),
  ])
export const ico = (...sides: number[]) =>
  Buffer.concat([
    Buffer.from([0, 0, 1, 0]),
    u16(sides.length, 'LE'),
    ...sides.map((side) => Buffer.from([side & 255, side & 255, ...Array<number>(14).fill(0)])),
  ])

export const xmp = (inside: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r"><rdf:Description xmlns:dc="d">${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`
