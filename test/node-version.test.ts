import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import * as library from '../src/library/index.ts'
import { cleanEnv, tempDir } from './helpers/program.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

function faultOf(version: string): unknown {
  const module = { exports: {} }
  const process = { versions: { node: version }, execPath: '/usr/bin/node' }
  runInNewContext(readFileSync(join(root, 'bin/node-version.cjs'), 'utf8'), { module, process })
  return module.exports
}

test.each(['22.22.2', '22.23.0', '24.15.0', '24.20.1', '26.0.0', '27.1.0'])('Node %s is new enough', (version) => {
  expect(faultOf(version)).toBeUndefined()
})

test.each(['8.17.0', '20.20.2', '22.22.1', '23.11.1', '24.14.9', '25.9.0'])(
  'Node %s is refused, with the supported versions',
  (version) => {
    expect(faultOf(version)).toMatch(/^gossamer needs Node 22 .*, but this is Node [\d.]+ at \/usr\/bin\/node\./)
    expect(faultOf(version)).toContain(`this is Node ${version} `)
  },
)

test('the package declares the same versions to npm', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: object }
  expect(engines).toEqual({ node: '^22.22.2 || ^24.15.0 || >=26' })
})

/**
 * Runs a program that imports the package, in a Node that claims to have this version. `dist` replaces the text of
 * dist/index.js.
 */
async function importedIn(version: string, dist?: string): Promise<unknown> {
  const { path, remove } = tempDir()
  onTestFinished(remove)
  const home = join(path, 'gossamer')
  for (const part of ['bin', 'package.json', ...(dist === undefined ? ['dist'] : [])])
    cpSync(join(root, part), join(home, part), { recursive: true })
  if (dist !== undefined) {
    mkdirSync(join(home, 'dist'))
    writeFileSync(join(home, 'dist/index.js'), dist)
  }
  writeFileSync(join(path, 'old.cjs'), `Object.defineProperty(process.versions, 'node', { value: '${version}' })\n`)
  writeFileSync(
    join(home, 'program.mjs'),
    "import * as library from 'gossamer-mcp'\nconsole.log(JSON.stringify(Object.keys(library)))\n",
  )
  const args = ['--import', pathToFileURL(join(path, 'old.cjs')).href, join(home, 'program.mjs')]
  const { stdout } = await run(process.execPath, args, { env: cleanEnv() })
  return JSON.parse(stdout)
}

test('the library refuses an old Node like the program, before it reads code that this Node cannot parse', async () => {
  const failed = importedIn('20.20.2', 'export const 1 = a syntax of later Nodes')
  await expect(failed).rejects.toMatchObject({
    stderr: expect.stringMatching(/Error: gossamer needs Node 22 .* this is Node 20\.20\.2 /),
  })
})

test('the library has all its functions on a supported Node', async () => {
  expect(await importedIn(process.versions.node)).toEqual(Object.keys(library).toSorted())
})
