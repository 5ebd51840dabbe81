import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksIn } from './blocks.ts'
import { linkFaults } from './links.ts'
import { mentionFaults } from './mentions.ts'
import { jsonFault } from './snippets.ts'

/** All pages of the repository. */
export const pages = (root: string): string[] =>
  globSync(['*.md', '{docs,deploy,skills,src}/**/*.md', 'bench/*.md'], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/** Faults in the text of a page: links, JSON, names of commands. */
export function writtenFaults(root: string, path: string): string[] {
  const page = readFileSync(join(root, path), 'utf8')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const json = blocksIn(page).flatMap((block) => {
    const fault = jsonFault(block)
    return fault === undefined ? [] : [`${path}:${block.line}: ${fault}`]
  })
  // The changelog may mention removed commands.
  const mentions = path === 'CHANGELOG.md' ? [] : mentionFaults(path, page, new Set(Object.keys(scripts)))
  return [...linkFaults(root, path), ...json, ...mentions]
}
