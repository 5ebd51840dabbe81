import type { Session } from '../../browser/cdp/session.ts'
import { type AttachFrame, createFrameOpener, type FrameDocument } from '../../browser/world/frame-documents.ts'
import { createWorld, type World } from '../../browser/world/isolated-world.ts'

type Point = { x: number; y: number }
/** A frame's isolated world, and its origin in the viewport. */
export type FrameWorld = { call: World['call']; from: Point }
/** The innermost frame at a point, or with the focus (null). */
export type FindFrame = (point: Point | null, signal: AbortSignal) => Promise<FrameWorld>

/** Nested cross-site frames. */
const deepest = 5

/** Finds frames of other origins by where they are, and opens what is in them. */
export function createFrameFinder(
  page: Session,
  targetId: string,
  attach: AttachFrame,
  /** Called with the session of each frame before its first use. */
  prepare: (frame: Session) => void,
): FindFrame {
  const openFrame = createFrameOpener(attach, prepare)
  const top: FrameDocument = { id: targetId, session: page, world: createWorld(page, targetId) }

  async function frameIn(around: FrameDocument, signal: AbortSignal): Promise<FrameDocument> {
    const objectId = await around.world.refer('locatedFrame', [], signal)
    return (await openFrame(around, { objectId }, signal)) ?? around
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
