import { kindOf } from '../../document/kind.ts'
import { isTextKind, kindOfName, typeOfKind, typeOfName } from '../../document/media-types.ts'

/** A file that a page of the session gave, in memory as long as the session lasts. */
export type KeptFile = { id: string; name: string; mediaType: string; bytes: Buffer }
export type ShelfLimits = { fileBytes: number; allBytes: number; files: number }

/** The files of one session, within limits. */
export function createShelf(limits: ShelfLimits) {
  const files = new Map<string, KeptFile>()
  let count = 0

  /** Why a file of that size has no place, beside the others that are coming. */
  function refusal(size: number, coming: readonly number[] = []): string | undefined {
    const sizes = [...[...files.values()].map(({ bytes }) => bytes.length), ...coming]
    const held = sizes.reduce((sum, each) => sum + each, 0)
    if (size > limits.fileBytes) return `it is larger than ${inMb(limits.fileBytes)} MB`
    if (held + size > limits.allBytes) return `the files of a session may have ${inMb(limits.allBytes)} MB in all`
    return sizes.length >= limits.files ? `a session keeps at most ${limits.files} files` : undefined
  }

  return {
    refusal,
    add(name: string, bytes: Buffer): { file: KeptFile } | { why: string } {
      const why = refusal(bytes.length)
      if (why !== undefined) return { why }
      const file = { id: `f${++count}`, name, mediaType: typeOf(name, bytes), bytes }
      files.set(file.id, file)
      return { file }
    },
    find: (id: string) => files.get(id),
    clear: () => files.clear(),
  }
}

const inMb = (bytes: number) => bytes / 1_000_000

/** The bytes say whether it is text; the name, which text. */
function typeOf(name: string, bytes: Uint8Array): string {
  const [held, named] = [kindOf(undefined, bytes, ''), kindOfName(name)]
  const isVague = held === 'binary' || isTextKind(held)
  const byName = named && isVague && isTextKind(named) === isTextKind(held) ? typeOfName(name) : undefined
  return byName ?? typeOfKind(held) ?? 'application/octet-stream'
}
