import { desktopUserAgent } from '../emulation/emulate.ts'
import type { FoundBrowser, LocalBrowser } from '../find/find-browser.ts'
import {
  type Browser,
  type BrowserEnd,
  type BrowserVersion,
  type BrowserProcess,
  startProcess,
  describeOutcome,
  isSandboxRefused,
  startError,
} from './process.ts'
import { statfs } from 'node:fs/promises'
import { failure } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { DeadlineError, withDeadline } from '../../../util/async.ts'
import { parseJsonObject } from '../../../util/json.ts'
import { type Connection, createConnection } from '../cdp/cdp-connection.ts'
import { openSocketWire } from '../cdp/cdp-wire.ts'
import { type ArgumentOptions, browserArguments } from './browser-arguments.ts'
import { makeProfileDir, type ProfileDir, sweepProfileDirs } from './profile-dir.ts'

export type LaunchOptions = Pick<ArgumentOptions, 'proxy' | 'windowSize' | 'userAgent' | 'more'> & {
  log: Log
  /** A window needs a display. Default: headless. */
  display?: ArgumentOptions['display']
  /** Folder for browser profiles. Default: the system's temporary folder. */
  profileRoot?: string
  /** Time limit in ms for the first response of the browser. */
  startTimeoutMs?: number
}

const defaultStartTimeoutMs = 20_000
const closeGraceMs = 2000

/** Starts a browser, or connects to a running one. Fails with BROWSER_UNAVAILABLE, or with the signal's reason. */
export async function openBrowser(browser: FoundBrowser, options: LaunchOptions, signal?: AbortSignal) {
  if (browser.from === 'remote') return connectRemote(browser.url, options, signal)
  const [opened] = await Promise.allSettled([
    startSandboxed(browser, options, signal),
    sweepProfileDirs(options.profileRoot),
  ])
  if (opened.status === 'rejected') throw opened.reason
  return opened.value
}

/** Keeps Chromium's sandbox wherever it works; it does not work for root and in many containers. */
async function startSandboxed(browser: LocalBrowser, options: LaunchOptions, signal?: AbortSignal): Promise<Browser> {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  try {
    if (!isRoot) return await start(browser, 'on', options, signal)
  } catch (thrown) {
    if (!isSandboxRefused(thrown)) throw thrown
  }
  options.log.warn('browser.noSandbox', { because: isRoot ? 'runs as root' : 'the system has no user namespaces' })
  return start(browser, 'off', options, signal)
}

async function start(
  browser: LocalBrowser,
  sandbox: ArgumentOptions['sandbox'],
  options: LaunchOptions,
  signal?: AbortSignal,
): Promise<Browser> {
  signal?.throwIfAborted()
  const profile = await makeProfileDir(options.profileRoot)
  const args = browserArguments({
    ...options,
    kind: browser.kind,
    profileDir: profile.path,
    display: options.display ?? 'headless',
    sandbox,
    sharedMemory: await sharedMemory(),
  })
  // oxlint-disable-next-line node/no-process-env -- the browser inherits parts of our environment
  const env = browserEnvironment(process.env, { ...temporaryFiles(profile.path), ...browser.env })
  const running = startProcess(browser.path, args, env, profile.path)
  const connection = createConnection(running.wire, options.log)
  const lifecycle = superviseProcess(running, connection, profile, options.log)
  try {
    const version = await waitForVersion(connection, running, options, signal)
    return { connection, pid: running.pid, profileDir: profile.path, version, ...lifecycle }
  } catch (thrown) {
    running.kill()
    await lifecycle.closed
    throw thrown
  }
}

/** Waits for the first response of the browser, which shows that it is ready. */
async function waitForVersion(
  connection: Connection,
  running: BrowserProcess,
  { startTimeoutMs = defaultStartTimeoutMs }: LaunchOptions,
  signal?: AbortSignal,
): Promise<BrowserVersion> {
  const limit = { step: 'The start of the browser', ms: startTimeoutMs }
  try {
    return await withDeadline(limit, signal, (within) => connection.browser.send('Browser.getVersion', {}, within))
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    if (thrown instanceof DeadlineError) throw startError({ afterMs: startTimeoutMs }, running.stderr())
    // The pipe breaks before the exit of the process is reported.
    running.kill()
    throw startError(await running.ended, running.stderr())
  }
}

/**
 * Kills the process when its connection ends, closes the connection when its process ends, and cleans up after both.
 */
function superviseProcess(running: BrowserProcess, connection: Connection, profile: ProfileDir, log: Log) {
  let isClosing = false
  void connection.closed.then(() => killAfter(running, closeGraceMs))
  const closed = running.ended.then(async (end): Promise<BrowserEnd> => {
    running.kill()
    connection.close()
    await running.gone()
    await profile.remove().catch((error: unknown) => log.warn('browser.folderLeft', { error }))
    // Excludes stderr, which may contain page text.
    return { why: isClosing ? 'closed' : 'died', detail: describeOutcome(end) }
  })
  return {
    closed,
    async close() {
      isClosing = true
      void connection.browser.send('Browser.close', {}).catch(() => undefined)
      await killAfter(running, closeGraceMs)
      await closed
    },
    async kill() {
      isClosing = true
      running.kill()
      await closed
    },
  }
}

const killAfter = ({ ended, kill }: BrowserProcess, ms: number): Promise<unknown> =>
  withDeadline({ step: 'close the browser', ms }, undefined, () => ended).catch(kill)

async function connectRemote(
  url: string,
  { log, startTimeoutMs = defaultStartTimeoutMs }: LaunchOptions,
  signal?: AbortSignal,
): Promise<Browser> {
  const limit = { step: 'The connection to the browser', ms: startTimeoutMs }
  try {
    return await withDeadline(limit, signal, (within) => connect(url, log, within))
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw failure('BROWSER_UNAVAILABLE', {
      message: 'The remote browser at GOSSAMER_BROWSER_CDP_URL did not answer.',
      hint: 'Check that it runs and that GOSSAMER_BROWSER_CDP_URL is its ws:// or http:// endpoint, or leave the setting out to start a browser here.',
      cause,
    })
  }
}

async function connect(url: string, log: Log, signal: AbortSignal): Promise<Browser> {
  const connection = createConnection(await openSocketWire(await socketUrl(url, signal), signal), log)
  let isClosing = false
  const closed = connection.closed.then((detail): BrowserEnd => ({ why: isClosing ? 'closed' : 'died', detail }))
  try {
    const version = await connection.browser.send('Browser.getVersion', {}, signal)
    const close = async () => {
      isClosing = true
      connection.close()
      await closed
    }
    return { connection, pid: undefined, profileDir: undefined, version, closed, close, kill: close }
  } catch (thrown) {
    connection.close()
    throw thrown
  }
}

/** Returns the WebSocket URL, which debugging ports and browser services serve at /json/version. */
async function socketUrl(endpoint: string, signal: AbortSignal): Promise<string> {
  const url = new URL(endpoint)
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return endpoint
  url.pathname = `${url.pathname.replace(/\/$/, '')}/json/version`
  const response = await fetch(url, { signal })
  const { webSocketDebuggerUrl } = parseJsonObject(await response.text()) ?? {}
  if (typeof webSocketDebuggerUrl !== 'string') throw new Error('The endpoint returned no WebSocket URL.')
  return webSocketDebuggerUrl
}

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that a browser needs for files, fonts and display. Keys and tokens are not passed on. */
const inherited = [
  'PATH HOME LANG LC_ALL LC_CTYPE TZ TMPDIR LD_LIBRARY_PATH FONTCONFIG_PATH FONTCONFIG_FILE',
  'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY',
  'SystemRoot SystemDrive windir TEMP TMP LOCALAPPDATA APPDATA USERPROFILE ProgramData ProgramFiles ProgramFiles(x86) ProgramW6432',
].flatMap((names) => names.split(' '))

/** Adds a locale if none is set: without one, Chromium cannot open files with non-ASCII names. */
const localeOf = ({ LC_ALL, LC_CTYPE, LANG }: Environment): Environment =>
  LC_ALL || LC_CTYPE || LANG ? {} : { LC_CTYPE: 'C.UTF-8' }

export function browserEnvironment(own: Environment, more: Environment): Record<string, string> {
  const passedOn = inherited.map((name) => [name, { ...own, ...localeOf(own) }[name]] as const)
  return Object.fromEntries(
    [...passedOn, ...Object.entries(more)].filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
}

/** Socket that a full browser creates under TMPDIR. Its path is limited (sun_path in unix(7); 104 bytes on macOS). */
const socketName = '/org.chromium.Chromium.XXXXXX/SingletonSocket'
const maxSocketPath = 103

/**
 * Puts temporary files of a browser into its profile folder, which is removed afterwards. Has no effect if the path is
 * too long.
 */
export const temporaryFiles = (profileDir: string): Environment =>
  Buffer.byteLength(profileDir + socketName) <= maxSocketPath ? { TMPDIR: profileDir } : {}

/** Space in bytes for the bitmaps of large pages; containers provide 64 MB. */
const enoughSharedBytes = 512 * 1024 * 1024

async function sharedMemory(): Promise<ArgumentOptions['sharedMemory']> {
  if (process.platform !== 'linux') return 'usual'
  const stats = await statfs('/dev/shm').catch(() => undefined)
  return stats && stats.bavail * stats.bsize >= enoughSharedBytes ? 'usual' : 'small'
}

/** Blocks popups in browsers that support it; in other browsers popups are closed as they open. */
export const noPopups = '--block-new-web-contents'

export type Launch = (found: FoundBrowser, options: LaunchOptions, signal?: AbortSignal) => Promise<Browser>

/**
 * Starts browsers. If the User-Agent of a browser contains Headless, the browser is restarted with another one, because
 * the User-Agent of workers cannot be overridden later.
 */
export function createLauncher(): Launch {
  const userAgents = new Map<string, string>()
  return async function launch(found, options, signal): Promise<Browser> {
    if (found.from === 'remote') return openBrowser(found, options, signal)
    const userAgent = userAgents.get(found.path)
    const browser = await openBrowser(found, { ...options, userAgent }, signal)
    if (userAgent !== undefined || !browser.version.userAgent.includes('Headless')) return browser
    userAgents.set(found.path, desktopUserAgent(browser.version.userAgent))
    await browser.close()
    return launch(found, options, signal)
  }
}

export function isOnThisMachine(endpoint: string): boolean {
  const host = new URL(endpoint).hostname.replace(/\.$/, '')
  // The URL parser writes ::ffff:127.0.0.1 in hexadecimal.
  const isMapped = /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(host)
  return (
    /^(?:.+\.)?localhost$/.test(host) || host === '[::1]' || isMapped || /^(?:127(?:\.\d+){3}|0\.0\.0\.0)$/.test(host)
  )
}
