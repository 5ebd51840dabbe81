import { withDeadline } from '../../../../util/async.ts'
import type { PageNode } from '../../../page-script/snapshot/page-outline.ts'
import type { HiddenText } from '../../../page-script/snapshot/walk-tree.ts'
import { type LiveFrame, UnreachableFrameError } from './tab-frames.ts'
import { partsOf } from '../text/lines.ts'
import type { LiveTab } from '../live-tab.ts'
import { inFrame } from '../page-functions.ts'

/** What limits how much of a page's frames is read. */
type Limits = { framesLeft: number; until: number; depth: number }

const mostFrames = 10
const deepest = 5
const allMs = 4000
const frameMs = 2000
/** How long the document of a frame may take to load until it is read as it is. */
const loadMs = 800
const maxUrl = 100

/**
 * Fills in what frames of other origins show, in place: each is another document, with refs of the same numbering. One that
 * does not answer in time stays a line of its own.
 */
export async function readFrames(
  tab: Pick<LiveTab, 'frames' | 'memory'>,
  around: LiveFrame,
  nodes: readonly PageNode[],
  hidden: HiddenText,
  signal: AbortSignal,
  limits: Limits = { framesLeft: mostFrames, until: performance.now() + allMs, depth: 1 },
): Promise<void> {
  for (const node of nodes.flatMap(foreignIn)) {
    const { ref } = node
    if (ref === undefined) continue
    node.url = placeOf(node.url ?? '')
    const isLeftOut = limits.depth > deepest || limits.framesLeft-- <= 0 || performance.now() >= limits.until
    Object.assign(node, isLeftOut ? { note: 'not read' } : await contentOf(ref))
  }

  function contentOf(ref: number): Promise<Partial<PageNode>> {
    const reading = withDeadline({ step: 'read a frame', ms: frameMs }, signal, async (within) => {
      const inner = await tab.frames.open(around, ref, within)
      await inner.world.call('waitForLoad', [loadMs], within)
      const outline = await inFrame(tab, inner, 'readSnapshot', [undefined, hidden], within)
      const children = outline?.nodes ?? []
      const deeper = { ...limits, depth: limits.depth + 1 }
      await readFrames(tab, inner, children, hidden, within, deeper)
      limits.framesLeft = deeper.framesLeft
      return { url: placeOf(outline?.url ?? ''), children }
    })
    return reading.catch((error: unknown) => {
      signal.throwIfAborted()
      if (error instanceof UnreachableFrameError) return { note: 'of a site that the task does not name' }
      return { note: 'it does not answer' }
    })
  }
}

const foreignIn = (node: PageNode): PageNode[] =>
  node.isForeign ? [node] : partsOf(node).flatMap((part) => foreignIn(part))

/** The origin of a document, or its address where that has none. */
function placeOf(address: string): string {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : address.slice(0, maxUrl)
}
