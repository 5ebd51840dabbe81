import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { FindMedia, Media, MediaFault } from '../../core/media.ts'
import { createTurns } from '../../core/turns.ts'
import { mediaIn } from './best-format.ts'

export type YtDlpOptions = {
  /** The program; a bare name is looked for on the PATH. */
  program: string
  /** The proxy it goes out by, such as `http://127.0.0.1:3128`: it keeps the rules on addresses. */
  proxy(): Promise<string>
  /** Where its PATH comes from. */
  environment: Readonly<Record<string, string | undefined>>
  maxOutputBytes?: number
  /** Programs at once; further searches wait. */
  maxPrograms?: number
}

/**
 * Asks yt-dlp (https://github.com/yt-dlp/yt-dlp), a program that knows the players of many sites, where the sound and the
 * film of a page are. Nothing is downloaded, no settings and no cookies of the machine are read.
 */
export function createYtDlp(options: YtDlpOptions): FindMedia {
  const turns = createTurns(options.maxPrograms ?? 2)
  return async ({ url, limitMs, signal }) => {
    await turns.take(signal)
    try {
      const end = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, limitMs))])
      const outcome = await run(options, argumentsFor(url, await options.proxy()), end)
      signal.throwIfAborted()
      return typeof outcome === 'string' ? answerOf(outcome) : outcome
    } finally {
      turns.release()
    }
  }
}

function argumentsFor(url: string, proxy: string): string[] {
  const quiet = ['--ignore-config', '--no-cache-dir', '--no-warnings', '--no-progress']
  const one = ['--no-playlist', '--playlist-items', '1']
  return ['-J', ...quiet, ...one, '--socket-timeout', '10', '--retries', '1', '--proxy', proxy, '--', url]
}

type Outcome = string | { fault: MediaFault }

/** Its standard output, or why there is none. Never rejects. */
async function run(
  { program, environment, maxOutputBytes = 5_000_000 }: YtDlpOptions,
  args: string[],
  end: AbortSignal,
): Promise<Outcome> {
  if (end.aborted) return { fault: 'too slow' }
  const child = spawn(program, args, {
    env: childEnvironment(environment),
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that what it starts itself ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const kill = () => {
    killGroup(child.pid)
    // Whatever got away may still hold the other end; nobody waits for that.
    child.stdout.destroy()
  }
  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxOutputBytes) kill()
    else chunks.push(chunk)
  })
  end.addEventListener('abort', kill, { once: true })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (end.aborted) return { fault: 'too slow' }
    return code === 0 && bytes <= maxOutputBytes ? Buffer.concat(chunks).toString('utf8') : { fault: 'found none' }
  } catch (error) {
    const isMissing = ['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')
    return { fault: isMissing ? 'not installed' : 'found none' }
  } finally {
    end.removeEventListener('abort', kill)
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** What a program needs to start and to write temporary files. Keys and proxies of this process are not among it. */
const passedOn = ['PATH', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'SystemDrive', 'PATHEXT']

const childEnvironment = (own: YtDlpOptions['environment']): Record<string, string> => ({
  ...Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = own[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  ),
  PYTHONIOENCODING: 'utf-8',
})

function answerOf(output: string): Media & { fault?: MediaFault } {
  const media = mediaIn(parsed(output))
  return media.audio === undefined && media.video === undefined ? { fault: 'found none' } : media
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
