import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Language } from '../../../contracts/session.ts'
import { isInSystem } from './bubblewrap.ts'
import { heapMb, nodeDataKb, type Program, type Read, type Sandbox } from './sandbox.ts'

export type PythonProgram = {
  file: string
  /** Its folders and those of its packages, as far as they are outside the system's. */
  reads: readonly string[]
  has: 'playwright' | 'nothing'
}
export type ProgramSettings = {
  /** The file that has Playwright for Node code. */
  playwright?: string | undefined
  /** Paths of interpreters; by default those of the machine. */
  node?: string | undefined
  python?: PythonProgram | undefined
  bash?: string | undefined
  /** Path of agent-browser; undefined = the built-in implementation. */
  agentBrowser?: string | undefined
}

/** Without the programs that support only the default browser context. */
export const inOwnContext = (settings: ProgramSettings): ProgramSettings => ({
  ...settings,
  agentBrowser: undefined,
  ...(settings.python && { python: { ...settings.python, has: 'nothing' } }),
})

/** Declares our programs to be ES modules. */
const packageFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../../package.json' : '../package.json', import.meta.url),
)

/** The bundle has all child programs beside this module; the sources have them in a folder. */
const isSource = import.meta.url.endsWith('.ts')
const beside = (file: string) => fileURLToPath(new URL(isSource ? `../child/${file}` : `./${file}`, import.meta.url))
/** Mounted at a neutral path. */
const shown = (path: string, name: string): Read => ({ path, as: `/sandbox/${name}` })
/** Mounted at its own path: an interpreter finds its libraries by that. */
const inPlace = (path: string): Read => ({ path, as: path })

/** The program that runs code of a language in a sandbox; undefined if it is not installed. */
export function programFor(language: Language, sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  if (language === 'node') return nodeProgram(sandbox, settings)
  if (language === 'python') return pythonProgram(sandbox, settings)
  const file = settings.bash ?? inPath('bash', sandbox)
  const own = sandbox.name === 'bubblewrap' ? ['private'] : []
  const prelude = shown(beside('code-child.sh'), 'code-child.sh')
  return file === undefined
    ? undefined
    : { language, file, args: ['--noprofile', '--norc', sandbox.pathOf(prelude), ...own], reads: [prelude] }
}

function pythonProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const system = inPath('python3', sandbox)
  const python = settings.python ?? (system === undefined ? undefined : { file: system, reads: [], has: 'nothing' })
  if (!python) return undefined
  const folder = shown(beside('python'), 'python')
  const files = readdirSync(folder.path).filter((name) => name.endsWith('.py'))
  const builtIn: Program = {
    language: 'python',
    file: python.file,
    args: ['-I', '-B', sandbox.pathOf(folder)],
    reads: [...files.map((name) => shown(join(folder.path, name), `python/${name}`)), ...python.reads.map(inPlace)],
  }
  if (python.has === 'nothing' || sandbox.name !== 'bubblewrap') return builtIn
  return bridged('code', { ...builtIn, args: [...builtIn.args, 'installed'] }, sandbox, settings) ?? builtIn
}

/** The program that runs agent-browser commands for the life of a session. */
export function commandsProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const { agentBrowser: file } = settings
  if (file === undefined || sandbox.name !== 'bubblewrap') return undefined
  const read = shown(file, 'agent-browser')
  return bridged(
    'commands',
    { language: 'bash', file: sandbox.pathOf(read), args: [], reads: [read] },
    sandbox,
    settings,
  )
}

/** Starts a program together with the bridge that offers the browser on loopback; needs a network namespace of its own. */
function bridged(
  mode: 'code' | 'commands',
  program: Program,
  sandbox: Sandbox,
  settings: ProgramSettings,
): Program | undefined {
  const node = nodeRun('bridge-child', sandbox, settings)
  return (
    node && {
      language: program.language,
      via: 'bridge',
      file: node.file,
      args: [...node.args, mode, program.file, ...program.args],
      reads: [...node.reads, ...packages, ...program.reads],
      maxDataKb: nodeDataKb,
    }
  )
}

/** Packages that the bundle includes. */
const packages = isSource
  ? [shown(dirname(fileURLToPath(import.meta.resolve('ws/package.json'))), 'node_modules/ws')]
  : []

function nodeProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const node = nodeRun('code-child', sandbox, settings)
  if (!node || settings.playwright === undefined) return undefined
  const playwright = shown(settings.playwright, 'playwright.mjs')
  return {
    language: 'node',
    file: node.file,
    args: [...node.args, sandbox.pathOf(playwright), ...sandbox.childArgs],
    reads: [...node.reads, playwright],
    loads: [playwright],
    maxDataKb: nodeDataKb,
  }
}

/** How to start one of our own Node programs. */
function nodeRun(name: 'code-child' | 'bridge-child', sandbox: Sandbox, settings: ProgramSettings) {
  const file = sandbox.runtime ?? settings.node ?? ownNode() ?? inPath('node', sandbox)
  if (file === undefined) return undefined
  const binary = realpathSync(file)
  const node = isInSystem(binary) ? inPlace(binary) : shown(binary, 'node')
  // A program is one file in the bundle; the sources are spread over the folder of all sources.
  const code = isSource
    ? shown(fileURLToPath(new URL('../../..', import.meta.url)), 'src/')
    : shown(beside(`${name}.js`), `${name}.js`)
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

/** Not the executable of a desktop app that embeds Node. */
const ownNode = () => (/^node(?:\.exe)?$/.test(process.execPath.split(/[\\/]/).at(-1)!) ? process.execPath : undefined)

/** In bubblewrap only the system's folders are visible. */
export function inPath(name: string, sandbox: Sandbox): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const folders = sandbox.name === 'bubblewrap' ? ['/usr/bin', '/bin'] : (process.env['PATH'] ?? '').split(delimiter)
  return ['/usr/bin', ...folders].map((folder) => join(folder, name)).find(canRun)
}

export function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return existsSync(path)
  } catch {
    return false
  }
}
