import { viewOf } from './bytes.ts'
import { readExif } from './exif.ts'
import { type ImageFacts, merged } from './facts.ts'

export function readBmp(bytes: Uint8Array): ImageFacts {
  const view = viewOf(bytes, 'little')
  if (view.u32(14) === 12) return { format: 'BMP', width: view.u16(18), height: view.u16(20) }
  // A height below zero means that rows go from top to bottom.
  return { format: 'BMP', width: Math.abs(view.u32(18) | 0), height: Math.abs(view.u32(22) | 0) }
}

/** The largest of the pictures in an icon; a side of 0 stands for 256. */
export function readIco(bytes: Uint8Array): ImageFacts {
  const view = viewOf(bytes, 'little')
  const count = Math.min(view.u16(4), 256)
  const sizes = Array.from({ length: count }, (_, index) => ({
    width: view.u8(6 + index * 16) || 256,
    height: view.u8(7 + index * 16) || 256,
  }))
  return { format: 'ICO', ...sizes.toSorted((one, other) => other.width - one.width)[0] }
}

export function readTiff(bytes: Uint8Array): ImageFacts {
  const { swapsSides, width, height, ...said } = readExif(bytes)
  return merged({ format: 'TIFF', ...(swapsSides ? { width: height, height: width } : { width, height }) }, said)
}
