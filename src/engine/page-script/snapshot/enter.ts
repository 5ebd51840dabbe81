import type { Clip, Item, PageTools, Quota } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: what an element of the walk becomes. */
export function addEnter(tools: PageTools): void {
  const kept =
    /^(?:alert|alertdialog|article|banner|complementary|contentinfo|dialog|figure|form|group|list|listbox|listitem|log|main|menu|menubar|navigation|radiogroup|region|search|status|tablist|tabpanel|toolbar|tooltip|tree|iframe|scroll area)$/
  const nested =
    'a[href],button,input,select,textarea,[contenteditable],[tabindex],[role=group],[role=menu],[role=tree],[role=option],[role=button]'

  tools.enter = (element, style, out, clip, quota) => {
    const isHidden = style.visibility === 'hidden'
    const role = isHidden ? '' : tools.roleIn(element, style)
    if (element.localName === 'label') return ofLabel(element as HTMLLabelElement, out, clip, quota)
    if (element.localName === 'br') return void out.push(' ')
    if (role === 'table' && tools.isDataTable(element)) return void out.push(tools.tableNode(element, clip, quota))
    if (/^(?:h\d|img|code|progressbar|meter|video|audio|canvas)$/.test(role))
      return void out.push(...tools.leafNode(element, role))
    if (tools.isControl(role) && !holdsMore(element, role)) return void out.push(tools.controlNode(element, role))
    if (!kept.test(role) && !tools.isControl(role))
      return tools.walkChildren(element, out, clip, quota, isHidden ? 'hidden' : 'shown')
    out.push(...tools.containerNode(element, role, clip, quota))
  }

  tools.walkChildren = (element, out, clip, quota, text) => {
    // A script can nest deeper than this one can follow.
    const { depth = 0 } = quota
    if (depth > 700) return
    quota.depth = depth + 1
    for (const child of tools.childrenOf(element)) {
      if (child.nodeType === Node.ELEMENT_NODE) tools.walk(child as Element, out, clip, quota)
      else if (child.nodeType === Node.TEXT_NODE && text === 'shown') out.push(tools.cutText(child.nodeValue ?? ''))
    }
    quota.depth = depth
  }

  function holdsMore(element: Element, role: string): boolean {
    if (!/^(?:clickable|treeitem|menuitem|option|combobox|listbox)$/.test(role) || element.localName === 'select')
      return false
    return (
      element.shadowRoot !== null ||
      element.querySelector(nested) !== null ||
      (role === 'listbox' && element.childElementCount > 0)
    )
  }

  /** The text of a label is the name of its control. */
  function ofLabel(element: HTMLLabelElement, out: Item[], clip: Clip, quota: Quota): void {
    const { control } = element
    if (!control) return tools.walkChildren(element, out, clip, quota, 'shown')
    if (!tools.isShown(control)) return void out.push(tools.controlNode(control, tools.roleOf(control)))
    const own: Item[] = []
    tools.walkChildren(element, own, clip, quota, 'hidden')
    out.push(
      ...own.flatMap((item) =>
        typeof item === 'string'
          ? []
          : item?.role === 'text'
            ? (item.parts ?? []).filter((part) => typeof part === 'object')
            : [item],
      ),
    )
  }
}
