import { realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Language } from '../../../contracts/session.ts'
import { fail } from '../../../kernel/error.ts'
import { playwrightFile } from '../playwright-core/file.ts'
import { canRun, inPath, type ProgramSettings, type PythonProgram } from './programs.ts'
import { cleanEnvironment, type Sandbox } from './sandbox.ts'
import { outputOf } from './start.ts'

export type InstalledSettings = {
  /** Path of the Python that runs code; the system's by default. */
  python?: string | undefined
  /** Path of agent-browser; looked for on the search path by default. */
  agentBrowser?: string | undefined
}
export type FindPrograms = (language: Language, sandbox: Sandbox) => Promise<ProgramSettings>

const probeMs = 15_000

/** Probes the installed programs at first use, by starting them. Fails with FEATURE_UNAVAILABLE if one that a setting names does not run. */
export function createInstalled(settings: InstalledSettings): FindPrograms {
  const known = new Map<Language, Promise<ProgramSettings>>()

  async function find(language: Language, sandbox: Sandbox): Promise<ProgramSettings> {
    if (language === 'python') return { python: await findPython(settings.python, sandbox) }
    if (language === 'bash') return { agentBrowser: await findAgentBrowser(settings.agentBrowser, sandbox) }
    return { playwright: await playwrightFile() }
  }

  return (language, sandbox) => {
    const found = known.get(language) ?? find(language, sandbox)
    known.set(language, found)
    // Probed again next time: the operator may have fixed it.
    found.catch(() => known.delete(language))
    return found
  }
}

/** Prints the paths of the interpreter and of its Playwright package, so that the sandbox can mount them. */
const pythonFacts = `import importlib.util, json, os, sys
spec = importlib.util.find_spec('playwright')
folder = spec and spec.submodule_search_locations and spec.submodule_search_locations[0]
print(json.dumps([sys.executable, [sys.prefix, sys.base_prefix], os.path.dirname(folder) if folder else None]))`

async function findPython(named: string | undefined, sandbox: Sandbox): Promise<PythonProgram | undefined> {
  const file = named ?? inPath('python3', sandbox)
  if (file === undefined) return undefined
  if (sandbox.name !== 'bubblewrap') return { file, reads: [], has: 'nothing' }
  const said = await outputOf({ file, args: ['-I', '-B', '-c', pythonFacts], env: environment, cwd: '/' }, probeMs)
  if (said === undefined) return failUnusable('The Python for code cannot be started.', 'GOSSAMER_PYTHON')
  const [executable, prefixes, packages] = JSON.parse(said) as [string, string[], string | null]
  const python = { file: executable, reads: foldersOf(prefixes, packages) }
  const imports = packages !== null && (await works(sandbox, python, 'import playwright.async_api'))
  if (imports) return { ...python, has: 'playwright' }
  if (await works(sandbox, python, 'pass')) return { ...python, has: 'nothing' }
  return failUnusable('The Python for code cannot be started in a sandbox.', 'GOSSAMER_PYTHON')
}

const failUnusable = (message: string, setting: string): never =>
  fail('FEATURE_UNAVAILABLE', {
    message,
    hint: `Ask the operator to set ${setting} to a working program, or to unset it.`,
  })

const environment = cleanEnvironment('/', '/usr/bin:/bin')

/** Not the whole prefix: that may be a home directory. */
function foldersOf(prefixes: readonly string[], packages: string | null): string[] {
  const parts = prefixes.flatMap((prefix) => ['bin', 'lib', 'lib64', 'pyvenv.cfg'].map((part) => join(prefix, part)))
  const all = [...parts, ...(packages === null ? [] : [packages])]
  return [...new Set(all)].filter((path) => !/^\/(?:usr|bin|lib|lib64)(?:\/|$)/.test(path))
}

async function works(sandbox: Sandbox, { file, reads }: Pick<PythonProgram, 'file' | 'reads'>, code: string) {
  const args = ['-I', '-B', '-c', code]
  const command = sandbox.command({ language: 'python', file, args, reads: reads.map((path) => ({ path, as: path })) })
  return (await outputOf(command, probeMs)) !== undefined
}

async function findAgentBrowser(named: string | undefined, sandbox: Sandbox): Promise<string | undefined> {
  if (sandbox.name !== 'bubblewrap') return undefined
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  const files = named === undefined ? folders.map((folder) => join(folder, 'agent-browser')) : [named]
  for (const file of files.filter(canRun).flatMap(nativeOf)) {
    const reads = [{ path: file, as: file }]
    const command = sandbox.command({ language: 'bash', file, args: ['--version'], reads })
    if (/^agent-browser \d/.test((await outputOf(command, probeMs)) ?? '')) return file
  }
  if (named === undefined) return undefined
  return failUnusable('The agent-browser for code cannot be started in a sandbox.', 'GOSSAMER_AGENT_BROWSER')
}

/** The npm package's command may be a script that starts the native binary beside it. */
function nativeOf(file: string): string[] {
  const real = realpathSync(file)
  if (!real.endsWith('.js')) return [real]
  return ['linux', 'linux-musl']
    .map((system) => join(dirname(real), `agent-browser-${system}-${process.arch}`))
    .filter(canRun)
    .map((path) => realpathSync(path))
}
