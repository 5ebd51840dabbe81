import { type View, viewOf } from './bytes.ts'
import { type ImageFacts, merged, type Said } from './facts.ts'

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
