import { createHash } from 'node:crypto'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from '../../../util/lazy.ts'

const isSource = import.meta.url.endsWith('.ts')
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The file that has Playwright for session code: beside the bundle; from the sources it is made at first use, and kept. */
export const playwrightFile = once(async () => (isSource ? madeFile() : at('./playwright.mjs')))

async function madeFile(): Promise<string> {
  const { bundlePlaywright } = await import('./bundle.ts')
  const { text } = await bundlePlaywright()
  const folder = at('../../../../node_modules/.cache/gossamer')
  const file = join(folder, `playwright-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`)
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) return file
  await mkdir(folder, { recursive: true })
  // Whole at once: another process may make it too.
  const own = `${file}.${process.pid}`
  await writeFile(own, text)
  await rename(own, file)
  return file
}
