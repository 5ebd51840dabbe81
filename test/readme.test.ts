import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages as allPages, writtenFaults } from '../scripts/docs-check/written.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = read('README.md')
const pages = allPages(root).filter((page) => !page.startsWith('docs/reference/'))

const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code ?? '')

describe('the README', () => {
  it('names the required Node in its first lines, as the quick start does', () => {
    for (const page of [readme, read('docs/quick-start.md')])
      expect(page.split('\n').slice(0, 15).join('\n')).toContain('Node 22.22.2+, 24.15+ or 26+')
  })

  it('names commands that exist', () => {
    const { scripts, bin } = JSON.parse(read('package.json')) as {
      scripts: Record<string, string>
      bin: Record<string, string>
    }
    for (const [, script = ''] of readme.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty(script)
    expect(Object.keys(bin)).toContain('gossamer')
  })
})

it.each(pages.map((page) => [page]))(
  'every JSON snippet of %s parses and names servers under one of the known keys',
  (page) => {
    for (const snippet of blocks(read(page), 'json')) {
      const value = JSON.parse(snippet) as Record<string, Record<string, { command?: string; url?: string }>>
      const servers = Object.values(value['mcpServers'] ?? value['servers'] ?? value['context_servers'] ?? {})
      expect(servers.length).toBeGreaterThan(0)
      for (const { command, url } of servers) expect(command ?? url).toBeTruthy()
    }
  },
)

it.each(allPages(root).map((page) => [page]))(
  'links of %s lead to files, its snippets parse and its commands exist',
  (page) => expect(writtenFaults(root, page)).toEqual([]),
)

it('the settings page names every variable that the docs use', () => {
  const known = read('docs/settings.md')
  for (const page of pages)
    for (const [name] of read(page).matchAll(/GOSSAMER_[A-Z_]*[A-Z]/g))
      expect(known, `${page}: ${name}`).toContain(name)
})
