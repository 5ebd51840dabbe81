import { failure } from '../../../core/error.ts'
import type { Log } from '../../../core/log.ts'
import { createSocketWire, openSocket } from '../cdp/socket.ts'
import { createConnection } from '../cdp/connection.ts'
import { withDeadline } from '../deadline.ts'
import type { Browser, BrowserEnd } from './types.ts'

/** Connects to a browser that runs already, by ws://… or by http://… of its debugging port. */
export async function connectRemote(
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
