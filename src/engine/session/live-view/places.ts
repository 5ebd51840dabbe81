import type { Session } from '../../browser/cdp/session.ts'
import { createWorld, type World } from '../../browser/world/isolated-world.ts'

type Point = { x: number; y: number }
/** A frame's isolated world, and its origin in the viewport. */
export type FrameWorld = { call: World['call']; from: Point }
/** The innermost frame at a point, or with the focus (null). */
export type FindFrame = (point: Point | null, signal: AbortSignal) => Promise<FrameWorld>

/** Nested cross-site frames. */
const deepest = 5

/**
 * A cross-site frame runs in its own process, so it is reached over its own CDP session, opened on first use. A browser
 * without site isolation keeps it in the process of the page.
 */
export function createFrameFinder(
  page: Session,
  targetId: string,
  attach: (targetId: string, signal: AbortSignal) => Promise<Session>,
  /** Called with the session of each frame before its first use. */
  prepare: (frame: Session) => void,
): FindFrame {
  const frames = new Map<string, { session: Session; world: World }>()
  const top = { session: page, world: createWorld(page, targetId) }

  async function frameIn({ session, world }: typeof top, signal: AbortSignal): Promise<typeof top> {
    const objectId = await world.refer('locatedFrame', [], signal)
    const { node } = await session.send('DOM.describeNode', { objectId }, signal)
    const id = node.frameId ?? ''
    const known = frames.get(id)
    if (known) return known
    const isInProcess = node.contentDocument !== undefined
    const inner = isInProcess ? session : await attach(id, signal)
    const frame = { session: inner, world: createWorld(inner, id) }
    frames.set(id, frame)
    if (isInProcess) return frame
    void inner.ended.then(() => frames.delete(id))
    await inner.send('Page.enable', {}, signal)
    prepare(inner)
    return frame
  }

  return async (point, signal) => {
    let [at, from] = [top, { x: 0, y: 0 }]
    for (let depth = 0; depth < deepest; depth++) {
      const inner = await at.world.call(
        'locateForeignFrame',
        [point && { x: point.x - from.x, y: point.y - from.y }],
        signal,
      )
      if (!inner) break
      at = await frameIn(at, signal)
      from = { x: from.x + inner.x, y: from.y + inner.y }
    }
    return { call: at.world.call, from }
  }
}
