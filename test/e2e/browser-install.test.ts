import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedCandidates } from '../../src/engine/browser/find/find-browser.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'
import { serve } from '../helpers/listen.ts'
import { cleanEnv } from '../helpers/program.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const source = join(root, 'node_modules/@sparticuz/chromium')
const onPath = (name: string) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((dir) => join(dir, name))
    .find(existsSync)
const machine = { platform: process.platform, arch: process.arch, env: {}, home: '/nowhere' }
const isBare = !installedCandidates(machine).some(({ path }) => existsSync(path))
const canRun =
  process.platform === 'linux' && process.arch === 'x64' && existsSync(source) && onPath('npm') !== undefined && isBare

const folder = folderForAll()
const at = (...names: string[]) => join(folder.path, ...names)
let registry: Awaited<ReturnType<typeof startRegistry>>
let env: Record<string, string>

/** An npm registry on loopback that has only the package of the browser. */
async function startRegistry() {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path], {
    cwd: source,
    env: cleanEnv(),
  })
  const tarball = readFileSync(at((JSON.parse(stdout) as { filename: string }[])[0]?.filename ?? ''))
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { name: string; version: string }
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const requested: string[] = []
  const server = await serve(({ url, headers }, response) => {
    const path = decodeURIComponent(url ?? '')
    requested.push(path)
    if (path === '/browser.tgz') return void response.end(tarball)
    if (path !== `/${manifest.name}`) return void response.writeHead(404).end('{}')
    const { name, version } = manifest
    const dist = { tarball: `http://${headers.host}/browser.tgz`, integrity }
    const versions = { [version]: { ...manifest, dependencies: {}, devDependencies: {}, dist } }
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  return { ...server, requested }
}

const site = siteForAll()
/** Copies the program without its packages, and prepares a search path that has node and npm but no browser. */
beforeAll(async () => {
  if (!canRun) return
  registry = await startRegistry()
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(root, name), at('gossamer', name), { recursive: true })
  mkdirSync(at('programs'))
  symlinkSync(realpathSync(process.execPath), at('programs/node'))
  for (const name of ['npm', 'npx']) symlinkSync(realpathSync(onPath(name) ?? ''), at('programs', name))
  env = {
    PATH: at('programs'),
    HOME: at('home'),
    npm_config_registry: registry.origin,
    npm_config_cache: at('npm-cache'),
    npm_config_update_notifier: 'false',
    GOSSAMER_DATA_DIR: at('data'),
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
  }
})
afterAll(() => registry?.close())

async function gossamer(...args: string[]) {
  const program = [at('gossamer/bin/gossamer.cjs'), ...args]
  const { stdout, stderr, code } = await run(process.execPath, program, { env, maxBuffer: 50_000_000 }).then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  )
  return { code, stderr, stdout, answer: () => JSON.parse(stdout) as Record<string, unknown> }
}
const screenshot = () => gossamer('scrape', site.url('/article'), '--formats', 'screenshot')

describe.runIf(canRun)('gossamer browser install, on a machine without a browser', () => {
  test('is suggested by operations that need a browser', async () => {
    const { code, answer } = await screenshot()
    expect(code).toBe(1)
    expect(answer()).toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      hint: expect.stringContaining('gossamer browser install'),
    })
    expect(await gossamer('browser', 'path')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/BROWSER_UNAVAILABLE/),
    })
  })

  test('installs the browser of the npm package, and reports the earlier failed attempts', async () => {
    const { code, answer, stderr } = await gossamer('browser', 'install')
    expect(stderr).toMatch(/Playwright's installer did not install one: npx .*\.$/m)
    expect(stderr).toMatch(/The npm package @sparticuz\/chromium@\d+ installed it\.$/m)
    expect(code).toBe(0)
    const path = String(answer()['path'])
    expect(path.startsWith(at('data/browser/'))).toBe(true)
    expect(existsSync(path)).toBe(true)
    expect(registry.requested).toContain('/browser.tgz')
    expect(readdirSync(at('data/browser')).filter((name) => name.startsWith('unpacking-'))).toEqual([])
  })

  test('makes scrapes use the installed browser', async () => {
    const { answer: used } = await gossamer('browser', 'path')
    expect(used()).toMatchObject({ pages: { from: 'npm', path: expect.stringContaining(at('data/browser')) } })
    const { code, answer } = await screenshot()
    expect(code).toBe(0)
    expect(answer()).toMatchObject({
      data: { screenshot: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/) },
    })
  })

  test('does nothing if a browser is installed', async () => {
    const before = registry.requested.length
    expect(await gossamer('browser', 'install')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('A headless browser is already installed.'),
    })
    expect(registry.requested).toHaveLength(before)
  })
})
