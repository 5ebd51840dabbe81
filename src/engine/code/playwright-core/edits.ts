/** One change to the text of Playwright's bundle: what stands there must stand there once. */
type Edit = { what: string; from: string | RegExp; to: string }

/**
 * What Playwright is made of beside a client and a server for Chromium over the DevTools Protocol: other browsers, programs
 * around it, and what would need a network or other programs.
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
    what: 'nothing that launches a browser',
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

/** The text of playwright-core's one bundle, changed so that a bundler can leave out what a session does not need. */
export function edited(bundle: string, version: string): string {
  const upToEntry = bundle.slice(0, bundle.indexOf('\ninit_coreBundle();'))
  const parts = edits.reduce(edit, asModule(upToEntry)).replaceAll('{ version: VERSION }', JSON.stringify({ version }))
  return `${parts}\ninit_inprocess();\nexport { playwright };\n`
}

/** An ES module, whose parts have no effect until they are used. */
function asModule(text: string): string {
  // Scripts for pages are bundles too, as texts in this one.
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

/** One object with all exports of a module, so that an unused module can be left out. */
const exported = 'var __exported = (all) => { var target = {}; __export(target, all); return target };\n'
const part = /^(var init_\w+ = \/\* @__PURE__ \*\/ __esm\(\{\n {2})"(packages\/[^"]+)"\(\) \{\n[\s\S]*?^ {2}\}\n\}\);/gm

function edit(text: string, { what, from, to }: Edit): string {
  const pieces = text.split(from)
  if (pieces.length !== 2) throw new Error(`playwright-core has changed: ${what} (found ${pieces.length - 1} times).`)
  return pieces.join(to)
}
