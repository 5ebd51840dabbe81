import { randomUUID } from 'node:crypto'
import { withDeadline } from '../../../util/async.ts'
import type { Session } from '../cdp/session.ts'
import { createWorld, type World } from '../world/isolated-world.ts'
import type { Tab } from './tab.ts'

const captureMs = 20_000

export type Captured = { html: string; url: string; isCut: boolean }

/** The current HTML of a page, at most so many characters, and its URL. */
export function capture(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Captured> {
  return withDeadline({ step: 'read the page', ms: captureMs }, signal, async (within) => {
    const mark = randomUUID()
    await tab.learnClosedRoots(within)
    const { frames, ...page } = await tab.call('captureHtml', [maxChars, mark, 'page'], within)
    if (frames === 0) return page
    const html = await insertFrames(tab, { html: page.html, frames, mark }, within)
    return { ...page, html: html.slice(0, maxChars), isCut: page.isCut || html.length > maxChars }
  })
}

/** HTML in which each cross-origin frame is followed by a comment with the mark and the number of the frame. */
type MarkedHtml = { html: string; frames: number; mark: string }
type FrameContext = World & { session: Session }
/** Sessions of out-of-process frames, by frame id. */
type FrameSessions = ReadonlyMap<string, Session>

const frameMs = 5000
const loadMs = 1500
const maxFrameChars = 2_000_000
const maxDepth = 2

/** Inserts the content of cross-origin frames after them. Frames that cannot be read in time are left out. */
async function insertFrames(context: FrameContext, page: MarkedHtml, signal: AbortSignal, depth = 1): Promise<string> {
  const { sessions, end } = await attachFrames(context.session, signal)
  try {
    const read = (nth: number) =>
      withDeadline({ step: 'read a frame', ms: frameMs }, signal, (within) =>
        frameHtml(context, sessions, nth, depth, within),
      ).catch(() => signal.throwIfAborted() ?? '')
    const contents = await Promise.all(Array.from({ length: page.frames }, (_, nth) => read(nth)))
    return page.html.replace(new RegExp(`<!--${page.mark}-(\\d+)-->`, 'g'), (_, nth) => contents[Number(nth)] ?? '')
  } finally {
    end()
  }
}

async function frameHtml(
  context: FrameContext,
  sessions: FrameSessions,
  nth: number,
  depth: number,
  signal: AbortSignal,
) {
  const objectId = await context.refer('foreignFrame', [nth], signal)
  const { node } = await context.session.send('DOM.describeNode', { objectId }, signal)
  if (node.frameId === undefined) return ''
  const session = sessions.get(node.frameId) ?? context.session
  const frame = { session, ...createWorld(session, node.frameId) }
  await frame.call('waitForLoad', [loadMs], signal)
  if (!(await frame.call('isReadableFrame', [], signal))) return ''
  await frame.learnClosedRoots(signal)
  const mark = randomUUID()
  const captured = await frame.call('captureHtml', [maxFrameChars, depth < maxDepth ? mark : null, 'frame'], signal)
  const { html, isCut, frames } = captured
  if (isCut) return ''
  return frames > 0 ? insertFrames(frame, { html, frames, mark }, signal, depth + 1) : html
}

async function attachFrames(session: Session, signal: AbortSignal): Promise<{ sessions: FrameSessions; end(): void }> {
  const sessions = new Map<string, Session>()
  const unsubscribe = session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    sessions.set(targetInfo.targetId, session.child(sessionId))
  })
  const attach = (autoAttach: boolean) =>
    session.send(
      'Target.setAutoAttach',
      { autoAttach, waitForDebuggerOnStart: false, flatten: true, filter: [{ type: 'iframe' }] },
      autoAttach ? signal : undefined,
    )
  await attach(true)
  const end = () => {
    unsubscribe()
    attach(false).catch(() => undefined)
  }
  return { sessions, end }
}
