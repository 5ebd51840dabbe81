import { readExif, readXmp } from './exif.ts'
import { type ImageFacts, merged, type Said, type View, viewOf } from './facts.ts'

const maxBoxes = 5000

/** Reads the boxes of an AVIF file (ISO 14496-12); the largest of its pictures is the one shown. */
export function readAvif(bytes: Uint8Array): ImageFacts {
  const view = viewOf(bytes, 'big')
  const sizes = [...sizesIn(view)].map((at) => ({ width: view.u32(at + 4), height: view.u32(at + 8) }))
  const [largest] = sizes.toSorted((one, other) => other.width * other.height - one.width * one.height)
  return { format: 'AVIF', ...largest, isAnimated: view.ascii(8, 4) === 'avis' }
}

/** Boxes that lead to sizes, and the bytes from their start to their first child. All others are stepped over. */
const parents: Readonly<Record<string, number>> = { meta: 12, iprp: 8, ipco: 8 }

function* sizesIn(view: View): Generator<number> {
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
  const view = viewOf(bytes, 'little')
  const said: Said[] = []
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

function endOfBlocks(view: View, start: number): number {
  let at = start
  while (at < view.length && view.u8(at) !== 0) at += view.u8(at) + 1
  return at + 1
}

const maxChunks = 10_000

/** Reads the chunks of a WebP file (RFC 9649). */
export function readWebp(bytes: Uint8Array): ImageFacts {
  const view = viewOf(bytes, 'little')
  const said: Said[] = []
  let at = 12
  for (let chunk = 0; chunk < maxChunks && at + 8 <= view.length; chunk++) {
    const type = view.ascii(at, 4)
    const length = view.u32(at + 4)
    const body = at + 8
    said.push(saidBy(view, type, body, length))
    at = body + length + (length % 2)
  }
  return merged<ImageFacts>({ format: 'WebP' }, ...said)
}

function saidBy(view: View, type: string, body: number, length: number): Said {
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

const u24 = (view: View, at: number) => view.u16(at) + view.u8(at + 2) * 0x10000

const losslessSize = (packed: number) => ({ width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 })
