import type { BuildOptions } from 'esbuild'

/** Bundles a script or style sheet into one text, in the build or from sources; esbuild is not shipped. */
export async function bundleForBrowser(entry: string, options: BuildOptions): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    write: false,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  })
  return outputFiles?.[0]?.text ?? ''
}
