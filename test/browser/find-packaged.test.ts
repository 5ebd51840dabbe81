import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environmentFor, findPackaged, tarFiles } from '../../src/engine/browser/find/machine-probes.ts'
import { openBrowser } from '../../src/engine/browser/launch/launcher.ts'
import { folderForAll } from '../helpers/for-all.ts'
import { quiet } from './programs/machine.ts'

const isSupported = process.platform === 'linux' && process.arch === 'x64'
const folder = folderForAll()

describe.runIf(isSupported)('the browser of the npm package', () => {
  const here = { platform: process.platform, arch: process.arch, env: {} }

  test('is unpacked once even if requested twice at the same time, and partial copies are removed', async () => {
    const inside = join(folder.path, 'browser')
    const half = join(inside, 'unpacking-abandoned')
    await mkdir(half, { recursive: true })
    await utimes(half, 0, 0)
    const [one, other] = await Promise.all([findPackaged(inside, here), findPackaged(inside, here)])
    expect(one).toEqual(other)
    expect(await readdir(inside)).toEqual([expect.stringMatching(/^chromium-\d+\.\d+\.\d+$/)])
    const { mtimeMs } = await stat(one?.path ?? '')
    await findPackaged(inside, here)
    expect((await stat(one?.path ?? '')).mtimeMs).toBe(mtimeMs)
  })

  test('starts with the libraries and fonts of the machine', async () => {
    const packaged = await findPackaged(join(folder.path, 'browser'), here)
    const { path, env } = packaged ?? { path: '', env: {} }
    const browser = await openBrowser({ path, env, kind: 'shell', from: 'npm' }, { log: quiet })
    expect(browser.version.product).toMatch(/^HeadlessChrome\//)
    await browser.close()
  })

  test('starts with its own libraries and fonts', async () => {
    const packaged = await findPackaged(join(folder.path, 'browser'), here)
    const path = packaged?.path ?? ''
    const env = environmentFor(join(path, '..'), {}, () => false)
    for (const place of Object.values(env)) expect(existsSync(place)).toBe(true)
    const browser = await openBrowser({ path, env, kind: 'shell', from: 'npm' }, { log: quiet })
    expect(browser.version.product).toMatch(/^HeadlessChrome\//)
    await browser.close()
  })
})

test.each([
  { platform: 'darwin', arch: 'arm64' },
  { platform: 'linux', arch: 'arm64' },
  { platform: 'win32', arch: 'x64' },
] as const)('the npm package has no browser for $platform on $arch', async (machine) => {
  expect(await findPackaged(folder.path, { ...machine, env: {} })).toBeUndefined()
})

describe('the environment of the packaged browser', () => {
  const libraries = ['/usr/lib64/libnss3.so', '/usr/lib64/libnspr4.so', '/lib64/libexpat.so.1']
  const fonts = '/etc/fonts/fonts.conf'
  test.each<[string, string[], object]>([
    ['empty on a machine with libraries and fonts', [...libraries, fonts], {}],
    ['the libraries when one is missing', [...libraries.slice(1), fonts], { LD_LIBRARY_PATH: '/d/lib:/own' }],
    ['the fonts when there are none', libraries, { FONTCONFIG_PATH: '/d/fonts' }],
    ['both on a bare machine', [], { LD_LIBRARY_PATH: '/d/lib:/own', FONTCONFIG_PATH: '/d/fonts' }],
  ])('is %s', (_, files, env) => {
    expect(environmentFor('/d', { LD_LIBRARY_PATH: '/own' }, (path) => files.includes(path))).toEqual(env)
  })
})

/** Returns an entry of a tar archive. */
const entry = (name: string, type: string, content: string) => {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('0000755\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  return Buffer.concat([header, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, '\0'))])
}

describe('a tar archive', () => {
  const end = Buffer.alloc(1024)

  test('is unpacked without folders and links', () => {
    const archive = Buffer.concat([
      entry('a/', '5', ''),
      entry('a/b', '0', 'x'.repeat(700)),
      entry('l', '2', ''),
      entry('c', '0', 'y'),
      end,
    ])
    expect([...tarFiles(archive)].map(({ name, mode, bytes }) => [name, mode, bytes.length])).toEqual([
      ['a/b', 0o755, 700],
      ['c', 0o755, 1],
    ])
  })

  test.each(['../etc/passwd', 'a/../../b', '/etc/passwd'])('with the path %s is refused', (name) => {
    expect(() => [...tarFiles(Buffer.concat([entry(name, '0', ''), end]))]).toThrow('outside')
  })
})

test.runIf(isSupported)('a folder that cannot be created is reported with a hint', async () => {
  const file = join(folder.path, 'file')
  await writeFile(file, '')
  const found = findPackaged(join(file, 'browser'), { platform: 'linux', arch: 'x64', env: {} })
  await expect(found).rejects.toMatchObject({
    code: 'BROWSER_UNAVAILABLE',
    message: expect.stringContaining('ENOTDIR'),
    hint: expect.stringContaining('GOSSAMER_DATA_DIR'),
  })
})
