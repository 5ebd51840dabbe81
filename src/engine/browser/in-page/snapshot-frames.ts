/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Item, PageNode, PageTools } from './snapshot-tools.ts'

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
