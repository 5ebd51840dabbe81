import { type FileHandle, open, access, rename, writeFile } from 'node:fs/promises'
import { makeFolder } from '../../engine/store/make-folder.ts'
import { UsageError } from '../command.ts'
import { basename, dirname, join } from 'node:path'

/** Writes a file atomically: it contains either the old or the new text. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`)
  await writeFile(temporary, text)
  await rename(temporary, path)
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Creates the folder that an option names, or the folder of its file. Fails with UsageError. */
export async function makePlace(option: '--out' | '--warc', folder: string): Promise<void> {
  await makeFolder(folder).catch((cause: Error) => {
    throw new UsageError(`${option}: the folder ${folder} cannot be created (${cause.message}). Name another one.`, {
      cause,
    })
  })
}

type JsonLines = {
  append(value: object): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a file of JSON lines to append to. An unterminated last line was cut short when a program ended, and is
 * removed; `seen` receives each of the others. Fails with EEXIST if a new file already exists.
 */
export async function openJsonLines(
  path: string,
  seen: (line: string) => void = () => {},
  which: 'new' | 'any' = 'any',
): Promise<JsonLines> {
  const file = await open(path, which === 'new' ? 'ax+' : 'a+')
  let length = 0
  try {
    for await (const line of linesOf(file)) {
      seen(line.toString('utf8'))
      length += line.length + 1
    }
    await file.truncate(length)
  } catch (thrown) {
    await file.close()
    throw thrown
  }
  return {
    append: async (value) => {
      const line = Buffer.from(`${JSON.stringify(value)}\n`)
      try {
        await file.appendFile(line)
        length += line.length
      } catch (cause) {
        await file.truncate(length).catch(() => {})
        throw cause
      }
    },
    close: async () => {
      await file.datasync()
      await file.close()
    },
  }
}

const lineEnd = 0x0a

/** Yields the terminated lines of a file, without line ends. */
export async function* linesOf(file: FileHandle): AsyncGenerator<Buffer> {
  let partial: Buffer[] = []
  const chunk = Buffer.alloc(64 * 1024)
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    const bytes = Buffer.from(chunk.subarray(0, bytesRead))
    let from = 0
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, from)) {
      yield Buffer.concat([...partial, bytes.subarray(from, end)])
      partial = []
      from = end + 1
    }
    partial = [...partial, bytes.subarray(from)]
  }
}
