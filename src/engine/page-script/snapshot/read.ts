import { documentId, elementOf } from '../dom/refs.ts'
import { roleOf } from '../dom/roles.ts'
import { clean, textOf } from '../dom/text.ts'
import { isShown } from '../dom/visibility.ts'
import { controlNode, groupLines, type Item } from './nodes.ts'
import type { HiddenText } from './texts.ts'
import type { Outline, PageNode } from './types.ts'
import { everywhere } from './view.ts'
import { type Budget, walk } from './walk.ts'

const maxHeadings = 12

/** What names the document in an outline. */
export const documentFacts = (): Pick<Outline, 'documentId' | 'url' | 'title'> => ({
  documentId,
  url: location.href,
  title: clean(document.title).slice(0, 120),
})

/** The whole page, or what is in the element of a ref; undefined when that is gone. */
export function readSnapshot(scope: number | undefined, hidden: HiddenText = 'left out'): Outline | undefined {
  const root = scope === undefined ? undefined : elementOf(scope)
  if (scope !== undefined && !root) return undefined
  const budget: Budget = { inView: 6000, above: 800, below: 3000, beside: 300, left: 400_000, hidden }
  const view = { top: 0, left: 0, bottom: innerHeight, right: innerWidth }
  const modal = root ? undefined : topDialog()
  const items: Item[] = []
  const start = root ?? modal ?? document.body
  if (start) walk(start, items, root ? everywhere : view, budget)
  return {
    ...documentFacts(),
    nodes: groupLines(items),
    modal: modal !== undefined,
    screens: screensOutOfView(),
    headings: root || modal ? { above: [], below: [] } : headingsOutOfView(),
    controls: document.querySelectorAll('a[href],button,input,select,textarea').length,
    isCut: [budget.inView, budget.above, budget.below, budget.beside, budget.left].some((left) => left < 0),
  }
}

function screensOutOfView(): Outline['screens'] {
  const height = Math.max(document.documentElement?.scrollHeight ?? 0, document.body?.scrollHeight ?? 0)
  return { above: scrollY / innerHeight, below: Math.max(0, height - scrollY - innerHeight) / innerHeight }
}

function topDialog(): Element | undefined {
  const open = Array.from(document.querySelectorAll('dialog[open],[role=dialog],[role=alertdialog]'))
  return open.filter((each) => each.matches(':modal,[aria-modal=true]') && isShown(each)).at(-1)
}

function headingsOutOfView(): Outline['headings'] {
  const headings: Outline['headings'] = { above: [], below: [] }
  for (const each of document.querySelectorAll('h1,h2,h3,[role=heading]')) {
    const { top, bottom, height } = each.getBoundingClientRect()
    const list = bottom <= 0 ? headings.above : top >= innerHeight ? headings.below : undefined
    const name = list && list.length < maxHeadings && height > 0 ? textOf(each, 40) : ''
    if (name) list?.push(name)
  }
  return headings
}

/** The element of a ref, as one line of a snapshot. */
export function readElement(ref: number): PageNode | undefined {
  const element = elementOf(ref)
  return element && controlNode(element, roleOf(element) || 'clickable')
}
