import { rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes a file so that at any moment it holds either all of the old or all of the new. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`)
  await writeFile(temporary, text)
  await rename(temporary, path)
}
