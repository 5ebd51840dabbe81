import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stage } from '../scripts/pack/stage.ts'
import { tempDir } from './helpers/program.ts'

const root = join(import.meta.dirname, '..')
const pictures = globSync('docs/pictures/*', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
const shown = globSync('docs/**/*.md', { cwd: root }).flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, alt = '', to = '']) => ({
    alt,
    path: join(dirname(page), to).replaceAll('\\', '/'),
  })),
)

test('every picture is small, used on a page, and has an alternative text', () => {
  expect(pictures.length).toBeGreaterThan(3)
  expect(shown.map(({ path }) => path).toSorted()).toEqual(pictures.toSorted())
  for (const { alt } of shown) expect(alt.length).toBeGreaterThan(20)
  const sizes = pictures.map((path) => statSync(join(root, path)).size)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100_000)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(400_000)
})

test('no picture is in the published package', () => {
  const { path, remove } = tempDir()
  onTestFinished(remove)
  const [dist, folder] = [join(path, 'dist'), join(path, 'package')]
  mkdirSync(dist)
  writeFileSync(join(dist, 'main.js'), '')
  stage(folder, dist)
  expect(globSync('docs/**/*.md', { cwd: folder }).length).toBeGreaterThan(20)
  expect(globSync('**/pictures*', { cwd: folder })).toEqual([])
})
