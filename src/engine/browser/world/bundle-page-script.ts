import type { BuildOptions } from 'esbuild'

/**
 * Bundles a script or style sheet for the browser, with all its imports, into one text; a script defines no global.
 * Used by the build and by programs that run from their sources, because esbuild is a development dependency.
 */
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
