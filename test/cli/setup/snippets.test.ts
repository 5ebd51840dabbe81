import { readFileSync } from 'node:fs'
import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from '@decimalturn/toml-patch'
import { expect, test } from 'vitest'
import { snippetOf, withSnippets } from '../../../scripts/client-snippets.ts'
import { type ClientName, clientNames, clientOf } from '../../../src/cli/setup/clients.ts'
import { withEntry, entryOf } from '../../../src/cli/setup/edit.ts'

const parsers = { json: JSON.parse, jsonc: parseJsonc, toml: parseToml } as Record<string, (text: string) => unknown>
const launch = { command: 'node', args: ['/path/to/gossamer/bin/gossamer.cjs'] }

test.each(clientNames)('the snippet of %s is what setup writes, in the format of the client', (name: ClientName) => {
  const { format, key } = clientOf(name)
  const parse = parsers[format]!
  const written = withEntry(undefined, entryOf(name, launch), { format, key, path: '' })
  expect(parse(snippetOf(name))).toEqual({ [key]: { gossamer: entryOf(name, launch) } })
  expect(parse(written)).toEqual(parse(snippetOf(name)))
})

test.each([
  ['docs/clients.md', clientNames],
  ['README.md', ['claude-desktop', 'cursor', 'vscode'] as const],
])('%s shows the snippets unchanged', (path, names) => {
  const page = readFileSync(path, 'utf8')
  expect(withSnippets(page)).toBe(page)
  for (const name of names) expect(page).toContain(snippetOf(name))
})
