import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { measure } from '../scripts/house/measure.ts'
import { findWording } from '../scripts/house/wording.ts'

const root = dirname(import.meta.dirname)
const files = measure(root)
const modules = files.filter(({ path }) => path.endsWith('.ts'))
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Folders with similar files, one for each entry of a table. */
const tables = ['src/operations', 'src/engine/search/providers']

test('the whole source is measured', () => {
  expect(modules.length).toBeGreaterThan(300)
  expect(files.some(({ path }) => path.endsWith('.py'))).toBe(true)
  expect(modules.flatMap(({ functions }) => functions).length).toBeGreaterThan(3000)
  expect(sum(modules.map(({ casts }) => casts))).toBeGreaterThan(0)
  expect(modules.every(({ path, imports }) => path !== 'src/main.ts' || imports.length > 5)).toBe(true)
})

test('no file is longer than 400 lines, in any language', () => {
  expect(files.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
})

test('no function is longer than 60 lines', () => {
  const long = modules.flatMap(({ functions }) => functions).filter(({ lines }) => lines > 60)
  expect(long.map(({ file, name, lines }) => `${file} ${name}: ${lines}`)).toEqual([])
})

test('no folder holds more than 15 files', () => {
  const folders = Map.groupBy(files, ({ path }) => dirname(path))
  const crowded = [...folders].filter(([folder, all]) => !tables.includes(folder) && all.length > 15)
  expect(crowded.map(([folder, all]) => `${folder}: ${all.length}`)).toEqual([])
})

test('types are narrowed rather than asserted', () => {
  const lines = sum(modules.map((file) => file.lines))
  expect(sum(modules.map(({ anys }) => anys))).toBeLessThanOrEqual(6)
  expect((1000 * sum(modules.map(({ casts }) => casts))) / lines).toBeLessThanOrEqual(8.5)
})

test('comments, test names and documents have no banned wording', () => {
  expect(findWording(root).map(({ place, text }) => `${place}: ${text}`)).toEqual([])
})

test('CONTRIBUTING.md has a reason for each dependency', () => {
  const names = ['package.json', 'test/package.json'].flatMap((path) => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, object>
    return Object.keys(devDependencies!)
  })
  const reasons = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  expect(names.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
})
