import { type View, viewOf } from './bytes.ts'
import type { ImageFacts } from './facts.ts'

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
