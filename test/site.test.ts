import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { contentsOf, pageFor, pagesIn } from '../tools/site/pages.ts'
import { tempDir } from './helpers/program.ts'

const root = join(import.meta.dirname, '..')
const pages = new Set(pagesIn(root))

test('every guide is in the table of contents', () => {
  const linked = contentsOf(root).flatMap(({ items }) => items.map(({ link }) => link.slice(1)))
  const guides = [...pages].filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/index.md')
  expect(guides.filter((page) => !linked.includes(page))).toEqual([])
  expect(linked.filter((page) => !pages.has(page))).toEqual([])
})

test('links to files that are not pages become text, and angle brackets and braces stay text', () => {
  const page = pageFor(root, 'docs/clients.md', pages)
  expect(page).toContain('(settings.md)')
  expect(page).toContain('`<untrusted482913>`')
  expect(pageFor(root, 'examples/frameworks/README.md', pages)).toContain('| langchain.js |')
})

/** True after `npm ci --prefix tools/site`. */
const isInstalled = existsSync(join(root, 'tools/site/node_modules/.package-lock.json'))
test.skipIf(!isInstalled)(
  'the site is built from all pages, has a search, and loads nothing from elsewhere',
  async () => {
    const out = tempDir()
    onTestFinished(out.remove)
    await promisify(execFile)(process.execPath, [join(root, 'tools/site/build.ts'), out.path])
    const files = globSync('**/*', { cwd: out.path }).map((path) => path.replaceAll('\\', '/'))
    expect(files.filter((file) => file.endsWith('.html')).length).toBe(pages.size + 1)
    expect(files.some((file) => /localSearchIndex/.test(file))).toBe(true)
    const html = readFileSync(join(out.path, 'docs/clients.html'), 'utf8')
    expect(html).toContain('gossamer setup')
    expect(readFileSync(join(out.path, 'docs/dashboard.html'), 'utf8')).toMatch(
      /<img[^>]+src="[^"]*dashboard[^"]*webp"|data:image\/webp/,
    )
    for (const file of files.filter((each) => each.endsWith('.html')))
      expect(readFileSync(join(out.path, file), 'utf8')).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="https?:/)
  },
)
