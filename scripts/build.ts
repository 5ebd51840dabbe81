/** Bundles the program and the library into dist/: chunks, types, threads, child processes and package licences. */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { build, type BuildOptions, type Metafile } from 'esbuild'
import { packagedScript } from '../src/engine/browser/page/consent.ts'
import { bundlePageScript } from '../src/engine/browser/world/isolated-world.ts'
import { bundlePlaywright } from '../src/engine/code/playwright-core/bundle-playwright.ts'
import { bundleWeb } from '../src/web/web-assets.ts'
import { lean, leanDefines } from './bundle/lean.ts'
import { writeDeclarations } from './declarations/write.ts'
import { openingAnswers } from './opening.ts'
import { sbomOf } from './sbom.ts'

export async function bundle(outdir = 'dist'): Promise<void> {
  const entryPoints = {
    start: 'src/start.ts',
    main: 'src/main.ts',
    index: 'src/library/index.ts',
    'sqlite-worker': 'src/engine/store/sqlite/db/sqlite-worker.ts',
    'read-worker': 'src/engine/html/worker/read-worker.ts',
    'body-worker': 'src/app/bodies/body-worker.ts',
    'crawl-thread-worker': 'src/app/wiring/crawl-threads/crawl-thread-worker.ts',
    'convert-child': 'src/engine/document/convert-child.ts',
  }
  // Single files, as nothing else is visible in the sandbox.
  const sandboxed = {
    'code-child': 'src/engine/code/child/code-child.ts',
    'playwright-host': 'src/engine/code/child/playwright-host.ts',
  }
  const metafiles = [
    await bundleInto(outdir, { entryPoints, splitting: true }),
    await bundleInto(outdir, { entryPoints: sandboxed }),
  ]
  const opening = openingAnswers(resolve(outdir))
  copyFileSync(packagedScript(), join(outdir, 'autoconsent.js'))
  writeFileSync(join(outdir, 'page-script.js'), await bundlePageScript('minified'))
  const children = 'src/engine/code/child'
  copyFileSync(join(children, 'code-child.sh'), join(outdir, 'code-child.sh'))
  cpSync(join(children, 'python'), join(outdir, 'python'), {
    recursive: true,
    filter: (path) => !path.includes('__pycache__'),
  })
  const playwright = await bundlePlaywright()
  writeFileSync(join(outdir, 'playwright.mjs'), playwright.text)
  mkdirSync(join(outdir, 'dashboard'), { recursive: true })
  const { dashboard, documents, metafile } = await bundleWeb()
  for (const [name, text] of dashboard) writeFileSync(join(outdir, 'dashboard', name), text)
  for (const [name, text] of documents) writeFileSync(join(outdir, name), text)
  const packages = packagesIn([...metafiles, metafile, playwright.metafile])
  writeFileSync(join(outdir, 'opening.json'), JSON.stringify(await opening))
  const texts = [packages.map(noticeOf).join(rule), playwright.notices]
  writeFileSync(join(outdir, 'sbom.cdx.json'), sbomOf(packages, playwright.held))
  writeFileSync(join(outdir, 'THIRD-PARTY-NOTICES.txt'), texts.join(rule))
}

async function bundleInto(outdir: string, options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    ...options,
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    define: { bundledSources: JSON.stringify(digestOfSources()), ...leanDefines },
    // Loaded only when running from the sources.
    external: ['esbuild'],
    // A lazily loaded CommonJS package would lack its named exports or parts.
    alias: {
      tldts: 'tldts/dist/es6/index.js',
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      // The exports map of the package does not list its ES module.
      numfmt: resolve(findPackageJSON('numfmt', import.meta.url)!, '../dist/index.mjs'),
    },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    chunkNames: '[name]-[hash]',
    // The banner defines require(), which bundled CommonJS packages call for Node's own modules.
    plugins: [lean],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  return metafile
}

/** Digest of all inputs of the program: its sources and the versions of its packages. */
function digestOfSources(): string {
  const digest = createHash('sha256').update(readFileSync('package-lock.json'))
  for (const path of globSync('src/**/*.ts').toSorted()) digest.update(path).update(readFileSync(path))
  return digest.digest('base64url').slice(0, 12)
}

const rule = `\n${'-'.repeat(80)}\n\n`

/** Folders of all bundled packages. */
function packagesIn(metafiles: readonly Metafile[]): string[] {
  const paths = [...metafiles.flatMap(({ inputs }) => Object.keys(inputs)), relative('.', packagedScript())]
  return [...new Set(paths.flatMap((path) => packageFolder(path) ?? []))].sort()
}

function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
}

/** Licence text of a package. */
function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry))
  const text =
    file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
  return `${name} ${version} (${license})\n\n${text}\n`
}

if (import.meta.filename === process.argv[1]) {
  process.chdir(dirname(import.meta.dirname))
  // `bundle` does not delete the previous build, because a running program still loads its chunks; only this script
  // does.
  rmSync('dist', { recursive: true, force: true })
  await bundle()
  await writeDeclarations('dist/types')
}
