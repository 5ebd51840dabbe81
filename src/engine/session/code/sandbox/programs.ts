import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadUrl } from '../../../../core/thread-url.ts'
import type { Language } from '../../../../core/session.ts'
import { heapMb, type Program, type Sandbox } from './sandbox.ts'

export type ProgramSettings = {
  /** Folder of playwright-core, whose real objects Node code then gets; undefined = the part of its API that is built in. */
  playwright?: string | undefined
  /** Paths of programs, where others than the machine's are wanted. */
  node?: string | undefined
  python?: string | undefined
  bash?: string | undefined
}

/** In the bundle all programs lie beside the module; in the sources they have a folder. */
const isSource = import.meta.url.endsWith('.ts')
const beside = (file: string) => fileURLToPath(new URL(isSource ? `../child/${file}` : `./${file}`, import.meta.url))

/** The program that runs code of the language in that sandbox; undefined when the machine has none. */
export function programFor(language: Language, sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  if (language === 'node') return nodeProgram(sandbox, settings)
  if (language === 'python') {
    const file = settings.python ?? inPath('python3', sandbox)
    const shim = beside('code-child.py')
    return file === undefined ? undefined : { language, file, args: ['-I', '-B', shim], reads: [shim] }
  }
  const file = settings.bash ?? inPath('bash', sandbox)
  const own = sandbox.name === 'bubblewrap' ? ['private'] : []
  const prelude = beside('code-child.sh')
  return file === undefined
    ? undefined
    : { language, file, args: ['--noprofile', '--norc', prelude, ...own], reads: [prelude] }
}

function nodeProgram(sandbox: Sandbox, settings: ProgramSettings): Program | undefined {
  const file = sandbox.runtime ?? settings.node ?? ownNode() ?? inPath('node', sandbox)
  if (file === undefined) return undefined
  const child = fileURLToPath(
    isSource ? new URL('../child/code-child.ts', import.meta.url) : threadUrl('code-child', import.meta.url),
  )
  // Permissions leave no room for what playwright-core reads and starts.
  const hasPlaywright = sandbox.name === 'bubblewrap' || sandbox.name === 'none'
  const playwright = hasPlaywright ? settings.playwright && realpathSync(settings.playwright) : undefined
  // Chunks of the bundle lie beside the program; the sources are spread over the folder of all sources.
  const code = isSource ? fileURLToPath(new URL('../../../..', import.meta.url)) : dirname(child)
  const limits = sandbox.runtime
    ? []
    : [`--max-old-space-size=${heapMb}`, '--disable-wasm-trap-handler', '--no-warnings']
  return {
    language: 'node',
    file: realpathSync(file),
    args: [...limits, child, ...(sandbox.childArgs.length > 0 ? sandbox.childArgs : [playwright ?? '-'])],
    reads: [realpathSync(file), code, join(code, '..', 'package.json'), ...(playwright ? [playwright] : [])],
  }
}

/** A desktop program may run us in a Node of its own that can start no other. */
const ownNode = () => (/^node(?:\.exe)?$/.test(process.execPath.split(/[\\/]/).at(-1)!) ? process.execPath : undefined)

/** Only what lies in the system's own folders can be seen in a sandbox. */
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
