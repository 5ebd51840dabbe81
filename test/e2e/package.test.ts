import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type McpbManifestAny, getMcpConfigForManifest } from '@anthropic-ai/mcpb'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundle as build } from '../../scripts/build.ts'
import { writeDeclarations } from '../../scripts/declarations/write.ts'
import { cleanEnv } from '../helpers/program.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'
import { compileConsumer, faultsOf, nodes, runConsumer, sizeOf } from './package-kit.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const mcpb = join(root, 'node_modules/.bin/mcpb')
const read = (path: string, base = root) =>
  JSON.parse(readFileSync(join(base, path), 'utf8')) as Record<string, unknown>
const folder = folderForAll()
const home = join(folder.path, 'home')
let installed: string
let tarball: string

const bundle = join(folder.path, 'bundle')

const site = siteForAll()
beforeAll(async () => {
  mkdirSync(home, { recursive: true })
  // Uses a separate build, because that of the tests may contain old chunks and is in use.
  const dist = join(folder.path, 'dist')
  await build(dist)
  await writeDeclarations(join(dist, 'types'))
  const pack = ['scripts/pack.ts', '--dist', dist, '--out', folder.path]
  await run(process.execPath, pack, { cwd: root, env: cleanEnv() })
  const { version } = read('package.json') as { version: string }
  tarball = join(folder.path, `gossamer-mcp-${version}.tgz`)
  await run('npm', ['install', '--prefix', home, '--offline', '--no-audit', '--no-fund', tarball], { env: cleanEnv() })
  installed = join(home, 'node_modules/gossamer-mcp')
  await run(mcpb, ['unpack', join(folder.path, 'gossamer.mcpb'), bundle], { env: cleanEnv() })
})

describe('the installed package', () => {
  it('runs from its own files only', async () => {
    const env = cleanEnv({ GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
    const { stdout } = await run(join(home, 'node_modules/.bin/gossamer'), ['scrape', site.url('/article'), '--json'], {
      env,
    })
    expect(JSON.parse(stdout)).toHaveProperty('data.markdown', expect.stringContaining('#'))
    expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['gossamer-mcp'])
  })

  it('contains no native file, no source map and no development runtime', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => /\.(?:node|map)$|(?<!\.d)\.ts$|(?:^|\/)tools\//.test(file))).toEqual([])
    expect(existsSync(join(installed, 'dist/main.js'))).toBe(true)
    // The documentation mentions it.
    expect(existsSync(join(installed, 'skills/gossamer/SKILL.md'))).toBe(true)
  })

  it('contains the licence of every bundled package', () => {
    const notices = readFileSync(join(installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of ['undici', 'htmlparser2', 'zod', 'hono', '@modelcontextprotocol/server'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(notices).not.toMatch(/^\s*GNU (?:AFFERO )?GENERAL PUBLIC LICENSE\s*$/im)
  })
})

describe('the library in the package', () => {
  it('passes publint and attw', async () => expect(await faultsOf(tarball)).toEqual([]))

  it('takes at most 20 MB, with nothing else installed', () => {
    expect(sizeOf(join(home, 'node_modules'))).toBeLessThan(20_000_000)
  })

  it('has types that refer to no other package', () => {
    const types = join(installed, 'dist/types')
    const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const texts = files.map((file) => readFileSync(join(types, file), 'utf8'))
    expect(texts.flatMap((text) => [...text.matchAll(/from '([^']+)'|import\(/g)].map(([, name]) => name))).toEqual(
      expect.arrayContaining(['./api.js', './options.js']),
    )
    for (const text of texts) expect(text).not.toMatch(/from '[^.]|import\(|: any\b/)
  })

  it.each(nodes.map((node) => [node]))(
    'scrapes and crawls, and does not keep the program running, on %s',
    async (node) => {
      expect(await runConsumer(home, site.url('/article'), node)).toEqual({
        text: expect.stringContaining('#'),
        pages: 1,
        code: 'BAD_REQUEST',
        hint: expect.stringContaining('url'),
        known: true,
      })
    },
  )

  it.each([
    ['node', ['--module', 'nodenext']],
    ['a bundler', ['--module', 'preserve', '--moduleResolution', 'bundler']],
  ])('has types that compile in strict programs, for %s', async (_, resolution) => {
    expect(await compileConsumer(home, resolution)).toBe('')
  })
})

/** Returns the environment that clients set: the values of the user, otherwise the defaults of the manifest. */
async function startedBy(userConfig: Record<string, string>, without: readonly string[] = []) {
  const manifest = read('manifest.json', bundle) as unknown as McpbManifestAny
  const options = Object.entries(manifest.user_config ?? {}).filter(([name]) => !without.includes(name))
  const config = await getMcpConfigForManifest({
    manifest: { ...manifest, user_config: Object.fromEntries(options) },
    extensionPath: bundle,
    systemDirs: { HOME: home },
    userConfig,
    pathSeparator: '/',
  })
  return { args: config?.args ?? [], env: { ...cleanEnv(), ...config?.env, HOME: home, XDG_DATA_HOME: '' } }
}

describe('the desktop bundle', () => {
  it('is accepted by desktop clients, with an icon', async () => {
    const { stdout } = await run(mcpb, ['validate', bundle], { env: cleanEnv() })
    expect(stdout).toContain('passes')
    expect(stdout).toContain('Icon validation passed')
    const icon = readFileSync(join(bundle, 'icon.png'))
    expect({ width: icon.readUInt32BE(16), height: icon.readUInt32BE(20) }).toEqual({ width: 512, height: 512 })
    expect(icon.length).toBeLessThan(60_000)
  })

  it.each([
    ['has left everything open', {}, []],
    [
      'has an older client, which leaves the names of the fields in place',
      {},
      ['allow_hosts', 'data_dir', 'remote_url', 'remote_key'],
    ],
  ])('starts for a user who %s, with the default data folder', async (_, userConfig, without) => {
    const { args, env } = await startedBy(userConfig, without)
    const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: folder.path })
    const client = new Client({ name: 'desktop', version: '1.0.0' })
    await client.connect(transport)
    const { content } = await client.callTool({ name: 'activity', arguments: {} })
    await client.close()
    expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('jobs') }])
    expect(readdirSync(folder.path).filter((name) => name.includes('$'))).toEqual([])
    const usual = process.platform === 'darwin' ? 'Library/Application Support/gossamer' : '.local/share/gossamer'
    expect(existsSync(join(home, usual))).toBe(true)
  })

  it('is small, and contains all its dependencies', () => {
    expect(statSync(join(folder.path, 'gossamer.mcpb')).size).toBeLessThanOrEqual(3_100_000)
    const files = readdirSync(bundle, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => /node_modules|\.node$|(?<!\.d)\.ts$/.test(file))).toEqual([])
  })

  it('reports a Node without SQLite, and still reads pages', async () => {
    const dist = join(folder.path, 'without-sqlite/dist')
    cpSync(bundle, dirname(dist), { recursive: true })
    for (const name of readdirSync(dist).filter((each) => each.endsWith('.js'))) {
      const text = readFileSync(join(dist, name), 'utf8')
      writeFileSync(join(dist, name), text.replaceAll('"node:sqlite"', '"node:no-sqlite"'))
    }
    const call = (...words: string[]) =>
      run(process.execPath, [join(dist, '../bin/gossamer.cjs'), ...words], {
        env: cleanEnv({ GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }),
      }).catch((failed: { stdout: string }) => failed)
    expect(JSON.parse((await call('call', 'activity')).stdout)).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      error: expect.stringContaining('node:sqlite'),
      hint: expect.stringContaining('"command"'),
    })
    expect((await call('doctor')).stdout).toContain('has no SQLite')
    expect(JSON.parse((await call('scrape', site.url('/article'), '--json')).stdout)).toHaveProperty('data.markdown')
  })
})
