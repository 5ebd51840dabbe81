import { type ExifFacts, readExif, readXmp } from './exif.ts'
import { type ImageFacts, merged, type Said, type View, viewOf } from './facts.ts'

const maxSegments = 2000
const exifMark = 'Exif\0\0'
const xmpMark = 'http://ns.adobe.com/xap/1.0/\0'

/** Reads the segments before the picture itself (ITU T.81, annex B). */
export function readJpeg(bytes: Uint8Array): ImageFacts {
  const view = viewOf(bytes, 'big')
  const said: Said[] = []
  let exif: ExifFacts = { swapsSides: false }
  let size: Pick<Said, 'width' | 'height'> = {}
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

function* segmentsOf(view: View): Generator<{ marker: number; start: number; length: number }> {
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
