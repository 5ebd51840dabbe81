import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { packageReadme } from '../scripts/pack/package-readme.ts'
import { version } from '../src/version.ts'

const repository = 'https://git.example/someone/gossamer'
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

test.each([
  ['[docs](docs/index.md)', `[docs](${repository}/blob/HEAD/docs/index.md)`],
  ['[`x`](./a.md#part)', `[\`x\`](${repository}/blob/HEAD/a.md#part)`],
  ['![picture](docs/a.webp)', `![picture](${repository}/raw/HEAD/docs/a.webp)`],
  ['[here](#part)', '[here](#part)'],
  ['[site](https://example.com/a.md)', '[site](https://example.com/a.md)'],
  ['[mail](mailto:a@example.com)', '[mail](mailto:a@example.com)'],
])('the packed README turns %s into %s', (link, packed) => {
  expect(packageReadme(`See ${link}.`, repository)).toBe(`See ${packed}.`)
})

test('commands and configs of the packed README work without a checkout', () => {
  const packed = packageReadme(readme, repository)
  expect(packed).not.toMatch(/npm (?:ci|run|test)|checkout|path\/to/)
  expect(packed.match(/^```sh\n(.*?) *#/m)?.[1]).toBe('npx -y gossamer-mcp setup')
  expect(packed.match(/"npx"/g)).toHaveLength(3)
})

test('no link of the packed README leads to a file that is not packed', () => {
  const relative = /\]\((?!https:|#)/
  expect(readme).toMatch(relative)
  expect(packageReadme(readme, repository)).not.toMatch(relative)
})

test('the install links of the README start the published package', () => {
  const [cursor, vscode] = [...readme.matchAll(/\]\((https:[^)]*\?name=gossamer&[^)]*)\)/g)].map(
    ([, url = '']) => new URL(url),
  )
  const entry = { command: 'npx', args: ['-y', 'gossamer-mcp'] }
  expect(`${cursor?.origin}${cursor?.pathname}`).toBe('https://cursor.com/install-mcp')
  expect(JSON.parse(Buffer.from(cursor?.searchParams.get('config') ?? '', 'base64').toString())).toEqual(entry)
  expect(`${vscode?.origin}${vscode?.pathname}`).toBe('https://insiders.vscode.dev/redirect/mcp/install')
  expect(JSON.parse(vscode?.searchParams.get('config') ?? '')).toEqual({ type: 'stdio', ...entry })
})

const json = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8')) as unknown

test('all files have the same version', () => {
  const Versioned = z.looseObject({ version: z.string() })
  const lockfile = z.looseObject({ version: z.string(), packages: z.record(z.string(), z.looseObject({})) })
  const { packages } = lockfile.parse(json('package-lock.json'))
  const files = ['package.json', 'package-lock.json', 'manifest.json', 'server.json'].map((path) => json(path))
  const versions = [...files, packages['']].map((each) => Versioned.parse(each).version)
  expect(new Set([...versions, version])).toEqual(new Set([version]))
})

test('the package, the desktop bundle and the registry entry name the repository that owns the registry name', () => {
  const { mcpName, ...links } = z.looseObject({ mcpName: z.string() }).parse(json('package.json'))
  const url = mcpName.replace(/^io\.github\./, 'https://github.com/')
  expect(links).toMatchObject({
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
  })
  expect(json('manifest.json')).toMatchObject({ repository: { type: 'git', url } })
  expect(json('server.json')).toMatchObject({ repository: { url, source: 'github' } })
})

/** The fields of the schema of the MCP registry (server.schema.json of 2025-12-11) that the entry uses. */
const RegistryEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[\w.-]+\/[\w.-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+/),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: z
        .string()
        .max(255)
        .regex(/^\d+\.\d+\.\d+/),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          isRequired: z.boolean(),
          isSecret: z.boolean().optional(),
        }),
      ),
    }),
  ),
})

test('the entry of the registry is valid', () => {
  expect(RegistryEntry.safeParse(json('server.json')).error?.issues).toBeUndefined()
})

test('bundled packages are listed, and none has a copyleft licence', () => {
  const Bom = z.looseObject({
    bomFormat: z.literal('CycloneDX'),
    components: z.array(
      z.looseObject({
        name: z.string(),
        purl: z.string().regex(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d/),
        licenses: z.array(z.strictObject({ expression: z.string() })).length(1),
      }),
    ),
  })
  const { components } = Bom.parse(json('dist/sbom.cdx.json'))
  expect(components.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['undici', 'zod', 'unpdf', 'playwright-core', 'yazl', 'buffer-crc32']),
  )
  const permissive = new Set('MIT MIT-0 ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0'.split(' '))
  // The MPL applies only to its own files, which are shipped unchanged.
  const byFile = new Set(['@duckduckgo/autoconsent'])
  const others = components.filter(
    ({ name, licenses }) => !byFile.has(name) && !licenses.every(({ expression }) => permissive.has(expression)),
  )
  expect(others.map(({ name, licenses }) => [name, licenses])).toEqual([])
})
