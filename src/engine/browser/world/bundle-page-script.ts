import type { BuildOptions } from 'esbuild'

/**
 * Bundles a script or style sheet that runs in a browser, with all that it imports, into one text; a script defines no
 * global. For the build, and for a program that runs from its sources: esbuild is a development dependency.
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
