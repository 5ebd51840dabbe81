import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from '../../browser/cdp/session.ts'

export const mostFiles = 10
/** In all, in bytes. */
export const mostBytes = 20_000_000
/** The browser reads a chosen file when the page asks for it, which may be a while after. */
const keepMs = 10 * 60_000

/** What a page waits for: a file field that somebody pressed. */
export type Chooser = { session: Session; multiple: boolean; backendNodeId: number }
/** Takes the bytes of the files one after the other. */
export type FileUpload = {
  /** False when it is more than was announced. */
  take(chunk: Uint8Array): boolean
  isComplete(): boolean
  files(): { name: string; bytes: Buffer }[]
}

/** Undefined when they may not be that many or that large. */
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

/** Files lie in a folder of their own, which is removed with the tab, or some minutes later. */
export async function setFiles(
  { session, backendNodeId }: Chooser,
  files: readonly { name: string; bytes: Buffer }[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gossamer-upload-'))
  // At once: when the tab ends, the program may end with it.
  const remove = () => rmSync(folder, { recursive: true, force: true })
  setTimeout(remove, keepMs).unref()
  void session.ended.then(remove)
  const names = distinct(files.map(({ name }) => plainName(name)))
  const paths = names.map((name) => join(folder, name))
  await Promise.all(files.map(({ bytes }, at) => writeFile(paths[at]!, bytes, { mode: 0o600 })))
  await session.send('DOM.setFileInputFiles', { files: paths, backendNodeId })
}

/** The name alone: a file may not be written elsewhere. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)?.replaceAll('\0', '') ?? ''
  return /^\.*$/.test(last)
    ? 'file'
    : Buffer.from(last)
        .subarray(0, 200)
        .toString()
        .replace(/\uFFFD+$/, '')
}

function distinct(names: readonly string[]): string[] {
  return names.map((name, at) => (names.indexOf(name) === at ? name : `${at}-${name}`))
}
