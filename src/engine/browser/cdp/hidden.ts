import type { Router } from './router.ts'
import { detach } from './session.ts'
import type { TargetInfo } from './shapes.ts'
import type { CdpMessage } from './wire.ts'

type Told = Partial<TargetInfo> | undefined
type Result = NonNullable<CdpMessage['result']>

export type Hiding = {
  /** Whether the client is not to hear this event. A session with such a target is let go of at once. */
  hides(message: CdpMessage): boolean
  isHidden(sessionId: unknown): boolean
  /** What a client may be answered of that. */
  shown(result: Result): Result
}

/**
 * Keeps targets from a client: pages of the browser itself, such as its settings, which may do whatever the browser
 * may; and, for a client that is given one context, those of all others.
 */
export function createHiding(router: Router, contextId: string | undefined): Hiding {
  const hidden = new Set<unknown>()
  const isForeign = (target: Told) =>
    contextId !== undefined && target?.browserContextId !== undefined && target.browserContextId !== contextId
  const isKept = (target: Told) => isBrowsersOwn(target) || isForeign(target)
  return {
    hides({ method, params, sessionId }: CdpMessage): boolean {
      const target = params?.['targetInfo'] as Told
      const named = params?.['sessionId']
      if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') return isForeign(target)
      if (method === 'Target.detachedFromTarget') return hidden.delete(named)
      if (method !== 'Target.attachedToTarget' || !isKept(target)) return false
      hidden.add(named)
      void detach(router, String(named), sessionId)
      return true
    },
    isHidden: (sessionId) => hidden.has(sessionId),
    shown(result) {
      const targets = result['targetInfos']
      if (contextId === undefined || !Array.isArray(targets)) return result
      return { ...result, targetInfos: (targets as Told[]).filter((target) => !isForeign(target)) }
    },
  }
}

const isBrowsersOwn = ({ type, url = '' }: Partial<TargetInfo> = {}) =>
  type === 'browser_ui' || /^(?:chrome|chrome-untrusted|devtools|file):/i.test(url)
