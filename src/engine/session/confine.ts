import type { Protocol } from 'devtools-protocol'
import type { Confinement, SessionBounds } from '../../contracts/session-port.ts'
import { abortReason } from '../../util/async.ts'
import { guardDocuments } from '../browser/page/navigate.ts'
import type { Connection } from '../browser/cdp/cdp-connection.ts'
import type { Session } from '../browser/cdp/cdp-session.ts'
import type { Tabs } from './page/tabs.ts'

const maxRefused = 20

/**
 * Keeps the pages of a context, and the pages they open, within bounds, for navigation by link, form, redirect, script
 * or call. A refused request never leaves the browser. Frames may load any URL, but a frame outside the bounds is
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
      // The tab is gone, or must be closed because it has no guard.
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
    mayOpen: async (asked) => {
      const isAllowed = await options.mayVisit(asked)
      if (isAllowed) isBlank = false
      return isAllowed
    },
    refused(asked) {
      options.refuse(asked)
      // A tab opened for it has nothing to show.
      if (isBlank) void options.root.send('Target.closeTarget', { targetId }).catch(() => undefined)
    },
  })
}
