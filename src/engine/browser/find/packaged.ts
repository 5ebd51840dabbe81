import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import { fail } from '../../../kernel/error.ts'
import type { Machine } from './places.ts'

export type Packaged = { path: string; env: Readonly<Record<string, string>> }

const packageName = '@sparticuz/chromium'

/**
 * The headless shell of the npm package @sparticuz/chromium (Linux on x64), installed beside Gossamer or in `folder`;
 * undefined when there is none. Unpacks it to `folder` at first use: some seconds and 210 MB. Its own list of arguments
 * switches safeguards off and is not used. Fails with BROWSER_UNAVAILABLE when it cannot be unpacked.
 */
export async function findPackaged(
  folder: string,
  { platform, arch, env }: Pick<Machine, 'platform' | 'arch' | 'env'>,
): Promise<Packaged | undefined> {
  if (platform !== 'linux' || arch !== 'x64') return undefined
  const root = packageRoot(folder)
  if (root === undefined) return undefined
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const target = join(folder, `chromium-${version}`)
  if (!existsSync(target)) await unpack(join(root, 'bin'), folder, target).catch(notUnpacked)
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

function notUnpacked(cause: unknown): never {
  const { code = 'an unknown fault' } = cause as NodeJS.ErrnoException
  fail('BROWSER_UNAVAILABLE', {
    message: `The browser of the npm package ${packageName} could not be unpacked: the system says ${code}.`,
    hint: 'Set dataDir to a folder that can be written and has 250 MB of space, or set GOSSAMER_BROWSER_PATH to a browser.',
    cause,
  })
}

/** Unpacks beside the target and renames, so that neither an end halfway nor a second process leaves half a browser. */
async function unpack(bin: string, folder: string, target: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sweepHalves(folder)
  const half = await mkdtemp(join(folder, halfPrefix))
  try {
    await Promise.all([
      pipeline(
        createReadStream(join(bin, 'chromium.br')),
        createBrotliDecompress({ chunkSize: 2 ** 21 }),
        createWriteStream(join(half, 'chromium'), { mode: 0o755 }),
      ),
      untar(join(bin, 'al2023.tar.br'), half),
      untar(join(bin, 'fonts.tar.br'), join(half, 'fonts')),
      untar(join(bin, 'swiftshader.tar.br'), half),
    ])
    await writeFile(join(half, 'fonts', 'fonts.conf'), fontsConf(join(target, 'fonts')))
    await rename(half, target).catch((thrown: unknown) => {
      if (!existsSync(target)) throw thrown
    })
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

const halfPrefix = 'unpacking-'
const halfStaleMs = 600_000

async function sweepHalves(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((entry) => entry.startsWith(halfPrefix))) {
    const facts = await stat(join(folder, name)).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > halfStaleMs)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

const decompressed = promisify(brotliDecompress)

async function untar(archive: string, folder: string): Promise<void> {
  for (const { name, mode, bytes } of tarFiles(await decompressed(await readFile(archive)))) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes, { mode })
  }
}

/** The package's own file names folders of its makers' servers. */
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

const libraryFolders = [
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/lib/x86_64-linux-gnu',
  '/usr/lib/x86_64-linux-gnu',
]
const neededLibraries = ['libnss3.so', 'libnspr4.so', 'libexpat.so.1']

/** The libraries and fonts that come with the browser, where the machine has none of its own. */
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

export type TarFile = { name: string; mode: number; bytes: Buffer }

const block = 512

/** The plain files of a tar archive (POSIX ustar); links and devices are left out. Fails on a name that leads out of the archive. */
export function* tarFiles(archive: Buffer): Generator<TarFile> {
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
