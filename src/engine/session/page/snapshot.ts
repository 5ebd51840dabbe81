import type { Snapshot, SnapshotOptions } from '../../../contracts/page-action.ts'
import { withDeadline } from '../../../util/deadline.ts'
import type { Outline, PageNode } from '../../page-script/snapshot/types.ts'
import { fitted, foundText } from './fit.ts'
import { type Line, linesOf, textOf } from './lines.ts'
import type { LiveTab } from './live-tab.ts'
import { inPage } from './page-functions.ts'
import { remember, staleText } from './refs.ts'
import { ActionError } from './types.ts'
import { untilDialog, waitingFor } from './blocked.ts'

/** Looks at the page; one that does not answer in this time is held by a script, ms. */
const lookMs = 10_000
const defaultCharacters = 4000
const mostPlaces = 12

/**
 * What is on the page, as text for a model: one line an element, with refs (`e12`) that stay the same while the element
 * lives. Where there is too much for `maxCharacters`, what is in view is told and the rest is named. Fails with a
 * DeadlineError when the page does not answer, a PageError when it cannot be read, and a CdpError when it is gone.
 */
export async function snapshot(tab: LiveTab, options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot> {
  const open = tab.dialogs.open()
  if (open) return { text: waitingFor(open), url: tab.traffic.document()?.url ?? '', title: '' }
  const outline = await outlineOf(tab, options, signal).catch((error: unknown) => {
    if (error instanceof ActionError) return error.message
    throw error
  })
  if (typeof outline === 'string') return { text: outline, url: tab.traffic.document()?.url ?? '', title: '' }
  if (!outline) return { text: staleText(tab, options.scope ?? ''), url: '', title: '', isStale: true }
  return { text: told(tab, outline, options), url: outline.url, title: outline.title }
}

function told(tab: LiveTab, outline: Outline, options: SnapshotOptions): string {
  const { find: sought, scope, maxCharacters = defaultCharacters } = options
  if (sought !== undefined) return foundText(outline, sought, maxCharacters)
  const { text, frames } = fitted(outline, options, maxCharacters)
  if (scope === undefined) Object.assign(tab.memory, { last: rememberedOf(outline), frames })
  return text
}

async function outlineOf(
  tab: LiveTab,
  options: SnapshotOptions,
  signal: AbortSignal,
): Promise<Outline | string | undefined> {
  const { scope, find: text } = options
  const outcome = await untilDialog(tab, signal, (within) =>
    text === undefined
      ? lookInto(tab, scope, within)
      : looking(within, (own) => inPage(tab, 'findText', [text, mostPlaces], own)),
  )
  return 'dialog' in outcome ? waitingFor(outcome.dialog) : outcome.value
}

/** The tree of the page or of one element, whose refs are remembered; undefined when the element is gone. */
export function lookInto(tab: LiveTab, scope: string | undefined, signal: AbortSignal): Promise<Outline | undefined> {
  const ref = scope === undefined ? undefined : Number(scope.replace(/^e/, ''))
  return looking(signal, async (within) => {
    const outline = await inPage(tab, 'readSnapshot', [ref], within)
    if (outline) remember(tab, outline.nodes)
    return outline
  })
}

const looking = <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  withDeadline({ step: 'look at the page', ms: lookMs }, signal, work)

/** Everything that was collected, for what changes later. */
export const rememberedOf = ({ documentId, nodes }: Outline): { documentId: string; lines: Line[] } => ({
  documentId,
  lines: linesOf(nodes, { text: 200, items: 1000, outOfView: 'told', only: 'all', focus: 'left out' }),
})

export const plainText = (nodes: readonly PageNode[]): string =>
  textOf(linesOf(nodes, { text: 2000, items: 2000, outOfView: 'told', only: 'all' }))
