import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../kernel/error.ts'

/**
 * Creates a folder and its parents if missing. Node's recursive mkdir never returns for a place such as /proc, whose
 * folders exist but report ENOENT for new folders in them.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const fault = await tried(path, mode)
  const above = dirname(path)
  if (errorCode(fault) === 'ENOENT' && above !== path) {
    await makeFolder(above, mode)
    const again = await tried(path, mode)
    if (again) throw again
  } else if (fault) throw fault
}

/** Returns why the folder does not exist now; undefined if it does. */
async function tried(path: string, mode: number | undefined): Promise<unknown> {
  try {
    await mkdir(path, { mode })
    return undefined
  } catch (thrown) {
    const exists = await stat(path).then(
      (facts) => facts.isDirectory(),
      () => false,
    )
    return exists ? undefined : thrown
  }
}
