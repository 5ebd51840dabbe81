import type { Item, PageNode, PageTools } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: blocks of text, and all that they say. */
export function addBlocks(tools: PageTools): void {
  tools.attributesOf = (element) => {
    const { value, type } = element as HTMLInputElement
    const said = ['aria-label', 'placeholder', 'alt', 'title'].map((name) => element.getAttribute(name) ?? '')
    const isOpen = typeof value === 'string' && type !== 'password' && element.localName !== 'button'
    return [...said, isOpen ? value : ''].join(' ').toLowerCase()
  }

  /** A row or an item tells more than the word in it. */
  tools.blockOf = (element) => {
    const whole =
      element.closest('tr,[role=row]') ?? element.closest('a,button,li,summary,[role=option],[role=menuitem]')
    if (whole && (whole.textContent?.length ?? 0) < 600) return whole
    const label = element.closest('label')
    if (label?.control) return label.control
    for (let at = element; ; at = at.parentElement)
      if (!at.parentElement || !getComputedStyle(at).display.startsWith('inline')) return at
  }

  tools.saysOf = (element) => {
    const labels = Array.from((element as HTMLInputElement).labels ?? [], ({ textContent }) => textContent)
    return `${tools.clean(`${element.textContent ?? ''} ${labels.join(' ')}`).toLowerCase()} ${tools.attributesOf(element)}`
  }

  /** Who looks for a heading looks for what stands under it. */
  tools.under = (element) => {
    const headings = 'h1,h2,h3,h4,[role=heading]'
    const title = element.closest(headings)
    const under: Element[] = []
    let at = title && wrapOf(title).nextElementSibling
    for (; at && under.length < 2 && !at.matches(headings); at = at.nextElementSibling) under.push(at)
    return under
  }

  /** A heading may stand in a box of its own, beside a mark that links to it. */
  function wrapOf(title: Element): Element {
    const markLength = 3
    const { parentElement: box } = title
    const isAlone = (box?.textContent ?? '').trim().length < (title.textContent ?? '').trim().length + markLength
    return box && isAlone && box !== document.body ? wrapOf(box) : title
  }
}

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: what holds other things. */
export function addContainers(tools: PageTools): void {
  /** They are told only when they have a name. */
  const nameless = /^(?:group|figure|form|region|article|toolbar|radiogroup|tooltip)$/
  const ownName = /^(?:alert|status|log|listitem|list|scroll area|tooltip|clickable|option|menuitem|treeitem)$/

  /** Nobody does anything to them as a whole. */
  const plain = /^(?:listitem|alert|status|article|tooltip|list)$/

  tools.containerNode = (element, role, clip, quota) => {
    if (role === 'iframe') return tools.frameNode(element as HTMLIFrameElement, clip, quota)
    const items: Item[] = []
    tools.walkChildren(element, items, clip, quota, 'shown')
    const children = tools.grouped(items)
    const name = ownName.test(role) ? tools.clean(element.getAttribute('aria-label')) : tools.nameOf(element, role)
    if (children.length === 0 && !tools.isControl(role)) return []
    if (!name && nameless.test(role)) return [null, ...children, null]
    return [{ ...headOf(element, role, name.slice(0, 100)), children }]
  }

  function headOf(element: Element, role: string, name: string): PageNode {
    const states = tools.isControl(role) ? tools.statesOf(element, role) : []
    const total = role === 'list' || role === 'listbox' ? element.childElementCount : 0
    const hasRef = tools.isControl(role) || !plain.test(role) || total > 3
    return {
      role,
      ...(hasRef && { ref: tools.refOf(element) }),
      ...(name && { name }),
      ...(states.length > 0 && { states }),
      ...(total > 0 && { total }),
      ...(role === 'scroll area' && { note: leftOf(element) }),
      ...(isModal(element, role) && { isModal: true }),
    }
  }

  function isModal(element: Element, role: string): boolean {
    return role.endsWith('dialog') && (element.matches(':modal') || element.getAttribute('aria-modal') === 'true')
  }

  function leftOf({ scrollTop, scrollHeight, clientHeight }: Element): string {
    const above = (scrollTop / clientHeight).toFixed(1)
    const below = ((scrollHeight - scrollTop - clientHeight) / clientHeight).toFixed(1)
    return `↑ ${above} ↓ ${below} screens`
  }
}
