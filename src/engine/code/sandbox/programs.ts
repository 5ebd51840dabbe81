import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Language } from '../../../contracts/session.ts'
import { threadUrl } from '../../../util/thread-url.ts'
import { heapMb, nodeDataKb, type Program, type Sandbox } from './sandbox.ts'

export type PythonProgram = {
  file: string
  /** Where it and its packages lie, as far as that is not the system's own. */
  reads: readonly string[]
  has: 'playwright' | 'nothing'
}
export type ProgramSettings = {
  /** Folder of playwright-core, whose real objects Node code then gets; undefined = the part of its API that is built in. */
  playwright?: string | undefined
  /** Paths of programs, where others than the machine's are wanted. */
  node?: string | undefined
  python?: PythonProgram | undefined
  bash?: string | undefined
  /** The program of agent-browser; undefined = the part of its commands that is built in. */
  agentBrowser?: string | undefined
}

/** Without the programs that know the default context of a browser only. */
export const inOwnContext = (settings: ProgramSettings): ProgramSettings => ({
  ...settings,
  playwright: undefined,
  agentBrowser: undefined,
  ...(settings.python && { python: { ...settings.python, has: 'nothing' } }),
})

/** In the bundle all programs lie beside the module; in the sources they have a folder. */
const isSource = import.meta.url.endsWith('.ts')
const beside = (file: string) => fileURLToPath(new URL(isSource ? `../child/${file}` : `./${file}`, import.meta.url))

/** The program that runs code of the language in that sandbox; undefined when the machine has none. */
export function programFor(language: Language, sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  if (language === 'node') return nodeProgram(sandbox, settings)
  if (language === 'python') return pythonProgram(sandbox, settings)
  const file = settings.bash ?? inPath('bash', sandbox)
  const own = sandbox.name === 'bubblewrap' ? ['private'] : []
  const prelude = beside('code-child.sh')
  return file === undefined
    ? undefined
    : { language, file, args: ['--noprofile', '--norc', prelude, ...own], reads: [prelude] }
}

function pythonProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const system = inPath('python3', sandbox)
  const python = settings.python ?? (system === undefined ? undefined : { file: system, reads: [], has: 'nothing' })
  if (!python) return undefined
  const folder = beside('python')
  const builtIn: Program = {
    language: 'python',
    file: python.file,
    args: ['-I', '-B', folder],
    reads: [folder, ...python.reads],
  }
  if (python.has === 'nothing' || sandbox.name !== 'bubblewrap') return builtIn
  return bridged('code', { ...builtIn, args: [...builtIn.args, 'installed'] }, sandbox, settings) ?? builtIn
}

/** What runs the commands of agent-browser, as long as the session. */
export function commandsProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const { agentBrowser: file } = settings
  if (file === undefined || sandbox.name !== 'bubblewrap') return undefined
  return bridged('commands', { language: 'bash', file, args: [], reads: [file] }, sandbox, settings)
}

/** The same program with a browser at an address on its loopback, so only where that is nobody else's. */
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

/** What is in the bundle otherwise. */
const packages = isSource ? [dirname(fileURLToPath(import.meta.resolve('ws/package.json')))] : []

function nodeProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const node = nodeRun('code-child', sandbox, settings)
  if (!node) return undefined
  // Permissions leave no room for what playwright-core reads and starts.
  const hasPlaywright = sandbox.name === 'bubblewrap' || sandbox.name === 'none'
  const playwright = hasPlaywright ? settings.playwright && realpathSync(settings.playwright) : undefined
  return {
    language: 'node',
    file: node.file,
    args: [...node.args, ...(sandbox.childArgs.length > 0 ? sandbox.childArgs : [playwright ?? '-'])],
    reads: [...node.reads, ...(playwright ? [playwright] : [])],
    maxDataKb: nodeDataKb,
  }
}

/** One of our own programs for Node. */
function nodeRun(name: 'code-child' | 'bridge-child', sandbox: Sandbox, settings: ProgramSettings) {
  const file = sandbox.runtime ?? settings.node ?? ownNode() ?? inPath('node', sandbox)
  if (file === undefined) return undefined
  const child = fileURLToPath(
    isSource ? new URL(`../child/${name}.ts`, import.meta.url) : threadUrl(name, import.meta.url),
  )
  // Chunks of the bundle lie beside the program; the sources are spread over the folder of all sources.
  const code = isSource ? fileURLToPath(new URL('../../..', import.meta.url)) : dirname(child)
  const limits = sandbox.runtime
    ? []
    : [`--max-old-space-size=${heapMb}`, '--disable-wasm-trap-handler', '--no-warnings']
  return {
    file: realpathSync(file),
    args: [...limits, child],
    reads: [realpathSync(file), code, join(code, '..', 'package.json')],
  }
}

/** A desktop program may run us in a Node of its own that can start no other. */
const ownNode = () => (/^node(?:\.exe)?$/.test(process.execPath.split(/[\\/]/).at(-1)!) ? process.execPath : undefined)

/** Only what lies in the system's own folders can be seen in a sandbox. */
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
