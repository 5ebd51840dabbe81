import type { ClientSocket } from '../../contracts/session-port.ts'
import type { Log } from '../../kernel/log.ts'
import type { CdpClient, Connection } from '../browser/cdp/cdp-connection.ts'
import type { CdpMessage } from '../browser/cdp/cdp-wire.ts'
import type { BrowserVersion } from '../browser/launch/process.ts'
import { type Reach, refusal } from '../code/cdp-allowed.ts'
import { parseJsonObject } from '../../util/json.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'

export type CdpEndpointOptions = {
  connection: Pick<Connection, 'client' | 'browser'>
  version: BrowserVersion
  onActivity(): void
  /** Scope of the clients. Default: everything, for a session with its own browser. */
  reach?: Reach
  log: Pick<Log, 'debug'>
}

/** Unread bytes above which a client is disconnected. */
const maxWaitingBytes = 64 * 1024 * 1024

/** Close codes (RFC 6455, section 7.4.1). */
const goingAway = 1001
const notText = 1003
const policyViolation = 1008

/** Error codes of JSON-RPC and Chromium. */
const parseError = -32700
const serverError = -32000

export function createCdpEndpoint(options: CdpEndpointOptions) {
  const all = new Set<ServedClient>()
  let wasUsed = false
  return {
    kind: 'cdp' as const,
    version: options.version,
    pages: () => pagesOf(options),
    wasUsed: () => wasUsed,
    async connect(socket: ClientSocket): Promise<void> {
      wasUsed = true
      const served = serveClient(socket, options, () => all.delete(served))
      all.add(served)
      await served.begin()
    },
    close() {
      for (const served of all) served.sendAway()
    },
  }
}

type ServedClient = { begin(): Promise<void>; sendAway(): void }

/** Lists all pages that a client could find, including pages in contexts created by other clients. */
async function pagesOf({ connection, reach: { contextId } = {} }: CdpEndpointOptions) {
  const { targetInfos } = await connection.browser.send('Target.getTargets', {})
  return targetInfos
    .filter(({ type }) => type === 'page')
    .filter(({ browserContextId }) => contextId === undefined || browserContextId === contextId)
    .map(({ targetId: id, url, title }) => ({ id, url, title: sanitiseLine(title) }))
}

function serveClient(socket: ClientSocket, options: CdpEndpointOptions, onLeave: () => void): ServedClient {
  const { connection, reach = {}, onActivity, log } = options
  const rules = createRules(reach, (contextId) => denyDownloads(connection, contextId))
  /** Messages that arrive before the client is registered with the browser. */
  const early: (string | Uint8Array)[] = []
  let client: CdpClient | undefined
  let isOver = false

  function detach(): void {
    if (isOver) return
    isOver = true
    onLeave()
    client?.close().catch(() => undefined)
  }

  function end(code: number, reason: string): void {
    if (isOver) return
    detach()
    socket.close(code, reason)
  }

  const ended = () => end(goingAway, 'The browser session has ended.')

  function send(message: CdpMessage): void {
    if (isOver) return
    rules.observe(message)
    if (socket.bufferedBytes() <= maxWaitingBytes) return socket.send(JSON.stringify(message))
    log.debug('session.cdpClientCut', { waitingBytes: socket.bufferedBytes() })
    end(policyViolation, 'The client does not read its messages.')
  }

  function receive(data: string | Uint8Array): void {
    if (isOver) return
    if (!client) return void early.push(data)
    if (typeof data !== 'string') return end(notText, 'Messages are JSON text.')
    onActivity()
    const message = parseJsonObject(data)
    if (!message) return send({ error: { code: parseError, message: 'Message must be a valid JSON object.' } })
    if (dispatch(message, { client, rules, send }) === 'leaves') return end(1000, 'Closed by the client.')
    if (!client.isFull()) return
    socket.pause()
    void client.drained().then(() => socket.resume())
  }

  async function begin(): Promise<void> {
    socket.pause()
    socket.listen({ message: receive, closed: detach })
    client = await connection.client({ receive: send, ended, contextId: reach.contextId }).catch(() => {
      ended()
      return undefined
    })
    if (isOver) return client?.close()
    early.splice(0).forEach(receive)
    socket.resume()
  }

  return { begin, sendAway: ended }
}

/** Blocks downloads, which the browser would otherwise write to the disk of this machine. */
function denyDownloads({ browser }: Pick<Connection, 'browser'>, browserContextId: string): void {
  browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }).catch(() => undefined)
}

function dispatch(
  message: CdpMessage,
  { client, rules, send }: { client: CdpClient; rules: Rules; send(message: CdpMessage): void },
): 'stays' | 'leaves' {
  // The connection answers malformed messages.
  const { id, method, params, sessionId } = message
  if (!Number.isSafeInteger(id) || typeof method !== 'string' || typeof (params ?? {}) !== 'object') {
    client.send(message)
    return 'stays'
  }
  const answer = (rest: Pick<CdpMessage, 'result' | 'error'>) =>
    send({ id, ...rest, ...(sessionId !== undefined && { sessionId }) } as CdpMessage)
  const ruling = rules.rule(message)
  if (ruling.kind === 'pass') client.send(ruling.message)
  if (ruling.kind === 'refuse') answer({ error: { code: serverError, message: ruling.why } })
  if (ruling.kind === 'answer' || ruling.kind === 'leave') answer({ result: {} })
  return ruling.kind === 'leave' ? 'leaves' : 'stays'
}

/** Decision on a client's message: forward it to the browser, answer it here, refuse it, or disconnect the client. */
type Ruling =
  | { kind: 'pass'; message: CdpMessage }
  | { kind: 'answer'; result: Record<string, never> }
  | { kind: 'refuse'; why: string }
  | { kind: 'leave' }

type Rules = ReturnType<typeof createRules>

/** Calls that clients make when they connect or create a context. They get an empty answer, without effect. */
const ignored = new Set(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior'])

/** Filter without which the browser also lists itself and its windows. */
const pagesOnly = { filter: [{ type: 'page' }] }

/** Parameters that would bypass the session's proxy and its address guard. */
const ownNetwork = ['proxyServer', 'proxyBypassList', 'originsWithUniversalNetworkAccess']

/**
 * Creates the rules for one client: those for code, and permission to create contexts if the session has its own
 * browser. `onContext` gets the id of a new context before the client does.
 */
export function createRules(reach: Reach, onContext: (contextId: string) => void) {
  const creating = new Set<string>()
  const contexts = new Set<unknown>()

  function rule(message: CdpMessage): Ruling {
    const { method = '' } = message
    if (method === 'Browser.close') return { kind: 'leave' }
    if (ignored.has(method)) return { kind: 'answer', result: {} }
    if (reach.contextId === undefined && method === 'Target.createBrowserContext') return contextOf(message)
    if (method === 'Target.disposeBrowserContext' && contexts.has(message.params?.['browserContextId']))
      return { kind: 'pass', message }
    const why = refusal(message, reach)
    if (why !== undefined) return { kind: 'refuse', why }
    return { kind: 'pass', message: method === 'Target.getTargets' ? { ...message, params: pagesOnly } : message }
  }

  function contextOf(message: CdpMessage): Ruling {
    const params = message.params ?? {}
    if (ownNetwork.some((name) => isGiven(params[name])))
      return { kind: 'refuse', why: 'All pages of a session use the same proxy.' }
    creating.add(requestKey(message))
    return { kind: 'pass', message: { ...message, params: { disposeOnDetach: true } } }
  }

  return {
    rule,
    /** Must be called with every message before it is sent to the client. */
    observe(message: CdpMessage): void {
      if (message.id === undefined || !creating.delete(requestKey(message))) return
      const id = message.result?.['browserContextId']
      if (typeof id !== 'string') return
      contexts.add(id)
      onContext(id)
    },
  }
}

const requestKey = ({ id, sessionId = '' }: CdpMessage) => `${id} ${sessionId}`
const isGiven = (value: unknown) => value !== undefined && value !== null && String(value) !== ''
