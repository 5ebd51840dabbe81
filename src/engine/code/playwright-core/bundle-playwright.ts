import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

/** One change to the text of Playwright's bundle; `from` must occur exactly once. */
type Edit = { what: string; from: string | RegExp; to: string }

/**
 * Parts of Playwright other than its client and server for Chromium over the DevTools Protocol: other browsers, tools,
 * and features that need a network or other programs.
 */
const unused = new RegExp(
  [
    'server/(?:webkit|firefox|bidi|electron|android|trace/viewer|recorder/|codegen|registry/|recorder|debugController|socks)',
    'src/(?:tools|remote|cli)/',
    'src/(?:androidServerImpl|browserServerImpl)',
  ].join('|'),
)

const edits: readonly Edit[] = [
  {
    what: 'no other browser on the server',
    from: /this\.chromium = new Chromium\(this, new BidiChromium\(this\)\);[\s\S]*?this\.debugController = new DebugController\(this\);/,
    to: 'this.chromium = new Chromium(this);',
  },
  {
    what: 'no dispatcher for another browser',
    from: /const firefox = new BrowserTypeDispatcher[\s\S]*?const initializer = \{[\s\S]*?electron: new ElectronDispatcher\(.*\n/,
    to: 'const initializer = { chromium, firefox: chromium, webkit: chromium,\n',
  },
  { what: 'no channel to Android', from: 'android: tChannel(["Android"]),', to: '' },
  { what: 'no channel to Electron', from: 'electron: tChannel(["Electron"]),', to: '' },
  {
    what: 'no client for Android and Electron',
    from: /this\._android = Android2\.from[\s\S]*?this\._electron\._playwright = this;/,
    to: '',
  },
  {
    what: 'no launch of a browser',
    from: /playwrightAPI\.chromium\._serverLauncher[\s\S]*?AndroidServerLauncherImpl\(\);/,
    to: '',
  },
  {
    what: 'no package beside the bundle',
    from: /packageJSON = require\(.*\);/,
    to: 'packageJSON = { version: VERSION };',
  },
  {
    what: 'no browser is installed',
    from: 'registry.findExecutable(this._name).executablePath() || ""',
    to: '""',
  },
  {
    what: 'files of the sandbox are uploaded by their content, since the browser cannot read them',
    from: /const \[localPaths, localDirectory\] = await resolvePathsAndDirectoryForInputFiles\(items\);[\s\S]*?return \{\n\s+localPaths,\n\s+localDirectory\n\s+\};/,
    to: `const [localPaths, localDirectory] = await resolvePathsAndDirectoryForInputFiles(items);
      if (localDirectory) throw new Error("A folder cannot be uploaded here: name its files.");
      return { payloads: await Promise.all(localPaths.map(async (file) => ({
        name: import_path40.default.basename(file),
        mimeType: getMimeTypeForPath(file) ?? "application/octet-stream",
        buffer: await import_fs45.default.promises.readFile(file)
      }))) };`,
  },
]

/**
 * Returns the text of playwright-core's single bundle, changed so that a bundler can omit what a session does not need.
 */
export function edited(bundle: string, version: string): string {
  const upToEntry = bundle.slice(0, bundle.indexOf('\ninit_coreBundle();'))
  const parts = edits.reduce(edit, asModule(upToEntry)).replaceAll('{ version: VERSION }', JSON.stringify({ version }))
  return `${parts}\ninit_inprocess();\nexport { playwright };\n`
}

/** Converts the bundle to an ES module whose parts have no effect until they are used. */
function asModule(text: string): string {
  // Scripts for pages are bundles too, embedded here as text.
  const isInText = (name: string) =>
    text.includes(`\nmodule.exports = __toCommonJS(${name});`) && name !== 'coreBundle_exports'
  return `${exported}${text}`
    .replace('module.exports = __toCommonJS(coreBundle_exports);', '')
    .replaceAll(/^(var \w+ = )(__esm|__commonJS)\(/gm, '$1/* @__PURE__ */ $2(')
    .replaceAll(/^var (\w+) = \{\};\n__export\(\1, \{/gm, (all, name: string) =>
      isInText(name) ? all : `var ${name} = /* @__PURE__ */ __exported({`,
    )
    .replaceAll(part, (all, head: string, name: string) => (unused.test(name) ? `${head}"${name}"() {}\n});` : all))
}

/**
 * Function added to the bundle. It creates one object with all exports of a module, so an unused module can be omitted.
 */
const exported = 'var __exported = (all) => { var target = {}; __export(target, all); return target };\n'
const part = /^(var init_\w+ = \/\* @__PURE__ \*\/ __esm\(\{\n {2})"(packages\/[^"]+)"\(\) \{\n[\s\S]*?^ {2}\}\n\}\);/gm

function edit(text: string, { what, from, to }: Edit): string {
  const pieces = text.split(from)
  if (pieces.length !== 2) throw new Error(`playwright-core has changed: ${what} (found ${pieces.length - 1} times).`)
  return pieces.join(to)
}

/** Modules of Node that are replaced by a stand-in, because their functions do not work in a sandbox. */
const closed = /^(?:(?:node:)?(?:child_process|dns|http|http2|https|inspector|net|os|readline|tls)|\.\/bootstrap)$/
const standIns = {
  closed: fileURLToPath(new URL('./stand-ins/closed.ts', import.meta.url)),
  utils: fileURLToPath(new URL('./stand-ins/utils.ts', import.meta.url)),
}

/**
 * Bundles Playwright for session code in one file that imports only Node's own modules: playwright-core without the
 * parts that control other browsers, install or launch browsers, or access the network.
 */
export async function bundlePlaywright() {
  const { build } = await import('esbuild')
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, 'lib/coreBundle.js')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // The bundle has no files next to it.
    define: { __dirname: '"/nonexistent/lib"' },
    banner: {
      js: "// Made of playwright-core (Apache-2.0), changed: THIRD-PARTY-NOTICES.txt\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
    plugins: [sessionParts(folder)],
  })
  return { text: outputFiles[0]!.text, metafile, ...(await noticesOf(folder)) }
}

/** Returns the notices that Playwright requires, and the packages embedded in it, with their licences. */
async function noticesOf(folder: string) {
  const own = await readFile(join(folder, 'NOTICE'), 'utf8')
  const all = await readFile(join(folder, 'lib/utilsBundle.js.LICENSE'), 'utf8')
  const embedded = ['yazl', 'buffer-crc32'].map((name) => embeddedPackage(all, name))
  const texts = embedded.map(({ name, version, text }) => `${name}@${version}, in playwright-core\n\n${text}\n`)
  return {
    notices: [`playwright-core NOTICE\n\n${own.trim()}\n`, ...texts].join('\n'),
    held: embedded.map(({ name, version }) => ({ name, version, license: 'MIT' })),
  }
}

function embeddedPackage(notices: string, name: string) {
  const section = `^%% ${name}@(\\S+) NOTICES AND INFORMATION BEGIN HERE\\n=+\\n([\\s\\S]*?)\\n=+\\nEND OF ${name}@`
  const [, version, text] = new RegExp(section, 'm').exec(notices) ?? []
  if (version === undefined || !text?.includes('The MIT License'))
    throw new Error(`playwright-core has changed: there is no MIT licence of ${name}.`)
  return { name, version, text: text.trim() }
}

function sessionParts(folder: string): Plugin {
  const lib = (name: string) => readFile(join(folder, 'lib', name), 'utf8')
  return {
    name: 'session parts',
    setup(build) {
      build.onLoad({ filter: /coreBundle\.js$/ }, async () => {
        const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
        return { contents: edited(await lib('coreBundle.js'), version) }
      })
      build.onResolve({ filter: /^\.\/utilsBundle$/ }, () => ({ path: join(folder, 'lib/utilsBundle.js') }))
      build.onLoad({ filter: /utilsBundle\.js$/ }, async () => ({
        contents: [...packagesOf(await lib('utilsBundle.js'), 'yazl'), `export * from '${standIns.utils}'`].join('\n'),
      }))
      build.onResolve({ filter: closed }, () => ({ path: 'closed', namespace: 'stand-in' }))
      // Not an ES module, because Playwright imports some of them by their default export.
      build.onLoad({ filter: /./, namespace: 'stand-in' }, () => ({
        contents: `module.exports = require('${standIns.closed}').closed`,
        resolveDir: folder,
      }))
    },
  }
}

/** Returns the text of one package in a bundle of packages, with everything it requires, exported by its name. */
function packagesOf(bundle: string, name: string): string[] {
  const parts = new Map<string, string>()
  const take = (id: string) => {
    if (parts.has(id)) return
    const text = new RegExp(`^var ${id} = __commonJS\\(\\{[\\s\\S]*?^\\}\\);`, 'm').exec(bundle)?.[0]
    if (text === undefined) throw new Error(`playwright-core has changed: there is no ${id}.`)
    parts.set(id, text)
    for (const [each] of text.matchAll(/\brequire_\w+(?=\(\))/g)) take(each)
  }
  take(`require_${name}`)
  const [helpers = ''] = bundle.split(/^var require_/m, 1)
  return [helpers.replace(/^"use strict";/, ''), ...parts.values(), `export const ${name} = require_${name}()`]
}
