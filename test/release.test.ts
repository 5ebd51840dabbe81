import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outsideLinks } from '../scripts/release/outside-links.ts'
import { repositoryUrl } from '../scripts/release/stage.ts'

const repository = 'https://git.example/someone/gossamer'

test.each([
  ['[docs](docs/index.md)', `[docs](${repository}/blob/HEAD/docs/index.md)`, 'docs'],
  ['[`x`](./a.md#part)', `[\`x\`](${repository}/blob/HEAD/a.md#part)`, '`x`'],
  ['[here](#part)', '[here](#part)', '[here](#part)'],
  ['[site](https://example.com/a.md)', '[site](https://example.com/a.md)', '[site](https://example.com/a.md)'],
  ['[mail](mailto:a@example.com)', '[mail](mailto:a@example.com)', '[mail](mailto:a@example.com)'],
])('outside of the repository %s leads to it, or is plain text', (link, known, unknown) => {
  expect(outsideLinks(`See ${link}.`, repository)).toBe(`See ${known}.`)
  expect(outsideLinks(`See ${link}.`, undefined)).toBe(`See ${unknown}.`)
})

test('no link of the README leads to a file that is not packed, repository or not', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const relative = /\]\((?!https:|#)/
  expect(readme).toMatch(relative)
  expect(outsideLinks(readme, repository)).not.toMatch(relative)
  expect(outsideLinks(readme, undefined)).not.toMatch(relative)
})

test.each(['', '.git', '/', '.git/'])('the address of the repository may end with %j', (ending) => {
  expect(repositoryUrl(`${repository}${ending}`)).toBe(repository)
  expect(repositoryUrl(`git+${repository}${ending}`)).toBe(repository)
})

test.each(['git@git.example:someone/gossamer.git', 'http://git.example/a', 'gossamer', ''])(
  'the address of the repository is not %j',
  (given) => {
    expect(() => repositoryUrl(given)).toThrow(/--repository takes an https URL/)
  },
)
