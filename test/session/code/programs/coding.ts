import type { CodeResult, Language } from '../../../../src/contracts/session-port.ts'
import type { Browser } from '../../../../src/engine/browser/launch/process.ts'
import { pageScript } from '../../../../src/engine/browser/world/isolated-world.ts'
import { type CodeRunner, type CodeRunnerOptions, createCodeRunner } from '../../../../src/engine/code/runners.ts'
import { createSandboxes, findDeno, none, permission } from '../../../../src/engine/code/sandbox/find-sandbox.ts'
import { playwrightFile, type ProgramSettings } from '../../../../src/engine/code/sandbox/programs.ts'
import type { Sandbox } from '../../../../src/engine/code/sandbox/run-in-sandbox.ts'
import { processesBelow } from '../../../helpers/processes.ts'

/** Bundles the page script before the tests, because they count processes, and the process of the bundler stays. */
await pageScript()
const nodePrograms = { playwright: await playwrightFile() }

/** The sandbox of this machine that the kernel enforces, if there is one. */
export const strong = await createSandboxes({ allowWeakSandbox: 'never', denoPaths: [] })('node')

/** Deno is not a dependency: its tests run if DENO_PATH names it. */
const denoPath = process.env['DENO_PATH']
export const deno = denoPath === undefined ? undefined : await findDeno([denoPath])
if (denoPath !== undefined && !deno) throw new Error('DENO_PATH does not name a Deno that can run code.')

export type Place = { name: string; language: Language; sandbox: Sandbox; programs?: ProgramSettings }

/** All sandboxes that work on this machine, for each language. */
export const places: Place[] = (['node', 'python', 'bash'] as const).flatMap((language) =>
  [strong, ...(language === 'node' ? [deno, permission] : [none])].flatMap((sandbox) =>
    sandbox ? [{ name: sandbox.name, language, sandbox, programs: nodePrograms }] : [],
  ),
)

export function runnerOn(
  browser: Browser,
  options: Partial<CodeRunnerOptions> & Pick<CodeRunnerOptions, 'language' | 'sandbox'>,
): CodeRunner {
  return createCodeRunner({
    connection: browser.connection,
    start: 'on demand',
    ...options,
    programs: { ...nodePrograms, ...options.programs },
  })
}

/** Returns code that never ends. It prints `started`, and opens a page whose URL contains the name. */
export function endless(language: Language, name: string): string {
  const page = `'data:text/html,${name}'`
  const codes: Record<Language, string> = {
    node: `console.log('started'); await page.goto(${page}); for (;;);`,
    python: `print('started', flush=True); await page.goto(${page})\nwhile True: pass`,
    bash: `echo started; agent-browser open ${page} >/dev/null; while :; do :; done`,
  }
  return codes[language]
}

/** Resolves when a page whose URL contains the name is open. */
export async function shown({ connection: { browser } }: Browser, name: string): Promise<void> {
  const opened = new Promise<void>((resolve) => {
    browser.on('Target.targetInfoChanged', ({ targetInfo }) => targetInfo.url.includes(name) && resolve())
  })
  await browser.send('Target.setDiscoverTargets', { discover: true })
  await opened
}

/** Returns a function that lists the processes started since, except those of running browsers. */
export function startedSince(): () => number[] {
  const before = processesBelow(process.pid)
  const parents = before.filter((pid) => processesBelow(pid).length > 0)
  return () => {
    const others = new Set([...before, ...parents.flatMap(processesBelow)])
    return processesBelow(process.pid).filter((pid) => !others.has(pid))
  }
}

/** Runs one piece of code. */
export async function outcome(runner: CodeRunner, code: string, timeoutMs = 20_000): Promise<CodeResult> {
  return runner.run({ code, timeoutMs }, new AbortController().signal)
}
