import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const lines = readFileSync(join(root, 'docs/security.md'), 'utf8').split('\n')

type Promised = { promise: string; tests: readonly string[] }

/** Returns the rows of all tables of promises, with the files to which their second column links. */
function promisesOf(page: readonly string[]): Promised[] {
  const found: Promised[] = []
  let isTable = false
  for (const line of page) {
    if (line.startsWith('| promise |')) isTable = true
    else if (!line.startsWith('|')) isTable = false
    else if (isTable && !line.startsWith('|---')) {
      const [promise = '', tests = ''] = line.split('|').slice(1)
      found.push({
        promise: promise.trim(),
        tests: [...tests.matchAll(/\]\(\.\.\/([^)#]+)\)/g)].map(([, path = '']) => path),
      })
    }
  }
  return found
}

const promises = promisesOf(lines)

test('each table of promises has rows with links to tests', () => {
  const sections = lines.flatMap((line, at) => (line.startsWith('| promise |') ? [lines.slice(at, at + 3)] : []))
  expect(sections.length).toBeGreaterThan(5)
  for (const [, rule, first = ''] of sections) {
    expect(rule).toBe('|---|---|')
    expect(first).toMatch(/^\| .+ \| \[/)
  }
})

test.each(promises)('$promise: is tested', ({ tests }) => {
  expect(tests).not.toEqual([])
  for (const path of tests) {
    expect(path).toMatch(/^test\/.+\.test\.ts$/)
    expect(existsSync(join(root, path)), path).toBe(true)
  }
})

test('every test in test/attack is linked to a promise', () => {
  const named = new Set(promises.flatMap(({ tests }) => tests))
  const attacks = globSync(join(root, 'test/attack/**/*.test.ts')).map((path) => relative(root, path))
  expect(attacks.length).toBeGreaterThan(0)
  expect(attacks.filter((path) => !named.has(path))).toEqual([])
})

test.each(['README.md', 'SECURITY.md', 'docs/index.md', 'docs/session-code.md'])(
  '%s links to docs/security.md',
  (page) => expect(readFileSync(join(root, page), 'utf8')).toMatch(/\((?:docs\/)?security\.md(?:#[\w-]+)?\)/),
)
