import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { startExecution } from '../execution.ts'
import { createFrames } from '../frames.ts'
import { defaultLimits } from '../limits.ts'
import { programFor } from './programs.ts'
import { cleanEnvironment, heapMb, type Sandbox, underWatch } from './sandbox.ts'

/**
 * No permission is given, so there are no files, network, processes, native code, nor facts of the machine. Modules that our
 * program imports need none, and code cannot import them a second time (https://docs.deno.com/runtime/fundamentals/security/).
 */
const closed = [
  '--no-prompt',
  // Reads find nothing and writes do nothing, where code would fail at each look otherwise.
  '--ignore-env',
  // Modules of some hosts may be imported by default.
  '--deny-import',
  '--no-remote',
  '--no-npm',
  '--no-config',
  '--no-lock',
  '--no-code-cache',
  `--v8-flags=--max-old-space-size=${heapMb}`,
]
const environment = {
  // It looks there for settings of npm.
  ...cleanEnvironment('/nonexistent', '/usr/bin:/bin'),
  // What it would keep on disk between runs has no place to be.
  DENO_DIR: '/dev/null/deno',
  DENO_NO_PACKAGE_JSON: '1',
  DENO_NO_UPDATE_CHECK: '1',
  // Graphics drivers are asked for no permission.
  DENO_WEBGPU_BACKEND: 'none',
  NO_COLOR: '1',
}

/**
 * Code may signal itself, and this signal has Deno open a debugger on a port, whatever is permitted. What is blocked before it
 * starts stays so. GNU env knows how since 8.31; perl is nearly everywhere.
 */
const withoutDebugger: (readonly string[])[] =
  process.platform === 'win32'
    ? [[]]
    : [
        ['/usr/bin/env', '--block-signal=USR1'],
        ['/usr/bin/perl', '-MPOSIX', '-e', 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR1)) or die; exec @ARGV'],
      ]

/** Deno's permissions for JavaScript: kept by the program that runs the code, in Rust, not by JavaScript nor by the kernel. */
const deno = (runtime: string, starter: readonly string[]): Sandbox => ({
  name: 'deno',
  strength: 'strong',
  runtime,
  childArgs: ['-', 'deno'],
  command(program) {
    const [file = runtime, ...args] = [...starter, runtime, 'run', ...closed, ...program.args]
    // SQLite would put what does not fit into memory on the disk.
    return underWatch({ ...program, file, maxFileBlocks: 0 }, args, environment)
  },
})

/** The first Deno of these that runs our program; older ones do not know all that it is asked. */
export async function findDeno(files: readonly string[] = usualFiles()): Promise<Sandbox | undefined> {
  const programs = files.filter((file) => existsSync(file)).flatMap((file) => binaryOf(realpathSync(file)))
  const ways = [...new Set(programs)].flatMap((file) => withoutDebugger.map((starter) => deno(file, starter)))
  for (const way of ways) if (await works(way)) return way
  return undefined
}

const executable = process.platform === 'win32' ? 'deno.exe' : 'deno'

/** Never the working directory: it may be a project of others. */
function usualFiles(): string[] {
  // oxlint-disable-next-line node/no-process-env -- where Deno's installer and the platform say it is
  const { PATH = '', DENO_INSTALL } = process.env
  const folders = [...PATH.split(delimiter), ...[DENO_INSTALL ?? join(homedir(), '.deno')].map((at) => join(at, 'bin'))]
  const installed = folders.filter(isAbsolute).map((folder) => join(folder, executable))
  return [...packagedFrom(import.meta.filename), ...installed]
}

/** The command of the npm package is a script, which would not pass descriptor 3 on. */
const binaryOf = (file: string) => (file.endsWith('.cjs') ? packagedFrom(file) : [file])

/** The program within the npm package `deno`, which has it even where scripts of packages do not run. */
function packagedFrom(module: string): string[] {
  const system = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`
  try {
    const found = createRequire(module).resolve('deno/package.json')
    return [join(dirname(createRequire(found).resolve(`@deno/${system}/package.json`)), executable)]
  } catch {
    return []
  }
}

const probeMs = 5000

/** Whether our program, run by it, says of code that it cannot be parsed: so it starts, hears and answers. */
async function works(sandbox: Sandbox): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const execution = startExecution(sandbox.command(programFor('node', sandbox, {})!), defaultLimits)
  const hearer = { message: (message: object) => resolve('done' in message), broken: () => resolve(false) }
  const frames = createFrames(execution.socket, hearer, defaultLimits.maxMessageBytes)
  const timer = setTimeout(() => resolve(false), probeMs)
  void execution.ended.then(() => resolve(false))
  frames.send({ job: { code: 'const =', actionTimeoutMs: probeMs } })
  const isSound = await promise
  clearTimeout(timer)
  execution.kill()
  await execution.ended
  return isSound
}
