import type { Session } from '../browser/cdp/cdp-session.ts'
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Size limit in bytes of all files together. */
export const maxBytes = 20_000_000
/** Storage time in ms: the browser reads a chosen file only when the page does, possibly minutes later. */
const keepMs = 10 * 60_000

export type FileBytes = { name: string; bytes: Buffer }

export async function setFiles(
  session: Session,
  field: { backendNodeId: number } | { objectId: string },
  files: readonly FileBytes[],
  signal?: AbortSignal,
): Promise<void> {
  await session.send('DOM.setFileInputFiles', { files: await storeFiles(session, files), ...field }, signal)
}

/** Writes files to a temporary folder, which is removed when the tab closes or after `keepMs`; returns their paths. */
export async function storeFiles(session: Session, files: readonly FileBytes[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gossamer-upload-'))
  // Synchronous, because the program may exit when the tab closes.
  const remove = () => rmSync(folder, { recursive: true, force: true })
  setTimeout(remove, keepMs).unref()
  void session.ended.then(remove)
  const names = distinct(files.map(({ name }) => plainName(name)))
  const paths = names.map((name) => join(folder, name))
  await Promise.all(files.map(({ bytes }, at) => writeFile(paths[at]!, bytes, { mode: 0o600 })))
  return paths
}

/** Returns the base name of a file, so it cannot be written outside the folder. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)?.replaceAll('\0', '') ?? ''
  const short = Buffer.from(last).subarray(0, 200).toString()
  return /^\.*$/.test(last) ? 'file' : short.replace(/\uFFFD+$/, '')
}

const distinct = (names: readonly string[]) =>
  names.map((name, at) => (names.indexOf(name) === at ? name : `${at}-${name}`))

export const maxFiles = 10

export type Chooser = { session: Session; multiple: boolean; backendNodeId: number }

/** Reports the file choosers of a session while they are intercepted. */
export function watchChoosers(session: Session, opened: (chooser: Chooser) => void): void {
  session.on('Page.fileChooserOpened', ({ mode, backendNodeId }) => {
    if (backendNodeId !== undefined) opened({ session, multiple: mode === 'selectMultiple', backendNodeId })
  })
}

/** Receives the bytes of the announced files, one file after the other. */
export type FileUpload = NonNullable<ReturnType<typeof createFileUpload>>

/** Returns undefined if there are too many files or if they are too large. */
export function createFileUpload(
  announced: readonly { name: string; size: number }[],
  { multiple }: Pick<Chooser, 'multiple'>,
) {
  const total = announced.reduce((sum, { size }) => sum + size, 0)
  if (total > maxBytes || announced.length > (multiple ? maxFiles : 1)) return undefined
  let parts: readonly Uint8Array[] = []
  let received = 0
  return {
    /** Returns false if more bytes arrive than announced. */
    take(chunk: Uint8Array): boolean {
      received += chunk.length
      parts = [...parts, chunk]
      return received <= total
    },
    isComplete: () => received === total,
    files() {
      const all = Buffer.concat(parts)
      let at = 0
      return announced.map(({ name, size }) => ({ name, bytes: all.subarray(at, (at += size)) }))
    },
  }
}
