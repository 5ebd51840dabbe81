import { readdir, readFile } from 'node:fs/promises'
import { once } from '../util/async.ts'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'

/** Dashboard files by name; all names except the page's contain a hash of the content. */
export type Assets = ReadonlyMap<string, string>

const isBundle = !import.meta.url.endsWith('.ts')
/** Builds the pages on first use, if the program runs from its sources; a bundled program reads built files. */
const built = once(bundleWeb)

export const loadAssets = once(async (): Promise<Assets> => {
  if (!isBundle) return (await built()).dashboard
  const folder = new URL('./dashboard/', import.meta.url)
  const names = await readdir(folder)
  const texts = names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const)
  return new Map(await Promise.all(texts))
})

/** Returns a page with its script and styles inlined. */
export const loadPage = async (name: 'live-view-page.html' | 'mcp-app-page.html'): Promise<string> =>
  isBundle ? readFile(new URL(`./${name}`, import.meta.url), 'utf8') : ((await built()).documents.get(name) ?? '')

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const shared = {
  bundle: true,
  write: false,
  minify: true,
  outdir: 'web',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

/** Bundles all web pages. Needs esbuild, which only a checkout has. */
export async function bundleWeb() {
  const [{ files, metafile }, ...documents] = await Promise.all([
    bundleDashboard(),
    bundleDocument('live-view/live-view-page'),
    bundleDocument('mcp-app/mcp-app-page'),
  ])
  return { dashboard: new Map(files), documents: new Map(documents), metafile }
}

type Named = readonly [name: string, text: string]

async function bundleDocument(path: string): Promise<Named> {
  const { build } = await import('esbuild')
  const entryPoints = [file(`./${path}.css`), file(`./${path}.ts`)]
  const { outputFiles } = await build({ ...shared, entryPoints, format: 'iife' })
  const textOf = (ending: string) => outputFiles.find((each) => each.path.endsWith(ending))?.text.trim() ?? ''
  const html = await readFile(file(`./${path}.html`), 'utf8')
  // Replaced by functions, because `$` has a meaning in a replacement text.
  const whole = html.replace('/* style */', () => textOf('.css')).replace('/* script */', () => textOf('.js'))
  return [`${basename(path)}.html`, whole]
}

/** Bundles the dashboard as a document with scripts and styles. Views that are loaded later have scripts of their own. */
async function bundleDashboard() {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: { main: file('./dashboard/dashboard-page.ts'), style: file('./dashboard/dashboard-page.css') },
    splitting: true,
    format: 'esm',
    metafile: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  })
  const outputs = outputFiles.map(({ path, text }): Named => [basename(path), text])
  const named = (start: string) => outputs.map(([name]) => name).find((name) => name.startsWith(`${start}-`)) ?? ''
  const preloads = importsOf(metafile, `web/${named('main')}`).map((name) => preload(basename(name)))
  const html = (await readFile(file('./dashboard/dashboard-page.html'), 'utf8'))
    .replace('style.css', named('style'))
    .replace('main.js', named('main'))
    .replace('<!-- preloads -->', preloads.join('\n    '))
  return { files: [...outputs, ['dashboard-page.html', html] satisfies Named], metafile }
}

/** Returns the static imports of a script. They are preloaded, so the browser need not find them one after another. */
function importsOf({ outputs }: Metafile, name: string, known = new Set<string>()): string[] {
  for (const { path, kind } of outputs[name]?.imports ?? []) {
    if (kind !== 'import-statement' || known.has(path)) continue
    known.add(path)
    importsOf({ outputs }, path, known)
  }
  return [...known]
}

type Metafile = { outputs: Record<string, { imports: readonly { path: string; kind: string }[] }> }

const preload = (name: string) => `<link rel="modulepreload" href="/dashboard/${name}" />`
