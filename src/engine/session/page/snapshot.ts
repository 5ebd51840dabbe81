import type { Snapshot, SnapshotOptions } from '../../../contracts/render-port.ts'
import { withDeadline } from '../../../util/async.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { type Outline, type PageNode, matchKinds } from '../../page-script/snapshot/page-outline.ts'
import type { HiddenText } from '../../page-script/snapshot/walk-tree.ts'
import { fitSnapshot, matchesText } from './text/fit.ts'
import { type Line, linesOf, partsOf } from './text/snapshot-lines.ts'
import type { LiveTab } from './live-tab.ts'
import { queryFrames, inPage, inFrame } from '../../browser/acts/call-page.ts'
import { rememberRefs, staleRefText } from './find-target.ts'
import { untilDialog, openDialogText } from './blocked.ts'
import { ActionError, type LiveFrame, UnreachableFrameError } from '../../browser/acts/tab-frames.ts'

/** Time limit in ms after which a page counts as blocked by a script. */
const readMs = 10_000
const defaultCharacters = 4000
const maxPlaces = 12

/** Returns the page as text for a model, with refs (`e12`) per element, summarised beyond `maxCharacters`. */
export async function snapshot(tab: LiveTab, options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot> {
  const open = tab.dialogs.open()
  if (open) return { text: openDialogText(open), url: tab.traffic.document()?.url ?? '', title: '' }
  const outline = await findOrRead(tab, options, signal).catch((error: unknown) => {
    if (error instanceof ActionError) return error.message
    throw error
  })
  if (typeof outline === 'string') return { text: outline, url: tab.traffic.document()?.url ?? '', title: '' }
  if (!outline) return { text: staleRefText(tab, options.scope ?? ''), url: '', title: '', isStale: true }
  return { text: sanitiseText(snapshotText(tab, outline, options)), url: outline.url, title: outline.title }
}

function snapshotText(tab: LiveTab, outline: Outline, options: SnapshotOptions): string {
  const { find: sought, scope, maxCharacters = defaultCharacters } = options
  if (sought !== undefined) return matchesText(outline, sought, maxCharacters)
  const { text, frames } = fitSnapshot(outline, options, maxCharacters)
  if (scope === undefined && !options.showHidden) Object.assign(tab.memory, { last: rememberedOf(outline), frames })
  return text
}

async function findOrRead(tab: LiveTab, options: SnapshotOptions, signal: AbortSignal) {
  const { scope, find: text, showHidden } = options
  const hidden = showHidden ? 'marked' : 'left out'
  const outcome = await untilDialog(tab, signal, (within) =>
    text === undefined
      ? readOutline(tab, scope, within, hidden)
      : withLimit(within, (own) => findPlaces(tab, text, maxPlaces, hidden, own)),
  )
  return 'dialog' in outcome ? openDialogText(outcome.dialog) : outcome.value
}

export async function findPlaces(tab: LiveTab, text: string, most: number, hidden: HiddenText, signal: AbortSignal) {
  const outlines = await queryFrames(tab, 'findText', [text, most, hidden], () => false, signal)
  const [page] = outlines as [Outline, ...Outline[]]
  const foundAs = matchKinds.find((kind) => outlines.some((each) => each.found && each.foundAs === kind)) ?? 'whole'
  const nearest = outlines.filter((each) => each.foundAs === foundAs)
  const found = nearest.reduce((sum, outline) => sum + (outline.found ?? 0), 0)
  return { ...page, nodes: nearest.flatMap(({ nodes }) => nodes).slice(0, most), found, foundAs }
}

export function readOutline(
  tab: LiveTab,
  scope: string | undefined,
  signal: AbortSignal,
  hidden: HiddenText = 'left out',
): Promise<Outline | undefined> {
  const ref = scope === undefined ? undefined : Number(scope.replace(/^e/, ''))
  return withLimit(signal, async (within) => {
    const outline = await inPage(tab, 'readSnapshot', [ref, hidden], within)
    if (!outline) return undefined
    const frame = ref === undefined ? tab.frames.main : tab.frames.of(ref)
    await readFrames(tab, frame, outline.nodes, hidden, within)
    rememberRefs(tab, outline.nodes)
    return frame === tab.frames.main ? outline : { ...outline, url: tab.traffic.document()?.url ?? '', title: '' }
  })
}

const withLimit = <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  withDeadline({ step: 'look at the page', ms: readMs }, signal, work)

/** Returns all lines of an outline, for comparison with later ones. */
export const rememberedOf = ({ documentId, nodes }: Outline): { documentId: string; lines: Line[] } => ({
  documentId,
  lines: linesOf(nodes, { text: 200, items: 1000, outOfView: 'counted', only: 'all', focus: 'left out' }),
})

type Limits = { framesLeft: number; until: number; depth: number }

const maxFrames = 10
const deepest = 5
const allMs = 4000
const frameMs = 2000
/** Time limit in ms for the document of a frame to load before it is read in its current state. */
const loadMs = 800
const maxUrl = 100

/**
 * Adds the content of cross-origin frames to their nodes. A frame that does not respond in time remains a single line.
 */
async function readFrames(
  tab: Pick<LiveTab, 'frames' | 'memory'>,
  around: LiveFrame,
  nodes: readonly PageNode[],
  hidden: HiddenText,
  signal: AbortSignal,
  limits: Limits = { framesLeft: maxFrames, until: performance.now() + allMs, depth: 1 },
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

/** Returns the origin of a document, or its URL if it has no origin. */
function placeOf(address: string): string {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : address.slice(0, maxUrl)
}
