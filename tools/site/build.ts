/** `npm run build` in this folder: builds the documentation as a static site in dist/. Fails on a broken link. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'vitepress'
import { assets, pageFor, pagesIn, pictures } from './pages.ts'

const site = import.meta.dirname
const root = dirname(dirname(site))
const copies = join(site, '.pages')

process.chdir(site)
rmSync(copies, { recursive: true, force: true })
const pages = pagesIn(root)
const known = new Set(pages)
for (const path of pages) {
  mkdirSync(dirname(join(copies, path)), { recursive: true })
  writeFileSync(join(copies, path), pageFor(root, path, known))
}
cpSync(join(root, pictures), join(copies, pictures), { recursive: true })
for (const path of assets) cpSync(join(root, path), join(copies, 'public', path))
await build('.', { outDir: process.argv[2] ?? join(site, 'dist') })
