import type { Session } from '../cdp/session.ts'
import { createWorld, type World } from './isolated-world.ts'

/** The document of a page or of a frame: its isolated world, and the session that reaches it. */
export type FrameDocument = { readonly id: string; readonly session: Session; readonly world: World }
/** Opens a session with a frame that runs in a process of its own. */
export type AttachFrame = (frameId: string, signal: AbortSignal) => Promise<Session>
/** The document in a frame element of another origin; undefined for an element that holds none. */
export type OpenFrame = (
  around: Pick<FrameDocument, 'session'>,
  element: { objectId: string },
  signal: AbortSignal,
) => Promise<FrameDocument | undefined>

/** A frame that is not there soon has left the page. */
const frameTries = 8

/**
 * Reaches into frames of other origins. Where the browser keeps sites apart, such a frame runs in a process of its own and
 * is reached over a session of its own, opened on first use; elsewhere it is a further document of the page's session.
 * Nothing is attached automatically, so that no frame waits for us and no other client of the browser notices.
 */
export function createFrameOpener(attach: AttachFrame, prepare: (session: Session) => void = () => {}): OpenFrame {
  const known = new Map<string, FrameDocument>()

  async function attached(id: string, signal: AbortSignal): Promise<Session> {
    const session = await attach(id, signal)
    await session.send('Page.enable', {}, signal)
    prepare(session)
    void session.ended.then(() => known.get(id)?.session === session && known.delete(id))
    return session
  }

  return async (around, { objectId }, signal) => {
    const { node } = await around.session.send('DOM.describeNode', { objectId }, signal)
    const { frameId: id } = node
    if (id === undefined) return undefined
    const isInProcess = node.contentDocument !== undefined
    const before = known.get(id)
    // A frame that navigates may change its process.
    if (before && (before.session === around.session) === isInProcess) return before
    const session = isInProcess ? around.session : await attached(id, signal)
    const frame = { id, session, world: createWorld(session, id, frameTries) }
    known.set(id, frame)
    return frame
  }
}
