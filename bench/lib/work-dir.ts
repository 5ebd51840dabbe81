import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder for one run, deleted afterwards. */
export async function withWorkDir<T>(run: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'gossamer-bench-'))
  try {
    return await run(dir)
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}
