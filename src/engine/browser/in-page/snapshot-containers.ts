/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Item, PageNode, PageTools } from './snapshot-tools.ts'

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
