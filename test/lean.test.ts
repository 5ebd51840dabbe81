import { build } from 'esbuild'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { lean, leanDefines } from '../scripts/bundle/lean.ts'
import { tempDir } from './helpers/program.ts'

const bundled = (contents: string, outfile: string) =>
  build({
    stdin: { contents, resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    define: leanDefines,
    plugins: [lean],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
  })

test('the MCP SDK validates every dialect and format with our ajv', async () => {
  const folder = tempDir()
  const file = join(folder.path, 'program.mjs')
  await bundled(
    `import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
    const uri = { type: 'string', format: 'uri' }
    const dialects = ['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2019-09/schema', 'http://json-schema.org/draft-07/schema#']
    export const verdicts = dialects.map(($schema) => {
      const check = new AjvJsonSchemaValidator().getValidator({ $schema, ...uri })
      return [check('https://example.com').valid, check('no address').valid]
    })`,
    file,
  )
  const { verdicts } = (await import(pathToFileURL(file).href)) as { verdicts: boolean[][] }
  expect(verdicts).toEqual([
    [true, false],
    [true, false],
    [true, false],
  ])
  folder.remove()
})

test('a part of undici that the bundle leaves out fails the build if it is imported', async () => {
  const folder = tempDir()
  const text = `import { MockAgent } from 'undici'\nnew MockAgent()`
  await expect(bundled(text, join(folder.path, 'program.mjs'))).rejects.toThrow(`No matching export`)
  folder.remove()
})
