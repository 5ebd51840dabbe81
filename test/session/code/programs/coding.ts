import type { Browser } from '../../../../src/engine/browser/launch/types.ts'
import type { CodeResult, Language } from '../../../../src/core/session.ts'
import {
  createCodeRunner,
  type CodeRunner,
  type CodeRunnerOptions,
} from '../../../../src/engine/session/code/runner.ts'
import { findDeno } from '../../../../src/engine/session/code/sandbox/deno.ts'
import { createSandboxes } from '../../../../src/engine/session/code/sandbox/find.ts'
import { none, permission } from '../../../../src/engine/session/code/sandbox/plain.ts'
import type { Sandbox } from '../../../../src/engine/session/code/sandbox/sandbox.ts'

/** The sandbox of this machine that the kernel keeps, if it has one. */
export const strong = await createSandboxes({ allowWeakSandbox: 'never', denoPlaces: [] })('node')

/** Deno is nobody's dependency: it is tried where DENO_PATH says that it is. */
const denoPath = process.env['DENO_PATH']
export const deno = denoPath === undefined ? undefined : await findDeno([denoPath])
if (denoPath !== undefined && !deno) throw new Error('What DENO_PATH names is no Deno that can run code.')

/** Every sandbox that can be tried here, for each language. */
export const places: { language: Language; sandbox: Sandbox }[] = (['node', 'python', 'bash'] as const).flatMap(
  (language) =>
    [strong, ...(language === 'node' ? [deno, permission] : [none])].flatMap((sandbox) =>
      sandbox ? [{ language, sandbox }] : [],
    ),
)

export function runnerOn(
  browser: Browser,
  options: Partial<CodeRunnerOptions> & Pick<CodeRunnerOptions, 'language' | 'sandbox'>,
): CodeRunner {
  return createCodeRunner({ connection: browser.connection, start: 'on demand', ...options })
}

/** Runs one piece of code. */
export async function outcome(runner: CodeRunner, code: string, timeoutMs = 20_000): Promise<CodeResult> {
  return runner.run({ code, timeoutMs }, new AbortController().signal)
}
