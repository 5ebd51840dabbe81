import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BrowserProbes, Machine } from '../../src/engine/browser/find/find-browser.ts'
import { installBrowser, runProgram, type Run } from '../../src/engine/browser/find/install.ts'
import { folderForAll } from '../helpers/for-all.ts'
import { quiet } from './programs/machine.ts'

const temp = folderForAll()
const folder = join(temp.path, 'browser')

const linux: Machine = { platform: 'linux', arch: 'x64', env: { PATH: '/usr/bin' }, home: '/home/me' }
const cache = '/home/me/.cache/ms-playwright/chromium_headless_shell-1255'
const works: Record<string, readonly string[]> = {
  npx: [`${cache}/INSTALLATION_COMPLETE`, `${cache}/chrome-headless-shell-linux64/chrome-headless-shell`],
  'apt-get chromium-headless-shell': ['/usr/bin/chromium-headless-shell'],
  'apt-get chromium': ['/usr/bin/chromium'],
  npm: ['packaged'],
}

/** Creates a machine on which only these installers work. */
function machineWhere(working: readonly string[], { machine = linux, has = [] as string[] } = {}) {
  const files = new Set(has)
  const ran: string[] = []
  const exists = async (path: string) => files.has(path)
  const probes: BrowserProbes = {
    machine,
    isFile: exists,
    isProgram: exists,
    list: async (path) => (cache.startsWith(path) ? ['chromium_headless_shell-1255'] : []),
    packaged: async () => (files.has('packaged') ? { path: '/data/chromium', env: {} } : undefined),
  }
  const runIt: Run = async (command, args) => {
    ran.push([command, ...args].join(' '))
    if (args[0] === 'update') return { code: 0, output: '' }
    const name = command === 'apt-get' ? `apt-get ${args.at(-1)}` : command
    if (!working.includes(name)) return { code: 100, output: `E: failed to get ${name}\n` }
    for (const file of works[name] ?? []) files.add(file)
    return { code: 0, output: '' }
  }
  return { ran, install: (isRoot: boolean) => installBrowser({ folder, log: quiet, probes, isRoot, run: runIt }) }
}

describe('installing a browser', () => {
  test("tries Playwright's installer first", async () => {
    const { install, ran } = machineWhere(['npx', 'npm'])
    expect(await install(true)).toEqual({ did: "Playwright's installer installed it.", path: works['npx']?.[1] })
    expect(ran).toEqual(['npx --yes playwright-core@1.65.1 install chromium-headless-shell'])
  })

  test('installs Debian packages as root, and reports the earlier failures', async () => {
    const { install, ran } = machineWhere(['apt-get chromium-headless-shell', 'npm'])
    expect(await install(true)).toEqual({
      did: 'Playwright\'s installer did not install one: npx exited with code 100 and printed "E: failed to get npx". The Debian package chromium-headless-shell installed it.',
      path: '/usr/bin/chromium-headless-shell',
    })
    expect(ran.slice(1)).toEqual([
      'apt-get update',
      'apt-get install --yes --no-install-recommends chromium-headless-shell',
    ])
  })

  test.each([
    ['the full Debian package when there is no shell', ['apt-get chromium', 'npm'], true, '/usr/bin/chromium'],
    ['the npm package without root', ['apt-get chromium', 'npm'], false, '/data/chromium'],
    ['the npm package when all other installers fail', ['npm'], true, '/data/chromium'],
  ])('installs %s', async (_, working, isRoot, path) => {
    expect(await machineWhere(working).install(isRoot)).toMatchObject({ path })
  })

  test('unpacks the npm package into the data folder, without running its scripts', async () => {
    const { install, ran } = machineWhere(['npm'])
    await install(false)
    expect(ran.at(-1)).toBe(
      `npm install --prefix ${folder} --no-audit --no-fund --ignore-scripts @sparticuz/chromium@153`,
    )
  })

  test('does nothing if a headless browser exists', async () => {
    const { install, ran } = machineWhere(['npx'], { has: ['/usr/bin/chromium-headless-shell'] })
    expect(await install(true)).toEqual({
      did: 'A headless browser is already installed.',
      path: '/usr/bin/chromium-headless-shell',
    })
    expect(ran).toEqual([])
  })

  test('reports each attempt if all of them fail', async () => {
    await expect(machineWhere([]).install(true)).rejects.toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      message: expect.stringMatching(/Playwright.*"E: failed to get npx".*chromium-headless-shell.*npm package/),
    })
  })

  test('detects an installer that does nothing', async () => {
    works['idle'] = []
    const { install } = machineWhere(['apt-get chromium'])
    works['apt-get chromium'] = []
    await expect(install(true)).rejects.toMatchObject({
      message: expect.stringContaining('chromium did not install one: it succeeded, but no browser was found'),
    })
  })
})

describe('an installer', () => {
  const node = process.execPath

  test('returns its exit code and output', async () => {
    const script = 'console.log("out"); console.error("err"); process.exitCode = 3'
    const { code, output } = await runProgram(node, ['-e', script], 20_000)
    expect(code).toBe(3)
    expect(output.split('\n').toSorted()).toEqual(['', 'err', 'out'])
  })

  test('does not receive our keys', async () => {
    process.env['GOSSAMER_REMOTE_KEY'] = 'hunter2'
    const { output } = await runProgram(node, ['-p', 'JSON.stringify(process.env)'], 20_000)
    delete process.env['GOSSAMER_REMOTE_KEY']
    expect(output).toContain('PATH')
    expect(output).not.toContain('hunter2')
  })

  test('is killed after the time limit', async () => {
    expect(await runProgram(node, ['-e', 'setInterval(() => {}, 1000)'], 100)).toMatchObject({
      code: 124,
      output: expect.stringContaining('not ended after 100 ms'),
    })
  })

  test('that is missing is reported', async () => {
    expect(await runProgram('/no/such/installer', [], 20_000)).toMatchObject({ code: 127 })
  })
})
