import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanEnv, tempDir } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = tempDir()
const home = join(folder.path, 'home')
let site: Site
let installed: string

type Pack = { filename: string; size: number; files: { path: string }[] }

beforeAll(async () => {
  site = await startSite()
  mkdirSync(home, { recursive: true })
  // The build of the tests is what gets packed: building again would pull files from under programs that run.
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path], {
    cwd: root,
    env: cleanEnv(),
  })
  const packs = JSON.parse(stdout) as Pack[] | Record<string, Pack>
  const [pack] = Array.isArray(packs) ? packs : Object.values(packs)
  await run(
    'npm',
    ['install', '--prefix', home, '--offline', '--no-audit', '--no-fund', join(folder.path, pack?.filename ?? '')],
    { env: cleanEnv() },
  )
  installed = join(home, 'node_modules/gossamer-mcp')
}, 120_000)
afterAll(async () => {
  await site.close()
  folder.remove()
})

describe('the installed package', () => {
  it('runs from its own files alone', async () => {
    const env = cleanEnv({ GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
    const { stdout } = await run(join(home, 'node_modules/.bin/gossamer'), ['scrape', site.url('/article')], { env })
    expect(JSON.parse(stdout)).toHaveProperty('data.markdown', expect.stringContaining('#'))
    expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['gossamer-mcp'])
  })

  it('keeps its records in a data folder that is there the next time', async () => {
    const env = cleanEnv({ GOSSAMER_DATA_DIR: join(folder.path, 'data') })
    const { stdout } = await run(join(home, 'node_modules/.bin/gossamer'), ['call', 'activity'], { env })
    expect(JSON.parse(stdout)).toMatchObject({ data: [{ target: site.url('/article') }] })
  })

  it('holds no native file, no source map and no development runtime', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => /\.(?:node|map|ts)$|(?:^|\/)tools\//.test(file))).toEqual([])
    expect(existsSync(join(installed, 'dist/main.js'))).toBe(true)
  })

  it('carries the licence of every package inside', () => {
    const notices = readFileSync(join(installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of [
      'undici',
      'linkedom',
      '@mozilla/readability',
      'zod',
      'hono',
      '@modelcontextprotocol/server',
      'keyv',
    ])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(notices).not.toMatch(/^\s*GNU (?:AFFERO )?GENERAL PUBLIC LICENSE\s*$/im)
  })
})

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>

describe('the descriptions of the package', () => {
  const pkg = read('package.json')

  it('agree on name and version', () => {
    expect(read('manifest.json')).toMatchObject({ version: pkg['version'], manifest_version: '0.3', name: pkg['name'] })
    expect(read('server.json')).toMatchObject({
      version: pkg['version'],
      name: pkg['mcpName'],
      packages: [{ identifier: pkg['name'], version: pkg['version'] }],
    })
  })

  it('has no dependencies: all it needs is in the bundle', () => {
    expect(pkg['dependencies']).toBeUndefined()
    expect(pkg['optionalDependencies']).toBeUndefined()
  })

  it('hold a manifest that desktop clients accept', async () => {
    const mcpb = join(root, 'node_modules/.bin/mcpb')
    expect((await run(mcpb, ['validate', join(installed, 'manifest.json')], { env: cleanEnv() })).stdout).toContain(
      'passes',
    )
  })

  it('starts from the desktop bundle as the manifest says', async () => {
    const { server } = read('manifest.json') as { server: { entry_point: string } }
    const { stdout } = await run(process.execPath, [join(installed, server.entry_point), '--version'], {
      env: cleanEnv(),
    })
    expect(stdout.trim()).toBe(pkg['version'])
  })
})
