import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocsPage, Documentation } from '../../../contracts/ports.ts'
import { createDocsIndex } from './search.ts'

/** The pages in `docs/` of the package, and its README. Without them nothing is found. */
export async function openDocumentation(): Promise<Documentation> {
  const isSource = import.meta.url.endsWith('.ts')
  const root = fileURLToPath(new URL(isSource ? '../../../../' : '../', import.meta.url))
  const folder = join(root, 'docs')
  const names = await readdir(folder, { recursive: true }).catch((): string[] => [])
  const pages = names.filter((name) => name.endsWith('.md')).toSorted()
  const read = await Promise.all([pageOf(root, 'README.md'), ...pages.map((name) => pageOf(folder, name))])
  const { find } = createDocsIndex(read.flatMap((page) => page ?? []))
  return { find: async (question) => find(question) }
}

async function pageOf(folder: string, name: string): Promise<DocsPage | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : { path: name.replaceAll('\\', '/'), text }
}
