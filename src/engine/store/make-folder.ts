import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../kernel/error.ts'

/**
 * Makes a folder and those above it, unless they are there. Node's own recursive mkdir never comes back from a place
 * such as /proc, whose folders exist and say that they do not when one is to be made in them.
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

/** Why there is no such folder now. */
async function tried(path: string, mode: number | undefined): Promise<unknown> {
  try {
    await mkdir(path, { mode })
    return undefined
  } catch (thrown) {
    const isThere = await stat(path).then(
      (facts) => facts.isDirectory(),
      () => false,
    )
    return isThere ? undefined : thrown
  }
}
