import type { Item, PageNode, PageTools } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: frames, with what is in those of the same site. */
export function addFrames(tools: PageTools): void {
  tools.frameNode = (element, clip, quota) => {
    const { width, height } = element.getBoundingClientRect()
    if (width < 20 || height < 20) return []
    const name = tools.nameOf(element, 'iframe')
    const node: PageNode = { role: 'iframe', ref: tools.refOf(element), ...(name && { name }) }
    const body = element.contentDocument?.body
    const view = element.contentWindow
    if (!body || !view)
      return [
        { ...node, url: element.src.slice(0, 100), note: 'of another site: navigate to its address to see inside' },
      ]
    const items: Item[] = []
    const inner = {
      top: 0,
      left: 0,
      bottom: view.innerHeight,
      right: view.innerWidth,
      ...(clip.forced && { forced: clip.forced }),
    }
    tools.walk(body, items, inner, quota)
    return [{ ...node, children: tools.grouped(items) }]
  }
}

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

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
