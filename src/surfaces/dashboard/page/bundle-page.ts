import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files of the page by name; all but `index.html` have a hash of their content in it. */
export type Assets = ReadonlyMap<string, string>

const file = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url))

/** The page as a document and the scripts and styles it loads; what few views need is a script of its own. */
export async function bundleDashboard(form: 'minified' | 'readable') {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    entryPoints: { main: file('main.ts'), style: file('styles/main.css') },
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    outdir: 'dashboard',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    minify: form === 'minified',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
  const built = outputFiles.map(({ path, text }) => [basename(path), text] as const)
  const named = (start: string) => built.map(([name]) => name).find((name) => name.startsWith(`${start}-`)) ?? ''
  const preloads = importsOf(metafile, `dashboard/${named('main')}`).map((name) => preload(basename(name)))
  const html = (await readFile(file('index.html'), 'utf8'))
    .replace('style.css', named('style'))
    .replace('main.js', named('main'))
    .replace('<!-- preloads -->', preloads.join('\n    '))
  const assets: Assets = new Map([...built, ['index.html', html]])
  return { assets, metafile }
}

/** Scripts without which one cannot run: the browser is told of them at once, not when it has read those before. */
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
