import type { CdpMessage } from '../../browser/cdp/shapes.ts'
import { type Reach, refusal } from '../../code/cdp-allowed.ts'

/** A client's message goes to the browser, is answered here, is refused, or disconnects the client. */
export type Ruling =
  | { kind: 'pass'; message: CdpMessage }
  | { kind: 'answer'; result: Record<string, never> }
  | { kind: 'refuse'; why: string }
  | { kind: 'leave' }

export type Rules = {
  rule(message: CdpMessage): Ruling
  /** Call with every message to the client before sending it. */
  observe(message: CdpMessage): void
}

/** Clients need these calls to succeed when they connect or create a context, so they get an empty answer. */
const ignored = new Set(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior'])

/** Each of these would bypass the session's proxy and its address guard. */
const ownNetwork = ['proxyServer', 'proxyBypassList', 'originsWithUniversalNetworkAccess']

/**
 * The rules for one client of a session: those of code, plus browser contexts of its own, which are disposed with it.
 * `onContext` gets the id of each new context before the client does.
 */
export function createRules(reach: Reach, onContext: (contextId: string) => void): Rules {
  const making = new Set<string>()
  const contexts = new Set<unknown>()

  function rule(message: CdpMessage): Ruling {
    const { method = '' } = message
    if (method === 'Browser.close') return { kind: 'leave' }
    if (ignored.has(method)) return { kind: 'answer', result: {} }
    if (reach.contextId === undefined && method === 'Target.createBrowserContext') return contextOf(message)
    if (method === 'Target.disposeBrowserContext' && contexts.has(message.params?.['browserContextId']))
      return { kind: 'pass', message }
    const why = refusal(message, reach)
    return why === undefined ? { kind: 'pass', message } : { kind: 'refuse', why }
  }

  function contextOf(message: CdpMessage): Ruling {
    const params = message.params ?? {}
    if (ownNetwork.some((name) => isGiven(params[name])))
      return { kind: 'refuse', why: 'All pages of a session use the same proxy.' }
    making.add(nameOf(message))
    return { kind: 'pass', message: { ...message, params: { disposeOnDetach: true } } }
  }

  return {
    rule,
    observe(message) {
      if (message.id === undefined || !making.delete(nameOf(message))) return
      const id = message.result?.['browserContextId']
      if (typeof id !== 'string') return
      contexts.add(id)
      onContext(id)
    },
  }
}

const nameOf = ({ id, sessionId = '' }: CdpMessage) => `${id} ${sessionId}`
const isGiven = (value: unknown) => value !== undefined && value !== null && String(value) !== ''
