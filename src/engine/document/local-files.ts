import { open, realpath } from 'node:fs/promises'
import { basename, relative, isAbsolute, sep } from 'node:path'
import { fail } from '../../core/error.ts'
import type { Files } from '../../core/ports.ts'

/**
 * Reads files below the allowed folders. Links are followed before that is decided, so none leads out of them; a path
 * outside is refused the same way whether there is a file or not.
 */
export function createLocalFiles(folders: readonly string[], maxBytes: number): Files {
  return {
    async read(path) {
      const file = await realpath(path).catch(() => undefined)
      const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
      if (!allowed.some((folder) => folder !== undefined && isBelow(file ?? path, folder))) fail('FILE_NOT_ALLOWED')
      if (file === undefined) return fail('FILE_NOT_FOUND')
      return { filename: basename(path), bytes: await bytesOf(file, maxBytes) }
    },
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The size is taken from the open file, so that it cannot change in between; pipes and devices have no end. */
async function bytesOf(file: string, maxBytes: number): Promise<Uint8Array> {
  await using handle = await open(file, 'r').catch(() => fail('FILE_NOT_FOUND'))
  const facts = await handle.stat()
  if (!facts.isFile()) fail('FILE_NOT_FOUND', { message: 'The path leads to something that is no file.' })
  if (facts.size > maxBytes)
    fail('PAYLOAD_TOO_LARGE', {
      message: `The file is larger than ${maxBytes} bytes.`,
      hint: 'Send a smaller file.',
    })
  return handle.readFile()
}
