import { type FileHandle, open, access, rename, writeFile } from 'node:fs/promises'
import { makeFolder } from '../../engine/store/make-folder.ts'
import { UsageError } from '../command.ts'
import { basename, dirname, join } from 'node:path'

/** Writes a file so that at any moment it holds either all of the old or all of the new. */
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

/** Makes the folder that an option names, or that of the file it names. Fails with UsageError. */
export async function makePlace(option: '--out' | '--warc', folder: string): Promise<void> {
  await makeFolder(folder).catch((cause: Error) => {
    throw new UsageError(`${option}: the folder ${folder} cannot be made (${cause.message}). Name another one.`, {
      cause,
    })
  })
}

export type JsonLines = {
  append(value: object): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a file of JSON lines to append to. A last line without its end was cut short by the end of a program, and is
 * cut off; `seen` gets each of the others. Fails with EEXIST where a new file is there already.
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

/** The lines that have an end, without it. */
export async function* linesOf(file: FileHandle): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  const chunk = Buffer.alloc(64 * 1024)
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    const bytes = Buffer.from(chunk.subarray(0, bytesRead))
    let from = 0
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, from)) {
      yield Buffer.concat([...begun, bytes.subarray(from, end)])
      begun = []
      from = end + 1
    }
    begun = [...begun, bytes.subarray(from)]
  }
}
