import type { CdpMessage } from '../../browser/cdp/shapes.ts'
import { type Reach, refusal } from '../../code/cdp-allowed.ts'

/** What becomes of what a client says: it goes to the browser, is answered at once, is refused, or the client leaves. */
export type Ruling =
  | { kind: 'pass'; message: CdpMessage }
  | { kind: 'answer'; result: Record<string, never> }
  | { kind: 'refuse'; why: string }
  | { kind: 'leave' }

export type Rules = {
  rule(message: CdpMessage): Ruling
  /** To be told of everything that the client is sent, before it is sent. */
  hear(message: CdpMessage): void
}

/** Without these a client gives up when it connects or makes a context, so they are answered and do nothing. */
const pretended = new Set(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior'])

/** Each of these would lead pages past the guard of the session's network. */
const ownNetwork = ['proxyServer', 'proxyBypassList', 'originsWithUniversalNetworkAccess']

/**
 * The rules for one client of a session: what code may do, and contexts of its own, which go with it. `made` is told
 * the id of each before the client is.
 */
export function createRules(reach: Reach, made: (contextId: string) => void): Rules {
  const making = new Set<string>()
  const contexts = new Set<unknown>()

  function rule(message: CdpMessage): Ruling {
    const { method = '' } = message
    if (method === 'Browser.close') return { kind: 'leave' }
    if (pretended.has(method)) return { kind: 'answer', result: {} }
    if (reach.contextId === undefined && method === 'Target.createBrowserContext') return contextOf(message)
    if (method === 'Target.disposeBrowserContext' && contexts.has(message.params?.['browserContextId']))
      return { kind: 'pass', message }
    const why = refusal(message, reach)
    return why === undefined ? { kind: 'pass', message } : { kind: 'refuse', why }
  }

  function contextOf(message: CdpMessage): Ruling {
    const params = message.params ?? {}
    if (ownNetwork.some((name) => isGiven(params[name])))
      return { kind: 'refuse', why: 'All pages of a session go into the network the same way.' }
    making.add(nameOf(message))
    return { kind: 'pass', message: { ...message, params: { disposeOnDetach: true } } }
  }

  return {
    rule,
    hear(message) {
      if (message.id === undefined || !making.delete(nameOf(message))) return
      const id = message.result?.['browserContextId']
      if (typeof id !== 'string') return
      contexts.add(id)
      made(id)
    },
  }
}

const nameOf = ({ id, sessionId = '' }: CdpMessage) => `${id} ${sessionId}`
const isGiven = (value: unknown) => value !== undefined && value !== null && String(value) !== ''
