import { mkdir } from 'node:fs/promises'
import { AppError, failure } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { tellingText } from '../launch/failure.ts'
import { type BrowserProbes, findBrowser, type LocalBrowser } from './find.ts'
import { run as runProgram, type Run } from './run-program.ts'

export type InstallOptions = {
  /** Where a browser from npm is installed and unpacked, as `machineProbes` has it. */
  folder: string
  log: Pick<Log, 'info' | 'warn'>
  probes: BrowserProbes
  isRoot: boolean
  run?: Run
}

/** What was done, a sentence a step, and the browser that is used from now on. */
export type Installed = { did: string; path: string }

type Step = { name: string; applies: boolean; commands: readonly (readonly string[])[] }

const limitMs = 300_000
const playwright = 'playwright-core@1.65.1'
const packaged = '@sparticuz/chromium@153'

/**
 * Gets a browser for this machine: by Playwright's installer, or Debian's packages as root, or from npm (Linux on x64).
 * Fails with BROWSER_UNAVAILABLE, which says what each way ended with.
 */
export async function installBrowser(options: InstallOptions): Promise<Installed> {
  const { log, run = runProgram, probes } = options
  const before = await localBrowser(probes)
  if (before?.kind === 'shell') return { did: 'A headless browser is there already.', path: before.path }

  const failed: string[] = []
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  for (const step of stepsOf(options).filter(({ applies }) => applies)) {
    log.info('browser.install', { step: step.name })
    const fault = await faultOf(step, run)
    const found = fault === undefined ? await localBrowser(probes) : undefined
    if (found && found.path !== before?.path)
      return { did: [...failed, `${step.name} installed it.`].join(' '), path: found.path }
    failed.push(`${step.name} did not install one: ${fault ?? 'it ended well, but nothing is there'}.`)
    log.warn('browser.install', { step: step.name, fault })
  }
  const atLeast = await localBrowser(probes)
  if (atLeast) return { did: [...failed, 'The full browser of this machine is used.'].join(' '), path: atLeast.path }
  throw failure('BROWSER_UNAVAILABLE', { message: `No browser could be installed. ${failed.join(' ')}` })
}

function stepsOf({ folder, isRoot, probes: { machine } }: InstallOptions): Step[] {
  const isLinux = machine.platform === 'linux'
  const debian = ['apt-get', 'install', '--yes', '--no-install-recommends']
  return [
    {
      name: "Playwright's installer",
      applies: true,
      commands: [['npx', '--yes', playwright, 'install', 'chromium-headless-shell']],
    },
    {
      name: 'The Debian package chromium-headless-shell',
      applies: isLinux && isRoot,
      commands: [
        ['apt-get', 'update'],
        [...debian, 'chromium-headless-shell'],
      ],
    },
    { name: 'The Debian package chromium', applies: isLinux && isRoot, commands: [[...debian, 'chromium']] },
    {
      name: `The npm package ${packaged}`,
      applies: isLinux && machine.arch === 'x64',
      commands: [['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', packaged]],
    },
  ]
}

/** The first command that fails, in the words of its program. */
async function faultOf({ commands }: Step, run: Run): Promise<string | undefined> {
  for (const [command = '', ...args] of commands) {
    const { code, output } = await run(command, args, limitMs)
    if (code !== 0) return `${command} ended with code ${code}, saying "${tellingText(output)}"`
  }
  return undefined
}

async function localBrowser(probes: BrowserProbes): Promise<LocalBrowser | undefined> {
  const found = await findBrowser('shell', {}, probes).catch((thrown: unknown) => {
    if (thrown instanceof AppError) return undefined
    throw thrown
  })
  return found?.from === 'remote' ? undefined : found
}
