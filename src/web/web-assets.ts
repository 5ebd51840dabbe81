import { readdir, readFile } from 'node:fs/promises'
import { once } from '../util/async.ts'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'

/** Dashboard files by name; all names except the page's contain a hash of the content. */
export type Assets = ReadonlyMap<string, string>

const isBundle = !import.meta.url.endsWith('.ts')
/** A bundle reads built files; a program that runs from sources builds them on first use. */
const made = once(bundleWeb)

export const loadAssets = once(async (): Promise<Assets> => {
  if (!isBundle) return (await made()).dashboard
  const folder = new URL('./dashboard/', import.meta.url)
  const names = await readdir(folder)
  const texts = names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const)
  return new Map(await Promise.all(texts))
})

/** Returns a page with its script and styles inlined. */
export const loadPage = async (name: 'live-view-page.html' | 'mcp-app-page.html'): Promise<string> =>
  isBundle ? readFile(new URL(`./${name}`, import.meta.url), 'utf8') : ((await made()).documents.get(name) ?? '')

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

/** Bundles all web pages, at build time or when run from sources: esbuild is a development dependency. */
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
  // Functions, because `$` is special in a replacement string.
  const whole = html.replace('/* style */', () => textOf('.css')).replace('/* script */', () => textOf('.js'))
  return [`${basename(path)}.html`, whole]
}

/** Bundles the dashboard as a document with its scripts and styles; code that few views need is a separate script. */
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
  const built = outputFiles.map(({ path, text }): Named => [basename(path), text])
  const named = (start: string) => built.map(([name]) => name).find((name) => name.startsWith(`${start}-`)) ?? ''
  const preloads = importsOf(metafile, `web/${named('main')}`).map((name) => preload(basename(name)))
  const html = (await readFile(file('./dashboard/dashboard-page.html'), 'utf8'))
    .replace('style.css', named('style'))
    .replace('main.js', named('main'))
    .replace('<!-- preloads -->', preloads.join('\n    '))
  return { files: [...built, ['dashboard-page.html', html] satisfies Named], metafile }
}

/** Static imports of a script: preloading them saves the browser from finding them one after another. */
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
