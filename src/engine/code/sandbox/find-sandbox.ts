import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Language } from '../../../contracts/session-port.ts'
import { createFrames } from '../../../util/nul-frames.ts'
import { defaultLimits, startExecution } from '../execution.ts'
import { bubblewrap } from './bubblewrap.ts'
import { playwrightFile, programFor } from './programs.ts'
import {
  cleanEnvironment,
  type Command,
  heapMb,
  limitsOf,
  outputOf,
  type Program,
  type Sandbox,
} from './run-in-sandbox.ts'

export type SandboxSettings = {
  /** Path of bwrap; by default the usual paths are searched. */
  bwrap?: string | undefined
  paths?: readonly string[]
  /** Paths to search for Deno instead of its usual installation paths. */
  denoPaths?: readonly string[]
  /**
   * `node only`: Node code may run under Node's permission model without bubblewrap and Deno. `always`: Python and bash
   * may also run without any sandbox.
   */
  allowWeakSandbox: 'never' | 'node only' | 'always'
}
const usualPaths = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']
const probeMs = 5000

/** `any` includes weak sandboxes, if the settings allow them. */
type Wanted = 'any' | 'strong'

/**
 * Returns a shell script that executes a program and kills its process group when file descriptor 4 closes, which
 * happens however our process ends. Code in an endless loop would not notice that itself.
 */
const watched = (program: Program) =>
  `(cat <&4 >/dev/null 2>&1; kill -9 -$$) 3>&- >/dev/null 2>&1 & ${limitsOf(program)}; exec 4>&-; exec "$@"`

const underWatch = (
  program: Program,
  args: readonly string[],
  env = cleanEnvironment('/dev/null', '/usr/local/bin:/usr/bin:/bin'),
): Command =>
  process.platform === 'win32'
    ? { file: program.file, args, env: cleanEnvironment('', ''), cwd: process.cwd() }
    : {
        file: '/bin/sh',
        args: ['-c', watched(program), 'sh', program.file, ...args],
        env,
        cwd: '/',
      }

/**
 * Node's permission model: no files, child processes, threads or native code
 * (https://nodejs.org/api/permissions.html). Our child program removes the network before the code arrives.
 */
export const permission: Sandbox = {
  name: 'permission',
  strength: 'weak',
  about: 'no files or processes; the network is removed in JavaScript',
  warning:
    'The code ran under Node\'s permission model, and the network was removed in JavaScript only. Install bubblewrap ("apt-get install bubblewrap") or Deno ("npm install deno" beside Gossamer) for a real sandbox.',
  pathOf: ({ path }) => path,
  childArgs: ['locked'],
  command: (program) =>
    underWatch(program, [
      '--permission',
      ...program.reads.map(({ path }) => `--allow-fs-read=${path}`),
      ...program.args,
    ]),
}

/** No sandbox: a separate process with a clean environment and limits. */
export const none: Sandbox = {
  name: 'none',
  strength: 'weak',
  about: 'hides nothing but the environment variables of this program',
  warning:
    'The code ran without a sandbox: it could read files of this machine and use its network. Install bubblewrap ("apt-get install bubblewrap").',
  pathOf: ({ path }) => path,
  childArgs: [],
  command: (program) => underWatch(program, program.args),
}

/**
 * No permissions are granted: no files, network, subprocesses, native code or system information. Our own program
 * needs no permission for its static imports, and code cannot import those modules again. The file with Playwright is
 * readable until the code arrives (https://docs.deno.com/runtime/fundamentals/security/).
 */
const closed = [
  '--no-prompt',
  // Makes environment variables empty; without this option, each access to one would throw.
  '--ignore-env',
  // By default Deno allows imports from some hosts.
  '--deny-import',
  '--no-remote',
  '--no-npm',
  '--no-config',
  '--no-lock',
  '--no-code-cache',
  `--v8-flags=--max-old-space-size=${heapMb}`,
]
const environment = {
  // Deno looks for npm settings in the home directory.
  ...cleanEnvironment('/nonexistent', '/usr/bin:/bin'),
  // Deno keeps no cache on disk.
  DENO_DIR: '/dev/null/deno',
  DENO_NO_PACKAGE_JSON: '1',
  DENO_NO_UPDATE_CHECK: '1',
  // Graphics drivers are not covered by permissions.
  DENO_WEBGPU_BACKEND: 'none',
  NO_COLOR: '1',
}

/**
 * Commands that start Deno with SIGUSR1 blocked, because code can send signals to itself, and SIGUSR1 makes Deno open a
 * debugger port regardless of permissions. GNU env supports this since 8.31; perl is installed almost everywhere.
 */
const withoutDebugger: (readonly string[])[] =
  process.platform === 'win32'
    ? [[]]
    : [
        ['/usr/bin/env', '--block-signal=USR1'],
        ['/usr/bin/perl', '-MPOSIX', '-e', 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR1)) or die; exec @ARGV'],
      ]

/** Deno enforces its permissions in Rust, below JavaScript but above the kernel. */
const deno = (runtime: string, starter: readonly string[]): Sandbox => ({
  name: 'deno',
  strength: 'strong',
  about: 'no network, no files, no processes, by permissions that Deno itself enforces',
  runtime,
  pathOf: ({ path }) => path,
  childArgs: ['deno'],
  command(program) {
    const own = (program.loads ?? []).map(({ path }) => `--allow-read=${path}`)
    const [file = runtime, ...args] = [...starter, runtime, 'run', ...closed, ...own, ...program.args]
    // No files, because SQLite would write data that does not fit into memory to disk.
    return underWatch({ ...program, file, maxFileBlocks: 0 }, args, environment)
  },
})

/** Returns the first of these programs that is a Deno recent enough to run our child program. */
export async function findDeno(files: readonly string[] = usualFiles()): Promise<Sandbox | undefined> {
  const programs = files.filter((file) => existsSync(file)).flatMap((file) => binaryOf(realpathSync(file)))
  const ways = [...new Set(programs)].flatMap((file) => withoutDebugger.map((starter) => deno(file, starter)))
  for (const way of ways) if (await works(way)) return way
  return undefined
}

const executable = process.platform === 'win32' ? 'deno.exe' : 'deno'

/** Returns where Deno is usually installed, but never in the working directory, which may be an untrusted project. */
function usualFiles(): string[] {
  // oxlint-disable-next-line node/no-process-env -- variables of the platform and of Deno's installer
  const { PATH = '', DENO_INSTALL } = process.env
  const folders = [...PATH.split(delimiter), ...[DENO_INSTALL ?? join(homedir(), '.deno')].map((at) => join(at, 'bin'))]
  const installed = folders.filter(isAbsolute).map((folder) => join(folder, executable))
  return [...packagedFrom(import.meta.filename), ...installed]
}

/** Replaces the command of the npm package by its binary, because that command does not pass on file descriptor 3. */
const binaryOf = (file: string) => (file.endsWith('.cjs') ? packagedFrom(file) : [file])

/** Returns the binary of the npm package `deno`, even if its install scripts were not run. */
function packagedFrom(module: string): string[] {
  const system = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`
  try {
    const found = createRequire(module).resolve('deno/package.json')
    return [join(dirname(createRequire(found).resolve(`@deno/${system}/package.json`)), executable)]
  } catch {
    return []
  }
}

const denoProbeMs = 5000

/** True if our child program starts, receives a job and answers; code with a syntax error is sufficient for this. */
async function works(sandbox: Sandbox): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const execution = startExecution(
    sandbox.command(programFor('node', sandbox, { playwright: await playwrightFile() })!),
    defaultLimits,
  )
  const handlers = { message: (message: object) => resolve('done' in message), broken: () => resolve(false) }
  const frames = createFrames(execution.socket, handlers, defaultLimits.maxMessageBytes)
  const timer = setTimeout(() => resolve(false), denoProbeMs)
  void execution.ended.then(() => resolve(false))
  frames.send({ job: { code: 'const =', actionTimeoutMs: denoProbeMs } })
  const isSound = await promise
  clearTimeout(timer)
  execution.kill()
  await execution.ended
  return isSound
}

/**
 * Detects, once and by starting them, which sandboxes work on this machine. Returns a function that resolves to the
 * best one for a language; undefined if there is none.
 */
export function createSandboxes(settings: SandboxSettings) {
  let forAll: Promise<Sandbox | undefined> | undefined
  let forNode: Promise<Sandbox | undefined> | undefined
  const strong = async (language: Language) =>
    (await (forAll ??= findBubblewrap(settings))) ??
    (language === 'node' ? (forNode ??= findDeno(settings.denoPaths)) : undefined)
  return async (language: Language, wanted: Wanted = 'any'): Promise<Sandbox | undefined> =>
    (await strong(language)) ?? (wanted === 'any' ? weakest(language, settings) : undefined)
}

function weakest(language: Language, { allowWeakSandbox }: SandboxSettings): Sandbox | undefined {
  if (language === 'node') return allowWeakSandbox === 'never' ? undefined : permission
  return allowWeakSandbox === 'always' ? none : undefined
}

/** Tried first, and omitted if this version of bwrap does not support it. */
const noMoreNamespaces = ['--unshare-user', '--disable-userns'] as const

const probeProgram: Program = { language: 'bash', file: '/bin/sh', args: ['-c', 'exit 0'], reads: [] }

async function findBubblewrap({ bwrap, paths: places = usualPaths }: SandboxSettings): Promise<Sandbox | undefined> {
  const file = [bwrap, ...places].find((each) => each !== undefined && existsSync(each))
  if (process.platform !== 'linux' || file === undefined) return undefined
  for (const extra of [noMoreNamespaces, []]) {
    const sandbox = bubblewrap(file, extra)
    // Many containers have the program but forbid its namespaces.
    if ((await outputOf(sandbox.command(probeProgram), probeMs)) !== undefined) return sandbox
  }
  return undefined
}
