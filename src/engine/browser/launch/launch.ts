import { setTimeout as pause } from 'node:timers/promises'
import { failure } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import { type Connection, createConnection } from '../cdp/connection.ts'
import { createSocketWire, openSocket } from '../cdp/socket.ts'
import type { FoundBrowser, LocalBrowser } from '../find/find.ts'
import { type ArgumentFacts, browserArguments } from './arguments.ts'
import { browserEnvironment, sharedMemory, temporaryFiles } from './environment.ts'
import { isSandboxRefused, startFailure, wordsOf } from './failure.ts'
import { type BrowserProcess, startProcess } from './process.ts'
import { makeProfileDir, type ProfileDir, sweepProfileDirs } from './profile-dir.ts'
import type { Browser, BrowserEnd, BrowserVersion } from './types.ts'

export type LaunchOptions = Pick<ArgumentFacts, 'proxy' | 'windowSize' | 'userAgent' | 'more'> & {
  log: Log
  /** A window needs a screen; headless is the default. */
  display?: ArgumentFacts['display']
  /** Folder under which the browser's own folder is made; the system's for temporary files by default. */
  profileRoot?: string
  /** How long the browser may take to answer first, ms. */
  startTimeoutMs?: number
}

const startTimeoutMsDefault = 20_000
const closeGraceMs = 2000

/** Starts a browser, or connects to one that runs already. Fails with BROWSER_UNAVAILABLE, or with the signal's reason. */
export async function openBrowser(
  browser: FoundBrowser,
  options: LaunchOptions,
  signal?: AbortSignal,
): Promise<Browser> {
  if (browser.from === 'remote') return connectRemote(browser.url, timeLimited(options), signal)
  const [opened] = await Promise.allSettled([
    startSandboxed(browser, options, signal),
    sweepProfileDirs(options.profileRoot),
  ])
  if (opened.status === 'rejected') throw opened.reason
  return opened.value
}

const timeLimited = (options: LaunchOptions) => ({ startTimeoutMs: startTimeoutMsDefault, ...options })

/** Chromium's sandbox is kept wherever it works: never for root, not in many containers. */
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
  sandbox: ArgumentFacts['sandbox'],
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
    sharedMemory: await sharedMemory(process.platform),
  })
  // oxlint-disable-next-line node/no-process-env -- the environment of a process is made from our own
  const env = browserEnvironment(process.env, { ...temporaryFiles(profile.path), ...browser.env })
  const running = startProcess(browser.path, args, env, profile.path)
  const connection = createConnection(running.wire, options.log)
  const life = livesOf(running, connection, profile, options.log)
  try {
    const version = await firstAnswer(connection, running, timeLimited(options), signal)
    return { connection, kind: browser.kind, pid: running.pid, version, ...life }
  } catch (thrown) {
    running.kill()
    await life.closed
    throw thrown
  }
}

/** Ready is a browser that answers. */
async function firstAnswer(
  connection: Connection,
  running: BrowserProcess,
  { startTimeoutMs }: { startTimeoutMs: number },
  signal?: AbortSignal,
): Promise<BrowserVersion> {
  const limit = { step: 'The start of the browser', ms: startTimeoutMs }
  try {
    return await withDeadline(limit, signal, (own) => connection.browser.send('Browser.getVersion', {}, own))
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    if (thrown instanceof DeadlineError) throw startFailure({ afterMs: startTimeoutMs }, running.stderr())
    // The pipe breaks before the system tells how the process ended.
    running.kill()
    throw startFailure(await running.ended, running.stderr())
  }
}

/** Ends the process when its connection ends and the connection when its process ends, and cleans up behind both. */
function livesOf(
  running: BrowserProcess,
  connection: Connection,
  profile: ProfileDir,
  log: Log,
): Pick<Browser, 'closed' | 'close'> {
  let wasAsked = false
  void connection.closed.then(() => endedWithin(running, closeGraceMs))
  const closed = running.ended.then(async (end): Promise<BrowserEnd> => {
    running.kill()
    connection.close()
    await running.gone()
    await profile.remove().catch((error: unknown) => log.warn('browser.folderLeft', { error }))
    // No word of stderr: once pages are open, it repeats what their scripts say.
    return { why: wasAsked ? 'closed' : 'died', detail: wordsOf(end) }
  })
  return {
    closed,
    async close() {
      wasAsked = true
      void connection.browser.send('Browser.close', {}).catch(() => undefined)
      await endedWithin(running, closeGraceMs)
      await closed
    },
  }
}

async function endedWithin(running: BrowserProcess, ms: number): Promise<void> {
  const timer = new AbortController()
  const late = pause(ms, undefined, { signal: timer.signal }).then(
    () => running.kill(),
    () => undefined,
  )
  await Promise.race([running.ended, late])
  timer.abort()
}

/** Connects to a browser that runs already, by ws://… or by http://… of its debugging port. */
async function connectRemote(
  url: string,
  { log, startTimeoutMs }: { log: Log; startTimeoutMs: number },
  signal?: AbortSignal,
): Promise<Browser> {
  const limit = { step: 'The connection to the browser', ms: startTimeoutMs }
  try {
    return await withDeadline(limit, signal, (own) => connect(url, log, own))
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw failure('BROWSER_UNAVAILABLE', {
      message: 'The browser of the browserCdpUrl setting did not answer.',
      hint: 'Check that it runs and that GOSSAMER_BROWSER_CDP_URL is its ws:// or http:// endpoint, or leave the setting out to start a browser here.',
      cause,
    })
  }
}

async function connect(url: string, log: Log, signal: AbortSignal): Promise<Browser> {
  const socket = await openSocket(await socketUrl(url, signal), signal)
  const connection = createConnection(createSocketWire(socket), log)
  let wasAsked = false
  const closed = connection.closed.then((how): BrowserEnd => ({ why: wasAsked ? 'closed' : 'died', detail: how }))
  try {
    const version = await connection.browser.send('Browser.getVersion', {}, signal)
    const close = async () => {
      wasAsked = true
      connection.close()
      await closed
    }
    return { connection, kind: 'remote', pid: undefined, version, closed, close }
  } catch (thrown) {
    connection.close()
    throw thrown
  }
}

/** Debugging ports and browser services tell the address of their WebSocket under /json/version. */
async function socketUrl(endpoint: string, signal: AbortSignal): Promise<string> {
  const url = new URL(endpoint)
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return endpoint
  url.pathname = `${url.pathname.replace(/\/$/, '')}/json/version`
  const answer = await fetch(url, { signal })
  const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl?: unknown }
  if (typeof webSocketDebuggerUrl !== 'string') throw new Error('The endpoint names no WebSocket.')
  return webSocketDebuggerUrl
}
