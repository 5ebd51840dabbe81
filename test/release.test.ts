import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { outsideLinks, packageReadme } from '../scripts/pack/outside-links.ts'
import { repositoryUrl } from '../scripts/pack/stage.ts'
import { version } from '../src/version.ts'

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

test('commands and configs of the packed README work without a checkout', () => {
  const packed = packageReadme(readFileSync(join(import.meta.dirname, '../README.md'), 'utf8'))
  expect(packed).not.toMatch(/npm (?:ci|run|test)|checkout|path\/to/)
  expect(packed.match(/^```sh\n(.*?) *#/m)?.[1]).toBe('npx -y gossamer-mcp setup')
  expect(packed.match(/"npx"/g)).toHaveLength(3)
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

const json = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8')) as unknown

test('the version is one everywhere', () => {
  const Versioned = z.looseObject({ version: z.string() })
  const lockfile = z.looseObject({ version: z.string(), packages: z.record(z.string(), z.looseObject({})) })
  const { packages } = lockfile.parse(json('package-lock.json'))
  const files = ['package.json', 'package-lock.json', 'manifest.json', 'server.json'].map((path) => json(path))
  const versions = [...files, packages['']].map((each) => Versioned.parse(each).version)
  expect(new Set([...versions, version])).toEqual(new Set([version]))
})

/** The part of the MCP registry's schema that the entry uses (server.schema.json of 2025-12-11); anything else is refused. */
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

test('the entry of the registry is one that the registry takes', () => {
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
  const permissive = new Set([
    'MIT',
    'MIT-0',
    'ISC',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'BlueOak-1.0.0',
  ])
  // MPL binds its own files alone; these are shipped as they are.
  const byFile = new Set(['@duckduckgo/autoconsent'])
  const others = components.filter(
    ({ name, licenses }) => !byFile.has(name) && !licenses.every(({ expression }) => permissive.has(expression)),
  )
  expect(others.map(({ name, licenses }) => [name, licenses])).toEqual([])
})
