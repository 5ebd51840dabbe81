import * as fc from 'fast-check'
import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from '@decimalturn/toml-patch'
import { describe, expect, test } from 'vitest'
import { entryIn, withEntry } from '../../../src/cli/setup/edit.ts'

const entry = { command: 'node', args: ['/a b/gossamer.cjs', 'C:\\x "y"'] }
const jsonc = { format: 'jsonc', key: 'mcpServers', path: 'mcp.json' } as const
const json = { ...jsonc, format: 'json' } as const
const toml = { format: 'toml', key: 'mcp_servers', path: 'config.toml' } as const

describe('JSON with comments', () => {
  test('keeps all other text unchanged, character by character', () => {
    const before = `// mine
{
\t"theme": "dark", // at night
\t/* servers */
\t"mcpServers": {
\t\t"other": {"command":   "x",}, // the first
\t\t// the last comment
\t},
\t"list": [1,2,
3],
}
`
    const after = withEntry(before, entry, jsonc)
    expect(after).toBe(
      before.replace(
        '\t\t// the last comment\n',
        `\t\t// the last comment\n\t\t"gossamer": {\n\t\t\t"command": "node",\n\t\t\t"args": ["/a b/gossamer.cjs", "C:\\\\x \\"y\\""]\n\t\t},\n`,
      ),
    )
    expect(withEntry(after, undefined, jsonc)).toBe(before)
  })

  test.each<[string, string | undefined]>([
    ['no file', undefined],
    ['an empty file', ' \n'],
    ['an empty object', '{}'],
    ['no servers', '{\n    "a": 1 // last\n}'],
    ['servers on one line', '{"mcpServers":{"a":{"command":"x"}},"z":1}'],
    ['empty servers', '{ "mcpServers": {} }'],
    ['another entry of ours', '{ "mcpServers": { "gossamer": { "command": "old" }, "b": {} } }'],
    ['CRLF and a byte order mark', '\uFEFF{\r\n  "mcpServers": {\r\n    "b": {}\r\n  }\r\n}\r\n'],
  ])('%s gets the entry, and nothing else changes', (_, before) => {
    const after = withEntry(before, entry, jsonc)
    const values = parseJsonc(after.replace('\uFEFF', '')) as { mcpServers: Record<string, unknown> }
    expect(values.mcpServers['gossamer']).toEqual(entry)
    const old = parseJsonc((before ?? '{}').replace('\uFEFF', '') || '{}') as Partial<typeof values> | undefined
    expect(values).toEqual({ ...old, mcpServers: { ...old?.mcpServers, gossamer: entry } })
    expect(after.includes('\r\n')).toBe(before?.includes('\r\n') ?? false)
    expect(/(?<!\r)\n/.test(after) && after.includes('\r\n')).toBe(false)
    expect(after.startsWith('\uFEFF')).toBe(before?.startsWith('\uFEFF') ?? false)
    expect(entryIn(withEntry(after, undefined, jsonc), jsonc)).toBeUndefined()
  })

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', /^mcp\.json:3:3: Comma expected\. Correct that line/],
    ['{ "mcpServers": {', /^mcp\.json:1:18: Close brace expected/],
    ['[]', /^mcp\.json:1:1: An object/],
    ['{ "mcpServers": [] }', /"mcpServers" is not an object/],
    ['{ "mcpServers": {}, "mcpServers": {} }', /may be in it twice/],
    ['{ "mcpServers": { "gossamer": {}, "gossamer": {} } }', /may be in it twice/],
  ])('%s is refused with the position', (text, message) => expect(() => withEntry(text, entry, jsonc)).toThrow(message))
})

test.each([
  ['{\n  // mine\n}', /^mcp\.json:2:3: Invalid comment token/],
  ['{ "a": 1, }', /^mcp\.json:1:11: /],
])('the file of a client that reads plain JSON is refused: %s', (text, message) => {
  expect(() => withEntry(text, entry, json)).toThrow(message)
})

test('any JSON keeps its values, and the entry can be removed again', () => {
  const servers = fc.dictionary(fc.string(), fc.jsonValue())
  const space = fc.constantFrom(undefined, 2, '\t')
  fc.assert(
    fc.property(servers, fc.dictionary(fc.string(), fc.jsonValue()), space, (own, rest, indent) => {
      const values = JSON.parse(JSON.stringify({ ...rest, mcpServers: own })) as Record<string, unknown>
      fc.pre(!('__proto__' in rest) && !('gossamer' in own) && !Object.hasOwn(own, '__proto__'))
      const after = withEntry(JSON.stringify(values, null, indent), entry, json)
      const section = values['mcpServers'] as object
      expect(JSON.parse(after)).toEqual({ ...values, mcpServers: { ...section, gossamer: entry } })
      expect(JSON.parse(withEntry(after, undefined, json))).toEqual(values)
    }),
  )
})

describe('TOML', () => {
  test.each<[string, string | undefined]>([
    ['no file', undefined],
    [
      'settings and comments',
      '# mine\nmodel = "x"   # best\n\n[profiles.a]\nb = 1979-05-27T07:32:00Z # when\nhex = 0xFF',
    ],
    [
      'other servers',
      '[mcp_servers.other]  # mine\ncommand = "npx"\nargs = ["a",  # first\n  "b"]\n\n[mcp_servers.other.env]\nA = "1"\n',
    ],
    ['a header alone', '[mcp_servers]\n# none yet\n'],
    ['CRLF', 'a.b = 1\r\n[c]\r\nd = 2\r\n'],
  ])('%s stays unchanged below a new table', (_, before) => {
    const after = withEntry(before, { ...entry, env: { A: 'b' } }, toml)
    expect(after.startsWith(before ?? '')).toBe(true)
    expect(after).toContain('[mcp_servers.gossamer]')
    expect(parseToml(after)).toHaveProperty('mcp_servers.gossamer', { ...entry, env: { A: 'b' } })
    expect(withEntry(after, undefined, toml).trimEnd()).toBe((before ?? '').trimEnd())
  })

  test('an inline table of servers gets one more entry', () => {
    const after = withEntry('mcp_servers = { a = { command = "x" } } # inline\nb = 1\n', entry, toml)
    expect(parseToml(after)).toEqual({ mcp_servers: { a: { command: 'x' }, gossamer: entry }, b: 1 })
    expect(after).toContain('# inline')
  })

  test('an entry is replaced, and the comment of the next entry stays', () => {
    const first = withEntry('a = 1\n', { command: 'old', args: [] }, toml)
    const before = `${first}# about b\n[mcp_servers.b]\ncommand = "y"\n`
    const after = withEntry(before, entry, toml)
    expect(after).toContain('# about b\n[mcp_servers.b]\ncommand = "y"\n')
    expect(entryIn(after, toml)).toEqual(entry)
    expect(withEntry(after, undefined, toml)).toContain('# about b\n[mcp_servers.b]')
  })

  test('a broken file is refused with the position', () => {
    expect(() => withEntry('a = 1\nb = = 2\n', entry, toml)).toThrow(/^config\.toml:2:5: /)
  })
})
