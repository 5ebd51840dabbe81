import type { PageTools, Wish } from '../snapshot/tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** `like` says what the element is: "button "Save"". */
export type Candidate = { ref: number; like: string }
export type Resolved = { ref: number } | { why: 'none' | 'many'; candidates: Candidate[] }

/** Runs in the page: the element that a description means, among those that can be seen. The exact name wins over a part of it. */
export function resolve(tools: PageTools, { role, name, nth, fields }: Wish): Resolved {
  const selector =
    'a[href],button,input:not([type=hidden]),select,textarea,summary,label,[role],[tabindex],[onclick],[contenteditable],h1,h2,h3,h4,table,tr,iframe,pre,form,main,nav,ul,ol,dialog'
  const dialog = Array.from(document.querySelectorAll('dialog:modal,[aria-modal=true]'))
    .filter((each) => tools.isShown(each))
    .at(-1)
  const wanted = tools.clean(name).toLowerCase()
  const all = tools
    .everyElement(dialog ?? document, selector, 20_000)
    .flatMap((element) => tools.rank(element, { role, name: wanted, nth, fields }))
  const best = Math.max(0, ...all.map(({ score }) => score))
  const tops = best >= 3 ? all.filter(({ score }) => score === best) : []
  const inner = tops.filter(
    ({ element }) => !tops.some((other) => other.element !== element && element.contains(other.element)),
  )
  const chosen = nth > 0 ? inner[nth - 1] : inner.length === 1 ? inner[0] : undefined
  if (chosen) return { ref: tools.refOf(chosen.element) }
  if (inner.length === 0 && best < 3 && !role) {
    const plain = byText()
    if (plain) return { ref: tools.refOf(plain) }
  }
  const near = inner.length > 0 ? inner : all.toSorted((a, b) => b.score - a.score)
  const candidates = near
    .slice(0, inner.length > 0 ? 6 : 4)
    .map(({ element }) => ({ ref: tools.refOf(element), like: likeness(element) }))
  return { why: inner.length > 0 ? 'many' : 'none', candidates }

  /** Text that means nothing by itself may still be clicked. */
  function byText(): Element | undefined {
    const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { nodeValue, parentElement } = walker.currentNode
      if (parentElement && tools.clean(nodeValue).toLowerCase() === wanted && tools.isShown(parentElement))
        return parentElement
    }
    return undefined
  }

  function likeness(element: Element): string {
    const row = element.closest('tr,li,[role=row],[role=listitem]')
    const around = row && inner.length > 1 ? ` in "${tools.textOf(row, 50)}"` : ''
    return tools.describe(element) + around
  }
}
