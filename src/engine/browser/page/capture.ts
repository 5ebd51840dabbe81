import { randomUUID } from 'node:crypto'
import { withDeadline } from '../../../util/deadline.ts'
import type { Session } from '../cdp/session.ts'
import { createWorld, type World } from '../world/isolated-world.ts'
import type { Tab } from './tab.ts'

const captureMs = 20_000

export type Captured = { html: string; url: string; isCut: boolean }

/** The page as it stands, as one string of HTML of at most so many characters, and where it is. */
export function capture(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Captured> {
  return withDeadline({ step: 'read the page', ms: captureMs }, signal, async (within) => {
    const mark = randomUUID()
    const { frames, ...page } = await tab.call('captureHtml', [maxChars, mark, 'page'], within)
    if (frames === 0) return page
    const html = await withFrames(tab, { html: page.html, frames, mark }, within)
    return { ...page, html: html.slice(0, maxChars), isCut: page.isCut || html.length > maxChars }
  })
}

/** HTML in which each frame that its page cannot see into is followed by a comment with the mark and its number. */
type Marked = { html: string; frames: number; mark: string }
type Place = World & { session: Session }
/** Sessions with the frames that are processes of their own, by the id of the frame. */
type Processes = ReadonlyMap<string, Session>

const frameMs = 5000
const loadMs = 1500
const maxFrameChars = 2_000_000
const maxDepth = 2

/** Puts the content of frames of other sites behind them. What cannot be read in time is left out. */
async function withFrames(place: Place, page: Marked, signal: AbortSignal, depth = 1): Promise<string> {
  const { processes, end } = await attachFrames(place.session, signal)
  try {
    const read = (nth: number) =>
      withDeadline({ step: 'read a frame', ms: frameMs }, signal, (within) =>
        contentOf(place, processes, nth, depth, within),
      ).catch(() => signal.throwIfAborted() ?? '')
    const contents = await Promise.all(Array.from({ length: page.frames }, (_, nth) => read(nth)))
    return page.html.replace(new RegExp(`<!--${page.mark}-(\\d+)-->`, 'g'), (_, nth) => contents[Number(nth)] ?? '')
  } finally {
    end()
  }
}

async function contentOf(place: Place, processes: Processes, nth: number, depth: number, signal: AbortSignal) {
  const objectId = await place.refer('foreignFrame', [nth], signal)
  const { node } = await place.session.send('DOM.describeNode', { objectId }, signal)
  if (node.frameId === undefined) return ''
  const session = processes.get(node.frameId) ?? place.session
  const frame = { session, ...createWorld(session, node.frameId) }
  await frame.call('waitForLoad', [loadMs], signal)
  if (!(await frame.call('isReadableFrame', [], signal))) return ''
  const mark = randomUUID()
  const captured = await frame.call('captureHtml', [maxFrameChars, depth < maxDepth ? mark : null, 'frame'], signal)
  const { html, isCut, frames } = captured
  if (isCut) return ''
  return frames > 0 ? withFrames(frame, { html, frames, mark }, signal, depth + 1) : html
}

async function attachFrames(session: Session, signal: AbortSignal): Promise<{ processes: Processes; end(): void }> {
  const processes = new Map<string, Session>()
  const unhear = session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    processes.set(targetInfo.targetId, session.child(sessionId))
  })
  const attach = (autoAttach: boolean) =>
    session.send(
      'Target.setAutoAttach',
      { autoAttach, waitForDebuggerOnStart: false, flatten: true, filter: [{ type: 'iframe' }] },
      autoAttach ? signal : undefined,
    )
  await attach(true)
  const end = () => {
    unhear()
    attach(false).catch(() => undefined)
  }
  return { processes, end }
}
