import { execFile } from 'node:child_process'
import { AppError, failure } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { summarizeStderr } from '../launch/process.ts'
import { type BrowserProbes, findBrowser, type LocalBrowser } from './find-browser.ts'

type InstallOptions = {
  /** Folder where a browser from npm is installed and unpacked, as in `machineProbes`. */
  folder: string
  log: Pick<Log, 'info' | 'warn'>
  probes: BrowserProbes
  isRoot: boolean
  run?: Run
}

/** `did` reports the result of each method; `path` is the browser that is used from now on. */
type Installed = { did: string; path: string }

type InstallMethod = { name: string; applies: boolean; commands: readonly (readonly string[])[] }

const limitMs = 300_000
const playwright = 'playwright-core@1.65.1'
const packaged = '@sparticuz/chromium@153'

/** Installs a browser by Playwright, apt-get or npm, whichever works first. Fails with BROWSER_UNAVAILABLE. */
export async function installBrowser(options: InstallOptions): Promise<Installed> {
  const { log, run = runProgram, probes } = options
  const before = await localBrowser(probes)
  if (before?.kind === 'shell') return { did: 'A headless browser is already installed.', path: before.path }

  const failed: string[] = []
  await makeFolder(options.folder, 0o700)
  for (const method of installMethods(options).filter(({ applies }) => applies)) {
    log.info('browser.install', { step: method.name })
    const error = await runCommands(method, run)
    const found = error === undefined ? await localBrowser(probes) : undefined
    if (found && found.path !== before?.path)
      return { did: [...failed, `${method.name} installed it.`].join(' '), path: found.path }
    failed.push(`${method.name} did not install one: ${error ?? 'it succeeded, but no browser was found'}.`)
    log.warn('browser.install', { step: method.name, fault: error })
  }
  const fallback = await localBrowser(probes)
  if (fallback) return { did: [...failed, 'The full browser of this machine is used.'].join(' '), path: fallback.path }
  throw failure('BROWSER_UNAVAILABLE', { message: `No browser could be installed. ${failed.join(' ')}` })
}

function installMethods({ folder, isRoot, probes: { machine } }: InstallOptions): InstallMethod[] {
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

async function runCommands({ commands }: InstallMethod, run: Run): Promise<string | undefined> {
  for (const [command = '', ...args] of commands) {
    const { code, output } = await run(command, args, limitMs)
    if (code !== 0) return `${command} exited with code ${code} and printed "${summarizeStderr(output)}"`
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

/** Runs a program, and resolves with its exit code and the end of its output. Never rejects. */
export type Run = (
  command: string,
  args: readonly string[],
  limitMs: number,
) => Promise<{ code: number; output: string }>

const maxOutput = 4000
/** Exit codes of shells and timeout(1). */
const notFound = 127
const timedOut = 124

export const runProgram: Run = (command, args, ms) =>
  new Promise((resolve) => {
    // On Windows npx is a script, which only a shell can start.
    const shell = process.platform === 'win32'
    const limits = { timeout: ms, killSignal: 'SIGKILL', maxBuffer: Infinity } as const
    execFile(command, args, { env: environment(), shell, ...limits }, (error, stdout, stderr) => {
      const output = (stdout + stderr).slice(-maxOutput)
      if (error?.killed) return resolve({ code: timedOut, output: `${output}\nnot ended after ${ms} ms` })
      if (typeof error?.code === 'string') return resolve({ code: notFound, output: error.message })
      resolve({ code: error ? (error.code ?? 1) : 0, output })
    })
  })

/** Package managers need proxies and registries from the environment, but not our keys. */
function environment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the settings of the package managers are there
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GOSSAMER_')))
}
