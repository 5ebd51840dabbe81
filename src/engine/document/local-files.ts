import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fail } from '../../kernel/error.ts'
import type { Files } from '../../contracts/fetch.ts'

/**
 * Reads files below the allowed folders. Symbolic links are resolved before the check, so none leads outside; a path
 * outside is refused in the same way whether or not the file exists.
 */
export function createLocalFiles(folders: readonly string[], maxBytes: number): Files {
  return {
    async read(path) {
      const file = await realPlace(resolve(path))
      const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
      if (!allowed.some((folder) => folder !== undefined && isBelow(file, folder))) fail('FILE_NOT_ALLOWED')
      return { filename: basename(path), bytes: await bytesOf(file, maxBytes) }
    },
  }
}

/** Resolves the real path; if it does not exist, resolves its deepest existing folder. */
async function realPlace(path: string): Promise<string> {
  const folder = dirname(path)
  return realpath(path).catch(async () => (folder === path ? path : join(await realPlace(folder), basename(path))))
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * Links are resolved by now, so a link here was swapped in afterwards; and opening a pipe would block until there is a
 * writer.
 */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Takes the size from the open file and reads no more, even if the file grows; pipes and devices have no end. */
async function bytesOf(file: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  await using handle = await open(file, flags).catch((cause: unknown) => fail('FILE_NOT_FOUND', { cause }))
  const facts = await handle.stat()
  if (!facts.isFile()) fail('FILE_NOT_FOUND', { message: 'The path does not lead to a file.' })
  if (facts.size > maxBytes)
    fail('PAYLOAD_TOO_LARGE', {
      message: `The file is larger than ${maxBytes} bytes.`,
      hint: 'Send a smaller file.',
    })
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(facts.size))
  return buffer.subarray(0, bytesRead)
}
