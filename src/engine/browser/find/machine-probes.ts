import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, readdir, stat, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { BrowserProbes, Machine } from './find-browser.ts'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import { fail, errorCode } from '../../../kernel/error.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { parseJsonObject } from '../../../util/json.ts'
import { succeeds } from '../../../util/async.ts'

/** Creates the probes of this machine. `folder` is where a browser from npm is installed and unpacked. */
export function machineProbes(folder: string): BrowserProbes {
  // oxlint-disable-next-line node/no-process-env -- the platform and Playwright name their folders by environment variables
  const machine = { platform: process.platform, arch: process.arch, env: process.env, home: homedir() }
  return {
    machine,
    isFile,
    isProgram: async (path) => (await isFile(path)) && succeeds(access(path, constants.X_OK)),
    list: (path) => readdir(path).catch(() => []),
    packaged: () => findPackaged(folder, machine),
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )

const packageName = '@sparticuz/chromium'

/**
 * Returns the headless shell of the npm package @sparticuz/chromium (Linux on x64), installed next to Gossamer or in
 * `folder`; undefined if it is not installed. Unpacks it to `folder` on first use, which takes some seconds and 210 MB.
 * The package's own arguments disable safety features and are not used. Fails with BROWSER_UNAVAILABLE if it cannot be
 * unpacked.
 */
export async function findPackaged(
  folder: string,
  { platform, arch, env }: Pick<Machine, 'platform' | 'arch' | 'env'>,
): Promise<{ path: string; env: Readonly<Record<string, string>> } | undefined> {
  if (platform !== 'linux' || arch !== 'x64') return undefined
  const root = packageRoot(folder)
  if (root === undefined) return undefined
  const { version } = parseJsonObject(await readFile(join(root, 'package.json'), 'utf8')) ?? {}
  const target = join(folder, `chromium-${String(version)}`)
  if (!existsSync(target)) await unpack(join(root, 'bin'), folder, target).catch(unpackError)
  return { path: join(target, 'chromium'), env: environmentFor(target, env, existsSync) }
}

function packageRoot(folder: string): string | undefined {
  for (const from of [import.meta.url, join(folder, 'package.json')]) {
    try {
      return join(dirname(createRequire(from).resolve(packageName)), '..')
    } catch {
      // not installed there
    }
  }
  return undefined
}

function unpackError(cause: unknown): never {
  const code = errorCode(cause) ?? 'an unknown error'
  fail('BROWSER_UNAVAILABLE', {
    message: `The browser of the npm package ${packageName} could not be unpacked: the system says ${code}.`,
    hint: 'Set GOSSAMER_DATA_DIR to a writable folder with 250 MB of free space, or set GOSSAMER_BROWSER_PATH to a browser.',
    cause,
  })
}

/** Unpacks to a temporary folder and renames it, so a crash leaves no incomplete browser. */
async function unpack(bin: string, folder: string, target: string): Promise<void> {
  await makeFolder(folder, 0o700)
  await removeStaleUnpacks(folder)
  const partial = await mkdtemp(join(folder, unpackPrefix))
  try {
    await Promise.all([
      pipeline(
        createReadStream(join(bin, 'chromium.br')),
        createBrotliDecompress({ chunkSize: 2 ** 21 }),
        createWriteStream(join(partial, 'chromium'), { mode: 0o755 }),
      ),
      untar(join(bin, 'al2023.tar.br'), partial),
      untar(join(bin, 'fonts.tar.br'), join(partial, 'fonts')),
      untar(join(bin, 'swiftshader.tar.br'), partial),
    ])
    await writeFile(join(partial, 'fonts', 'fonts.conf'), fontsConf(join(target, 'fonts')))
    await rename(partial, target).catch((thrown: unknown) => {
      if (!existsSync(target)) throw thrown
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

const unpackPrefix = 'unpacking-'
const unpackStaleMs = 600_000

async function removeStaleUnpacks(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((entry) => entry.startsWith(unpackPrefix))) {
    const stats = await stat(join(folder, name)).catch(() => undefined)
    if (stats && Date.now() - stats.mtimeMs > unpackStaleMs)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

const decompressed = promisify(brotliDecompress)

async function untar(archive: string, folder: string): Promise<void> {
  for (const { name, mode, bytes } of tarFiles(await decompressed(await readFile(archive)))) {
    const path = join(folder, name)
    await makeFolder(dirname(path))
    await writeFile(path, bytes, { mode })
  }
}

/** The package's own fonts.conf names folders of AWS Lambda. */
const fontsConf = (path: string) => {
  const folder = path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
</fontconfig>
`
}

const libraryFolders = ['/lib', '/lib64', '/lib/x86_64-linux-gnu'].flatMap((folder) => [folder, `/usr${folder}`])
const neededLibraries = ['libnss3.so', 'libnspr4.so', 'libexpat.so.1']

/** Returns environment variables that name the libraries and fonts of the package, if the machine has none. */
export function environmentFor(
  target: string,
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): Record<string, string> {
  const hasLibraries = neededLibraries.every((name) => libraryFolders.some((folder) => exists(join(folder, name))))
  const libraryPath = [join(target, 'lib'), env['LD_LIBRARY_PATH']].filter(Boolean).join(':')
  return {
    ...(!hasLibraries && { LD_LIBRARY_PATH: libraryPath }),
    ...(!exists('/etc/fonts/fonts.conf') && { FONTCONFIG_PATH: join(target, 'fonts') }),
  }
}

const block = 512

/** Yields the regular files of a tar archive (POSIX ustar). Fails on a path outside the archive. */
export function* tarFiles(archive: Buffer): Generator<{ name: string; mode: number; bytes: Buffer }> {
  for (let at = 0; at + block <= archive.length && archive[at] !== 0;) {
    const header = archive.subarray(at, at + block)
    const size = octal(header, 124, 136)
    const type = header[156]
    if (type === 0x30 || type === 0) {
      const name = [text(header, 345, 500), text(header, 0, 100)].filter(Boolean).join('/')
      if (name.startsWith('/') || name.split('/').includes('..'))
        throw new Error('The archive names a file outside it.')
      yield { name, mode: octal(header, 100, 108), bytes: archive.subarray(at + block, at + block + size) }
    }
    at += block + Math.ceil(size / block) * block
  }
}

function text(header: Buffer, from: number, to: number): string {
  const field = header.subarray(from, to)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end)
}

const octal = (header: Buffer, from: number, to: number) => Number.parseInt(text(header, from, to).trim() || '0', 8)
