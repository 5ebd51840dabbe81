import type { Protocol } from 'devtools-protocol'
import type { Confinement, SessionBounds } from '../../contracts/session-port.ts'
import { abortReason } from '../../util/async.ts'
import { guardDocuments } from '../browser/page/navigate.ts'
import type { Connection } from '../browser/cdp/cdp-connection.ts'
import type { Session } from '../browser/cdp/cdp-session.ts'
import type { Tabs } from './page/tabs.ts'

const maxRefused = 20

/**
 * Keeps the pages of a context, and the pages they open, within bounds, whether a link, form, redirect, script or call
 * navigates. Refused requests never leave the browser. Frames may load any URL, but frames outside the bounds are
 * neither read nor acted in. Fails with a CdpError if the browser is gone.
 */
export async function confine(
  { connection, contextId, tabs }: { connection: Connection; contextId: string; tabs: Pick<Tabs, 'limitFrames'> },
  { mayVisit, mayEnter }: SessionBounds,
  signal: AbortSignal,
): Promise<Confinement> {
  const root = await connection.attachToBrowser(signal)
  let refused: string[] = []
  const refuse = (url: string) => {
    if (refused.length < maxRefused) refused = [...refused, url]
  }
  const guards = new Set<Promise<void>>()
  root.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
    const session = root.child(sessionId)
    const isOwn = targetInfo.browserContextId === contextId
    const guarding = (isOwn ? guard(session, targetInfo, { mayVisit, refuse, root }) : Promise.resolve())
      // A tab without a guard must be closed, if it still exists.
      .catch(() => void root.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => undefined))
      .finally(() => waitingForDebugger && session.send('Runtime.runIfWaitingForDebugger', {}).catch(() => undefined))
    guards.add(guarding)
  })
  try {
    // A new tab is paused until its guard is attached.
    const pages = [{ type: 'page' }, { exclude: true }]
    const options = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: pages } as const
    await root.send('Target.setAutoAttach', options, signal)
    await Promise.all(guards)
    if (signal.aborted) throw abortReason(signal)
  } catch (error) {
    await root.detach()
    throw error
  }
  const unlimit = tabs.limitFrames(mayEnter)
  return {
    async takeRefused() {
      const taken = refused
      refused = []
      return taken
    },
    async lift() {
      unlimit()
      await root.detach()
    },
  }
}

type GuardOptions = Pick<SessionBounds, 'mayVisit'> & { refuse(url: string): void; root: Session }

async function guard(session: Session, { targetId, url }: Protocol.Target.TargetInfo, options: GuardOptions) {
  let isBlank = url === '' || url === 'about:blank'
  await guardDocuments(session, targetId, {
    mayOpen: async (target) => {
      const isAllowed = await options.mayVisit(target)
      if (isAllowed) isBlank = false
      return isAllowed
    },
    refused(target) {
      options.refuse(target)
      // A tab opened for this URL stays blank.
      if (isBlank) void options.root.send('Target.closeTarget', { targetId }).catch(() => undefined)
    },
  })
}
