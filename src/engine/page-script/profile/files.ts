import type { FileState, OriginState } from '../../../contracts/profile-state.ts'
import { fromBase64, toBase64 } from './values.ts'

/** `text` is a JSON array. */
export type CollectedFiles = { text: string; tooLarge: number; unreadable: number }

/** Exports the origin private file system, without the files that do not fit. Plain http has none. */
export async function collectFiles(maxChars: number): Promise<CollectedFiles> {
  const texts: string[] = []
  const missed = { tooLarge: 0, unreadable: 0 }
  let room = maxChars
  if (isSecureContext) await walk(await navigator.storage.getDirectory(), '')
  return { text: `[${texts.join(',')}]`, ...missed }

  async function walk(folder: FileSystemDirectoryHandle, above: string): Promise<void> {
    for await (const [name, handle] of folder.entries()) {
      const path = above + name
      if (handle instanceof FileSystemFileHandle) {
        await take(handle, path).catch(() => void (missed.unreadable += 1))
        continue
      }
      keep({ path, type: 'directory' })
      await walk(handle as FileSystemDirectoryHandle, `${path}/`)
    }
  }

  async function take(handle: FileSystemFileHandle, path: string): Promise<void> {
    const file = await handle.getFile()
    // Base64 takes four characters for three bytes.
    if ((file.size / 3) * 4 > room) missed.tooLarge += 1
    else keep({ path, type: 'file', base64: toBase64(new Uint8Array(await file.arrayBuffer())) })
  }

  function keep(entry: FileState): void {
    const text = JSON.stringify(entry)
    texts.push(text)
    room -= text.length
  }
}

/** Writes the files of a JSON array, and returns how many failed. */
export async function restoreFiles(text: string): Promise<number> {
  const entries = JSON.parse(text) as FileState[]
  if (!isSecureContext) return entries.length
  const root = await navigator.storage.getDirectory()
  let failed = 0
  for (const entry of entries) await write(entry).catch(() => (failed += 1))
  return failed

  async function write({ path, type, base64 = '' }: FileState): Promise<void> {
    const names = path.split('/')
    const last = type === 'file' ? names.pop() : undefined
    let folder = root
    for (const name of names) folder = await folder.getDirectoryHandle(name, { create: true })
    if (last === undefined) return
    const handle = await folder.getFileHandle(last, { create: true })
    const stream = await handle.createWritable()
    await stream.write(fromBase64(base64))
    await stream.close()
  }
}

type Items = OriginState['localStorage']

/** Exports localStorage. Read by index: an item may have the name of a method of the storage. */
export function collectItems(): Items {
  const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '')
  return names.map((name) => ({ name, value: localStorage.getItem(name) ?? '' }))
}

/** Sets the items of a JSON array, and returns how many failed, for lack of room. */
export function restoreItems(text: string): number {
  let failed = 0
  for (const { name, value } of JSON.parse(text) as Items) {
    try {
      localStorage.setItem(name, value)
    } catch {
      failed += 1
    }
  }
  return failed
}
