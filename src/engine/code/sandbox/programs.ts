import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Language } from '../../../contracts/session-port.ts'
import { fail } from '../../../kernel/error.ts'
import { once, succeeds } from '../../../util/async.ts'
import { isInSystem } from './bubblewrap.ts'
import { cleanEnvironment, heapMb, outputOf, type Program, type Read, type Sandbox } from './run-in-sandbox.ts'

type PythonProgram = {
  file: string
  /** Folders of the interpreter and its packages, if outside the system folders. */
  reads: readonly string[]
}
export type ProgramSettings = {
  playwright?: string | undefined
  /** Paths of interpreters; by default those of the machine. */
  node?: string | undefined
  python?: PythonProgram | undefined
  bash?: string | undefined
}
export type FindPrograms = (language: Language, sandbox: Sandbox) => Promise<ProgramSettings>

const probeMs = 15_000

const isSource = import.meta.url.endsWith('.ts')
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Returns a function that probes the configured Python, or the system's, on first use. Fails with FEATURE_UNAVAILABLE
 * if it does not run.
 */
export function findPrograms({ python: named }: { python?: string | undefined }): FindPrograms {
  let python: Promise<PythonProgram | undefined> | undefined
  return async (language, sandbox) => {
    const playwright = await playwrightFile()
    if (language !== 'python') return { playwright }
    python ??= findPython(named, sandbox)
    // The next call probes again, because the operator may have fixed the problem meanwhile.
    python.catch(() => (python = undefined))
    return { playwright, python: await python }
  }
}

/** Python program that prints the paths of its interpreter, so the sandbox can mount them. */
const pythonFacts = `import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix]))`
const environment = cleanEnvironment('/', '/usr/bin:/bin')

async function findPython(named: string | undefined, sandbox: Sandbox): Promise<PythonProgram | undefined> {
  const file = named ?? inPath('python3', sandbox)
  if (file === undefined) return undefined
  if (sandbox.name !== 'bubblewrap') return { file, reads: [] }
  const output = await outputOf({ file, args: ['-I', '-B', '-c', pythonFacts], env: environment, cwd: '/' }, probeMs)
  if (output === undefined) return failUnusable('The Python for code cannot be started.')
  const [executable, ...prefixes] = JSON.parse(output) as [string, ...string[]]
  const python = { file: executable, reads: foldersOf(prefixes) }
  const probe = { language: 'python' as const, file: executable, args: ['-I', '-B', '-c', 'pass'] }
  const command = sandbox.command({ ...probe, reads: python.reads.map(inPlace) })
  if ((await outputOf(command, probeMs)) !== undefined) return python
  return failUnusable('The Python for code cannot be started in a sandbox.')
}

const failUnusable = (message: string): never =>
  fail('FEATURE_UNAVAILABLE', {
    message,
    hint: 'Ask the operator to set GOSSAMER_PYTHON to a working program, or unset it.',
  })

/** Returns the folders of an interpreter below its prefixes, which may be home directories themselves. */
function foldersOf(prefixes: readonly string[]): string[] {
  const parts = prefixes.flatMap((prefix) => ['bin', 'lib', 'lib64', 'pyvenv.cfg'].map((part) => join(prefix, part)))
  return [...new Set(parts)].filter((path) => !/^\/(?:usr|bin|lib|lib64)(?:\/|$)/.test(path))
}

/** Package file that declares our programs to be ES modules. */
const packageFile = at(isSource ? '../../../../package.json' : '../package.json')

/** Path of a child program, which the bundle has next to this module. */
const childFile = (file: string) => at(isSource ? `../child/${file}` : `./${file}`)
/** Mounts a file at a neutral path. */
const shown = (path: string, name: string): Read => ({ path, as: `/sandbox/${name}` })
/** Mounts a file at its own path, by which an interpreter finds its libraries. */
const inPlace = (path: string): Read => ({ path, as: path })

/** Returns the program that runs code of a language in a sandbox; undefined if it is not installed. */
export function programFor(language: Language, sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  if (language === 'node') return nodeProgram(sandbox, settings)
  if (language === 'python') return pythonProgram(sandbox, settings)
  const file = settings.bash ?? inPath('bash', sandbox)
  const own = sandbox.name === 'bubblewrap' ? ['private'] : []
  const prelude = shown(childFile('code-child.sh'), 'code-child.sh')
  return file === undefined
    ? undefined
    : { language, file, args: ['--noprofile', '--norc', sandbox.pathOf(prelude), ...own], reads: [prelude] }
}

function pythonProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const system = inPath('python3', sandbox)
  const python = settings.python ?? (system === undefined ? undefined : { file: system, reads: [] })
  if (!python) return undefined
  const folder = shown(childFile('python'), 'python')
  const files = readdirSync(folder.path).filter((name) => name.endsWith('.py'))
  const host = withPlaywright('playwright-host', sandbox, settings)
  return (
    host && {
      ...host,
      language: 'python',
      args: [...host.args, python.file, '-I', '-B', sandbox.pathOf(folder)],
      reads: [
        ...host.reads,
        ...files.map((name) => shown(join(folder.path, name), `python/${name}`)),
        ...python.reads.map(inPlace),
      ],
    }
  )
}

export function commandsProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const host = withPlaywright('playwright-host', sandbox, settings)
  return host && { ...host, language: 'bash' }
}

function nodeProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const child = withPlaywright('code-child', sandbox, settings)
  return child && { ...child, language: 'node', args: [...child.args, ...sandbox.childArgs] }
}

/** RLIMIT_DATA for Node in KB; includes memory that V8 only reserves. */
const nodeDataKb = 1_572_864

/** Returns one of our own Node programs that use Playwright; undefined if Node or Playwright is missing. */
function withPlaywright(name: 'code-child' | 'playwright-host', sandbox: Sandbox, settings: ProgramSettings) {
  const node = nodeRun(name, sandbox, settings)
  if (!node || settings.playwright === undefined) return undefined
  const playwright = shown(settings.playwright, 'playwright.mjs')
  return {
    file: node.file,
    args: [...node.args, sandbox.pathOf(playwright)],
    reads: [...node.reads, playwright],
    loads: [playwright],
    maxDataKb: nodeDataKb,
  }
}

function nodeRun(name: 'code-child' | 'playwright-host', sandbox: Sandbox, settings: ProgramSettings) {
  const file = sandbox.runtime ?? settings.node ?? ownNode() ?? inPath('node', sandbox)
  if (file === undefined) return undefined
  const binary = realpathSync(file)
  const node = isInSystem(binary) ? inPlace(binary) : shown(binary, 'node')
  // A program is a single file in the bundle; from the sources, the whole source folder is needed.
  const code = isSource ? shown(at('../../..'), 'src/') : shown(childFile(`${name}.js`), `${name}.js`)
  const child = isSource ? `${sandbox.pathOf(code)}engine/code/child/${name}.ts` : sandbox.pathOf(code)
  const limits = sandbox.runtime
    ? []
    : [`--max-old-space-size=${heapMb}`, '--disable-wasm-trap-handler', '--no-warnings']
  return {
    file: sandbox.pathOf(node),
    args: [...limits, child],
    reads: [node, code, shown(packageFile, 'package.json')],
  }
}

/** Path of this Node; undefined in a desktop app that embeds Node. */
const ownNode = () => (/^node(?:\.exe)?$/.test(process.execPath.split(/[\\/]/).at(-1)!) ? process.execPath : undefined)

/** Finds a program on the PATH; in bubblewrap, in the system's folders only. */
function inPath(name: string, sandbox: Sandbox): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const folders = sandbox.name === 'bubblewrap' ? ['/usr/bin', '/bin'] : (process.env['PATH'] ?? '').split(delimiter)
  return ['/usr/bin', ...folders].map((folder) => join(folder, name)).find(canRun)
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return existsSync(path)
  } catch {
    return false
  }
}

/**
 * Returns the file with Playwright for session code: next to the bundle; from the sources it is built on first use and
 * cached.
 */
export const playwrightFile = once(async () => (isSource ? builtFile() : at('./playwright.mjs')))

async function builtFile(): Promise<string> {
  const { bundlePlaywright } = await import('../playwright-core/bundle-playwright.ts')
  const { text } = await bundlePlaywright()
  const folder = at('../../../../node_modules/.cache/gossamer')
  const file = join(folder, `playwright-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`)
  if (await succeeds(access(file))) return file
  await mkdir(folder, { recursive: true })
  // Written atomically, because another process may create it too.
  const own = `${file}.${process.pid}`
  await writeFile(own, text)
  await rename(own, file)
  return file
}
