import type { Session } from '../../browser/cdp/session.ts'
import { mostBytes } from '../page/set-files.ts'

export const mostFiles = 10

/** A file chooser that a page has opened. */
export type Chooser = { session: Session; multiple: boolean; backendNodeId: number }
/** Receives the bytes of the announced files, one after the other. */
export type FileUpload = {
  /** False when there are more bytes than announced. */
  take(chunk: Uint8Array): boolean
  isComplete(): boolean
  files(): { name: string; bytes: Buffer }[]
}

/** Undefined when the files are too many or too large. */
export function createFileUpload(
  announced: readonly { name: string; size: number }[],
  { multiple }: Pick<Chooser, 'multiple'>,
): FileUpload | undefined {
  const total = announced.reduce((sum, { size }) => sum + size, 0)
  if (total > mostBytes || announced.length > (multiple ? mostFiles : 1)) return undefined
  let parts: readonly Uint8Array[] = []
  let held = 0
  return {
    take(chunk) {
      held += chunk.length
      parts = [...parts, chunk]
      return held <= total
    },
    isComplete: () => held === total,
    files() {
      const all = Buffer.concat(parts)
      let at = 0
      return announced.map(({ name, size }) => ({ name, bytes: all.subarray(at, (at += size)) }))
    },
  }
}
