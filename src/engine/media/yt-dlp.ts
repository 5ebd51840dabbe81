import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { FindMedia, Media, MediaError } from '../../contracts/page-content.ts'
import { killGroup } from '../browser/launch/process-group.ts'
import { createFairSemaphore } from '../../util/semaphore.ts'
import { isRecord, parseJson } from '../../util/json.ts'

export type YtDlpOptions = {
  /** Path of the program; a bare name is searched for on the PATH. */
  program: string
  /** Returns the proxy for its connections, such as `http://127.0.0.1:3128`, which enforces the address rules. */
  proxy(teamId: string): Promise<string>
  /** Source of its environment variables, such as PATH. */
  environment: Readonly<Record<string, string | undefined>>
  maxOutputBytes?: number
  /** Maximum number of concurrent programs. Further calls wait; a team with none running may then start one more. */
  maxPrograms?: number
}

/**
 * Finds the audio and video of a page with yt-dlp (https://github.com/yt-dlp/yt-dlp), which supports the players of
 * many sites. It downloads nothing, and reads no settings or cookies of the machine.
 */
export function createYtDlp(options: YtDlpOptions): FindMedia {
  const slots = createFairSemaphore({ usual: options.maxPrograms ?? 2 })
  return async ({ teamId, url, limitMs, signal }) => {
    const leave = await slots.acquire(teamId, signal)
    try {
      const end = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, limitMs))])
      const outcome = await run(options, argumentsFor(url, await options.proxy(teamId)), end)
      signal.throwIfAborted()
      return typeof outcome === 'string' ? resultOf(outcome) : outcome
    } finally {
      leave()
    }
  }
}

function argumentsFor(url: string, proxy: string): string[] {
  const quiet = ['--ignore-config', '--no-cache-dir', '--no-warnings', '--no-progress']
  const one = ['--no-playlist', '--playlist-items', '1']
  return ['-J', ...quiet, ...one, '--socket-timeout', '10', '--retries', '1', '--proxy', proxy, '--', url]
}

/** Returns the standard output, or the reason why it is missing. Never rejects. */
async function run(
  { program, environment, maxOutputBytes = 5_000_000 }: YtDlpOptions,
  args: string[],
  end: AbortSignal,
): Promise<string | { error: MediaError }> {
  if (end.aborted) return { error: 'too slow' }
  const child = spawn(program, args, {
    env: childEnvironment(environment),
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'ignore'],
    // A separate process group, so its child processes are killed too.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const kill = () => {
    killGroup(child.pid)
    // A process that escaped the kill may still hold the other end of the pipe open.
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
    if (end.aborted) return { error: 'too slow' }
    return code === 0 && bytes <= maxOutputBytes ? Buffer.concat(chunks).toString('utf8') : { error: 'found none' }
  } catch (error) {
    const isMissing = ['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')
    return { error: isMissing ? 'not installed' : 'found none' }
  } finally {
    end.removeEventListener('abort', kill)
  }
}

/** Variables needed to start and to write temporary files; keys and proxies of this process are not passed on. */
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

function resultOf(output: string): Media & { error?: MediaError } {
  const media = mediaIn(parseJson(output))
  return media.audio === undefined && media.video === undefined ? { error: 'found none' } : media
}

type Entry = Readonly<Record<string, unknown>>

/** Parses the output of `yt-dlp -J` for one URL; uses only the first entry of a playlist. */
function mediaIn(output: unknown): Media {
  if (!isRecord(output)) return {}
  const [entry = output] = listOf(output['entries']).filter(isRecord)
  const formats = [...listOf(entry['formats']).filter(isRecord), entry].filter(isPlayable)
  const audio = bestOf(formats.filter((each) => hasSound(each) && !hasPicture(each)))
  const video = bestOf(formats.filter(hasPicture))
  return { ...(audio !== undefined && { audio }), ...(video !== undefined && { video }) }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 1000) : [])

/** True for a URL that any program can open: not segmented, without DRM, not a storyboard. */
const isPlayable = ({ url, protocol, has_drm: isLocked, ext }: Entry) =>
  typeof url === 'string' &&
  /^https?:\/\//.test(url) &&
  isLocked !== true &&
  ext !== 'mhtml' &&
  !/segments|mhtml|websocket|rtmp|ism/.test(textOf(protocol))

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

const audioEndings = /^(?:mp3|m4a|aac|ogg|opus|flac|wav|weba)$/
/** A codec is `none` if there is no such track, and missing if the site does not report it. */
const hasPicture = ({ vcodec, ext }: Entry) =>
  textOf(vcodec) === '' ? !audioEndings.test(textOf(ext)) : vcodec !== 'none'
const hasSound = ({ acodec }: Entry) => acodec !== 'none'

const isStream = ({ protocol }: Entry) => /m3u8|dash/.test(textOf(protocol))

/** Returns the best URL: with audio before without, files before streams, then by height and bit rate. */
function bestOf(formats: readonly Entry[]): string | undefined {
  const [best] = formats.toSorted(
    (one, other) =>
      Number(hasSound(other)) - Number(hasSound(one)) ||
      Number(isStream(one)) - Number(isStream(other)) ||
      numberOf(other['height']) - numberOf(one['height']) ||
      bitsOf(other) - bitsOf(one),
  )
  return best && textOf(best['url'])
}

const bitsOf = ({ tbr, abr }: Entry) => numberOf(tbr) || numberOf(abr)
