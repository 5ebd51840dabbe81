import type { Item, PageNode, PageTools, Quota } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export type Outline = {
  documentId: string
  url: string
  title: string
  nodes: PageNode[]
  /** The dialog that everything else waits for. */
  modal: boolean
  /** Screens above and below the one in view. */
  screens: { above: number; below: number }
  /** Out of view: the first headings, and how many controls are in the page in all. */
  headings: { above: string[]; below: string[] }
  controls: number
  /** Elements that were not looked at, because there were too many. */
  isCut: boolean
  /** Of a search: how many places there are. */
  found?: number
}

/** Runs in the page: the whole of it, or what is in one element. Undefined when that is gone. */
export function look(tools: PageTools, scope: number | undefined): Outline | undefined {
  tools.sought = ''
  const root = scope === undefined ? undefined : tools.elementOf(scope)
  if (scope !== undefined && !root) return undefined
  const quota: Quota = { inView: 6000, above: 800, below: 3000, beside: 300, left: 400_000 }
  const { innerHeight, innerWidth, scrollY } = window
  const whole = { top: -1e9, left: -1e9, bottom: 1e9, right: 1e9 }
  const view = { top: 0, left: 0, bottom: innerHeight, right: innerWidth }
  const modal = root ? undefined : topDialog()
  const items: Item[] = []
  const from = root ?? modal ?? document.body
  if (from) tools.walk(from, items, root ? whole : view, quota)
  const height = Math.max(document.documentElement?.scrollHeight ?? 0, document.body?.scrollHeight ?? 0)
  return {
    documentId: tools.documentId,
    url: location.href,
    title: tools.clean(document.title).slice(0, 120),
    nodes: tools.grouped(items),
    modal: modal !== undefined,
    screens: { above: scrollY / innerHeight, below: Math.max(0, height - scrollY - innerHeight) / innerHeight },
    headings: headings(),
    controls: document.querySelectorAll('a[href],button,input,select,textarea').length,
    isCut: Object.values(quota).some((left) => left < 0),
  }

  function topDialog(): Element | undefined {
    const open = Array.from(document.querySelectorAll('dialog[open],[role=dialog],[role=alertdialog]'))
    const modals = open.filter((each) => each.matches(':modal') || each.getAttribute('aria-modal') === 'true')
    return modals.filter((each) => tools.isShown(each)).at(-1)
  }

  function headings(): Outline['headings'] {
    const told: Outline['headings'] = { above: [], below: [] }
    if (root || modal) return told
    for (const each of document.querySelectorAll('h1,h2,h3,[role=heading]')) {
      const { top, bottom, height: tall } = each.getBoundingClientRect()
      const list = bottom <= 0 ? told.above : top >= innerHeight ? told.below : undefined
      const name = list && list.length < 12 && tall > 0 ? tools.textOf(each, 40) : ''
      if (name) list?.push(name)
    }
    return told
  }
}

/** Runs in the page: what stands at a ref, as one line of a snapshot would have it. */
export function lookAt(tools: PageTools, ref: number): PageNode | undefined {
  const element = tools.elementOf(ref)
  return element && tools.controlNode(element, tools.roleOf(element) || 'clickable')
}
