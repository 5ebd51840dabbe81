import { type View, viewOf } from './bytes.ts'
import { type ImageFacts, merged, type Said } from './facts.ts'
import { readExif } from './exif.ts'
import { readXmp } from './xmp.ts'

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
