import { type ChildProcess, fork } from 'node:child_process'
import type { DocumentKind } from '../../contracts/ports.ts'
import type { AppError } from '../../kernel/error.ts'
import type { Converted, Source } from './converter.ts'

export type ConvertTask = { kind: DocumentKind; source: Source }
export type ConvertAnswer =
  | { converted: Converted; error?: undefined }
  | { converted?: undefined; error: ConstructorParameters<typeof AppError>[1] & { code: string } }

/** A child leads a group, so that the programs it runs for OCR end with it. */
const hasGroups = process.platform !== 'win32'

type ChildSettings = { program: string; maxMemoryMb: number }

export function startChild({ program, maxMemoryMb }: ChildSettings): ChildProcess {
  return fork(program, [String(maxMemoryMb)], {
    env: childEnvironment(),
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: hasGroups,
  })
}

/** Ends a child and the programs it runs; one that has ended is left alone, since its number may be another's by now. */
export function end(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(hasGroups ? -pid : pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

/** Has a child do one task. Undefined when it ends before it answers; fails with the signal's reason, or when it cannot be started. */
export async function ask(
  child: ChildProcess,
  task: ConvertTask,
  signal: AbortSignal,
): Promise<ConvertAnswer | undefined> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<ConvertAnswer | undefined>()
  const leave = () => reject(signal.reason as Error)
  const ended = () => resolve(undefined)
  signal.addEventListener('abort', leave, { once: true })
  child.on('message', resolve).on('exit', ended).on('error', reject)
  child.send(task, (fault) => fault && ended())
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', leave)
    child.off('message', resolve).off('exit', ended).off('error', reject)
  }
}

/** Converters need no settings; a path is there to find `tesseract` and the like. */
function childEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env
  const wanted = Object.entries({ PATH, SystemRoot, TMPDIR, TEMP }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(wanted)
}
