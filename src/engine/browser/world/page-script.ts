import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Protocol } from 'devtools-protocol'
import { once } from '../../../util/async.ts'
import type { PageFunctions } from '../../page-script/functions-by-name.ts'
import type { Session } from '../cdp/cdp-session.ts'

export type PageFunction = keyof PageFunctions
export type ArgsOf<N extends PageFunction> = Parameters<PageFunctions[N]>
export type ResultOf<N extends PageFunction> = Awaited<ReturnType<PageFunctions[N]>>

/** Functions of the page script in an execution context, to which the page has no reference. */
export type InjectedFunctions = { objectId: string }

/** Returns the page script: a file next to the bundle, or bundled on first use from the sources. */
export const pageScript = once(async () => {
  const isBundle = !import.meta.url.endsWith('.ts')
  return isBundle ? readFile(new URL('./page-script.js', import.meta.url), 'utf8') : bundlePageScript('readable')
})

/** Starts loading the page script, so the first call into a page need not wait for it. */
export function preloadPageScript(): void {
  pageScript().catch(() => undefined)
}

/** Bundles the page script as an expression whose value is the table of functions; esbuild is not shipped. */
export async function bundlePageScript(form: 'minified' | 'readable'): Promise<string> {
  const { build } = await import('esbuild')
  const entry = fileURLToPath(new URL('../../page-script/functions-by-name.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    globalName: 'script',
    write: false,
    minify: form === 'minified',
    target: 'chrome120',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
  return `(()=>{${outputFiles[0]?.text ?? ''}return script.pageFunctions})()`
}

/** Runs the page script in an execution context. */
export async function injectFunctions(session: Session, contextId: number, signal?: AbortSignal) {
  const { result } = await session.send('Runtime.evaluate', { expression: await pageScript(), contextId }, signal)
  return { objectId: result.objectId ?? '' }
}

/** Calls a function by its name and awaits its promise. The result is copied as JSON, or stays in the page as an object. */
export function callFunction(
  session: Session,
  functions: InjectedFunctions,
  name: PageFunction,
  args: readonly unknown[],
  { as, root }: { as: 'value' | 'object'; root?: { objectId: string } },
  signal?: AbortSignal,
): Promise<Protocol.Runtime.EvaluateResponse> {
  return session.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration: root
        ? 'function(functions,name,...args){return functions[name](...args,this)}'
        : 'function(name,...args){return this[name](...args)}',
      objectId: root ? root.objectId : functions.objectId,
      arguments: [...(root ? [functions] : []), ...[name, ...args].map((value) => ({ value }))],
      returnByValue: as === 'value',
      awaitPromise: true,
    },
    signal,
  )
}
