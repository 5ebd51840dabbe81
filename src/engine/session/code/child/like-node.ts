import { Console } from 'node:console'
import { cleanEnvironment } from '../sandbox/sandbox.ts'

/** Deno where code would see that it is not Node: how values are printed, and an environment that is empty rather than not to be read. */
export function likeNode(): void {
  globalThis.console = new Console(process.stdout, process.stderr)
  Object.defineProperty(process, 'env', {
    value: cleanEnvironment('/nonexistent', '/usr/bin:/bin'),
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

/** The same error with the line it is about, which Deno tells only of modules. Nothing of the text runs: it is inside a function. */
export async function withLine(thrown: unknown, code: string): Promise<unknown> {
  if (!(thrown instanceof SyntaxError)) return thrown
  const module = `data:text/javascript,${encodeURIComponent(`(async () => {${code}\n})`)}`
  const said = await import(module).then(
    () => '',
    (error: unknown) => String((error as Partial<Error>).message),
  )
  const line = /:(\d+):\d+$/.exec(said)?.[1]
  return line === undefined
    ? thrown
    : Object.assign(new SyntaxError(thrown.message), { stack: `${String(thrown)}\n    at code.js:${line}` })
}
