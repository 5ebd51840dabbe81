import type { Door, Peer } from '../../../contracts/session.ts'
import type { Log } from '../../../kernel/log.ts'
import type { CdpClient } from '../../browser/cdp/client.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
import type { CdpMessage } from '../../browser/cdp/shapes.ts'
import type { BrowserVersion } from '../../browser/launch/types.ts'
import type { Reach } from '../../code/cdp-allowed.ts'
import { createRules, type Rules } from './rules.ts'

export type CdpDoorOptions = {
  connection: Pick<Connection, 'client' | 'browser'>
  version: BrowserVersion
  /** A client has said something. */
  onActivity(): void
  /** Everything by default, where the session has the browser for itself. */
  reach?: Reach
  /** What may wait for a client that does not read before it is cut off, bytes. One message may be longer. */
  maxWaitingBytes?: number
  log: Pick<Log, 'debug'>
}
export type CdpDoor = Extract<Door, { kind: 'cdp' }> & {
  /** Sends all clients away; the browser stays. */
  close(): void
}

const defaultMaxWaitingBytes = 64 * 1024 * 1024

/** Close codes (RFC 6455, section 7.4.1). */
const goingAway = 1001
const notText = 1003
const policyViolation = 1008

/** Codes of JSON-RPC and Chromium. */
const parseError = -32700
const serverError = -32000

/** Lets any number of programs that speak the Chrome DevTools Protocol drive the browser of a session, each as if alone. */
export function cdpDoor(options: CdpDoorOptions): CdpDoor {
  const all = new Set<Visit>()
  return {
    kind: 'cdp',
    version: options.version,
    pages: () => pagesOf(options),
    async connect(peer) {
      const visit = createVisit(peer, options, () => all.delete(visit))
      all.add(visit)
      await visit.begin()
    },
    close() {
      for (const visit of all) visit.sendAway()
    },
  }
}

type Visit = { begin(): Promise<void>; sendAway(): void }

/** All that a client would find, also in contexts that other clients made. */
async function pagesOf({ connection, reach: { contextId } = {} }: CdpDoorOptions) {
  const { targetInfos } = await connection.browser.send('Target.getTargets', {})
  return targetInfos
    .filter(({ type }) => type === 'page')
    .filter(({ browserContextId }) => contextId === undefined || browserContextId === contextId)
    .map(({ targetId: id, url, title }) => ({ id, url, title }))
}

/** One program, from the moment it comes to the moment it leaves or is sent away. */
function createVisit(peer: Peer, options: CdpDoorOptions, left: () => void): Visit {
  const { connection, reach = {}, maxWaitingBytes = defaultMaxWaitingBytes, onActivity, log } = options
  const rules = createRules(reach, (contextId) => denyDownloads(connection, contextId))
  /** What it says before the browser has made room for it. */
  const early: (string | Uint8Array)[] = []
  let client: CdpClient | undefined
  let isOver = false

  function leave(): void {
    if (isOver) return
    isOver = true
    left()
    client?.close().catch(() => undefined)
  }

  function end(code: number, reason: string): void {
    if (isOver) return
    leave()
    peer.close(code, reason)
  }

  const ended = () => end(goingAway, 'The browser session has ended.')

  function tell(message: CdpMessage): void {
    if (isOver) return
    rules.hear(message)
    if (peer.waiting() <= maxWaitingBytes) return peer.send(JSON.stringify(message))
    log.debug('session.cdpClientCut', { waitingBytes: peer.waiting() })
    end(policyViolation, 'What the browser says is not read.')
  }

  function hear(data: string | Uint8Array): void {
    if (isOver) return
    if (!client) return void early.push(data)
    if (typeof data !== 'string') return end(notText, 'Messages are JSON text.')
    onActivity()
    const message = parsed(data)
    if (!message) return tell({ error: { code: parseError, message: 'Message must be a valid JSON object.' } })
    if (obey(message, { client, rules, tell }) === 'leaves') return end(1000, 'Closed by the client.')
    if (!client.isFull()) return
    peer.pause()
    void client.drained().then(() => peer.resume())
  }

  async function begin(): Promise<void> {
    peer.pause()
    peer.listen({ message: hear, closed: leave })
    client = await connection.client({ receive: tell, ended, contextId: reach.contextId }).catch(() => {
      ended()
      return undefined
    })
    if (isOver) return client?.close()
    early.splice(0).forEach(hear)
    peer.resume()
  }

  return { begin, sendAway: ended }
}

/** Without being told so, the browser writes downloads to the machine. */
function denyDownloads({ browser }: Pick<Connection, 'browser'>, browserContextId: string): void {
  browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }).catch(() => undefined)
}

function obey(
  message: CdpMessage,
  { client, rules, tell }: { client: CdpClient; rules: Rules; tell(message: CdpMessage): void },
): 'stays' | 'leaves' {
  // What is no call is told so by the connection.
  const { id, method, params, sessionId } = message
  if (!Number.isSafeInteger(id) || typeof method !== 'string' || typeof (params ?? {}) !== 'object') {
    client.send(message)
    return 'stays'
  }
  const answer = (rest: Pick<CdpMessage, 'result' | 'error'>) =>
    tell({ id, ...rest, ...(sessionId !== undefined && { sessionId }) } as CdpMessage)
  const ruling = rules.rule(message)
  if (ruling.kind === 'pass') client.send(ruling.message)
  if (ruling.kind === 'refuse') answer({ error: { code: serverError, message: ruling.why } })
  if (ruling.kind === 'answer' || ruling.kind === 'leave') answer({ result: {} })
  return ruling.kind === 'leave' ? 'leaves' : 'stays'
}

function parsed(text: string): CdpMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
