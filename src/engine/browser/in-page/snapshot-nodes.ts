/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Item, PageTools } from './snapshot-tools.ts'

/** Runs in the page: controls, leaves and containers as they are told. */
export function addNodes(tools: PageTools): void {
  tools.controlNode = (element, role) => {
    const name = tools.nameOf(element, role).slice(0, 160)
    const value = tools.valueOf(element, role)
    const complaint = tools.complaintOf(element)
    const states = tools.statesOf(element, role).concat(complaint ? `invalid "${complaint}"` : [])
    const url = role === 'link' ? tools.shortUrl((element as HTMLAnchorElement).href) : undefined
    const note = tools.noteOf(element)
    return {
      role,
      ref: tools.refOf(element),
      ...(name && { name }),
      ...(value && value !== name && { value: value.slice(0, 200) }),
      ...(states.length > 0 && { states }),
      ...(url && { url }),
      ...(note && { note }),
    }
  }

  tools.leafNode = (element, role) => {
    if (role === 'code') {
      const text = (element as HTMLElement).innerText.trim()
      if (text === '') return []
      return [{ role, ref: tools.refOf(element), name: text.slice(0, 400), total: text.split('\n').length }]
    }
    const name = tools.nameOf(element, role)
    if (name === '' || /^h\d/.test(role)) return heading(element, role, name)
    return [
      {
        role,
        name: name.slice(0, 120),
        ...(tools.valueOf(element, role) && { value: tools.valueOf(element, role) ?? '' }),
      },
    ]
  }

  function heading(element: Element, role: string, name: string): Item[] {
    if (!/^h\d/.test(role)) return []
    const inner = tools.everyElement(element, 'a[href],button,[role=button]', 3)
    const children = inner.map((each) => tools.controlNode(each, tools.roleOf(each)))
    // A heading that is all link is one line.
    if (children.length === 1 && children[0]?.name === name)
      return [{ ...children[0], role: `${role} ${children[0].role}` }]
    return name || children.length > 0
      ? [{ role, name: name.slice(0, 160), ...(children.length > 0 && { children }) }]
      : []
  }
}
