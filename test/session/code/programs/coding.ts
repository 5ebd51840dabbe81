import type { CodeResult, Language } from '../../../../src/contracts/session-port.ts'
import type { Browser } from '../../../../src/engine/browser/launch/process.ts'
import { pageScript } from '../../../../src/engine/browser/world/isolated-world.ts'
import { type CodeRunner, type CodeRunnerOptions, createCodeRunner } from '../../../../src/engine/code/runners.ts'
import { createSandboxes, findDeno, none, permission } from '../../../../src/engine/code/sandbox/find-sandbox.ts'
import { playwrightFile, type ProgramSettings } from '../../../../src/engine/code/sandbox/programs.ts'
import type { Sandbox } from '../../../../src/engine/code/sandbox/run-in-sandbox.ts'
import { processesBelow } from '../../../helpers/processes.ts'

/** Tests count processes, and the bundler that makes these two stays. */
await pageScript()
const nodePrograms = { playwright: await playwrightFile() }

/** The sandbox of this machine that the kernel keeps, if it has one. */
export const strong = await createSandboxes({ allowWeakSandbox: 'never', denoPaths: [] })('node')

/** Deno is not a dependency: its tests run if DENO_PATH names it. */
const denoPath = process.env['DENO_PATH']
export const deno = denoPath === undefined ? undefined : await findDeno([denoPath])
if (denoPath !== undefined && !deno) throw new Error('What DENO_PATH names is no Deno that can run code.')

export type Place = { name: string; language: Language; sandbox: Sandbox; programs?: ProgramSettings }

/** Every sandbox that can be tried here, for each language. */
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

/** Code that never ends. That it runs it says in its output, and by going to the page that is named. */
export function endless(language: Language, name: string): string {
  const page = `'data:text/html,${name}'`
  const codes: Record<Language, string> = {
    node: `console.log('started'); await page.goto(${page}); for (;;);`,
    python: `print('started', flush=True); await page.goto(${page})\nwhile True: pass`,
    bash: `echo started; agent-browser open ${page} >/dev/null; while :; do :; done`,
  }
  return codes[language]
}

/** Resolves when a page of the browser is the one that is named. */
export async function shown({ connection: { browser } }: Browser, name: string): Promise<void> {
  const got = new Promise<void>((resolve) => {
    browser.on('Target.targetInfoChanged', ({ targetInfo }) => targetInfo.url.includes(name) && resolve())
  })
  await browser.send('Target.setDiscoverTargets', { discover: true })
  await got
}

/**
 * Tells which processes this one has started since: not those of browsers that run, for Chromium starts and ends some
 * of its own.
 */
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
