import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../kernel/error.ts'

/**
 * Creates a folder and its parents if missing. Node's recursive mkdir never returns for a place such as /proc, whose
 * folders exist but report ENOENT for new folders in them.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const fault = await mkdirFault(path, mode)
  const above = dirname(path)
  if (errorCode(fault) === 'ENOENT' && above !== path) {
    await makeFolder(above, mode)
    const lastFault = await mkdirFault(path, mode)
    if (lastFault) throw lastFault
  } else if (fault) throw fault
}

/** Tries to create a folder; returns the error unless the folder now exists. */
async function mkdirFault(path: string, mode: number | undefined): Promise<unknown> {
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
