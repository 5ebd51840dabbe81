import type { PageTools } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: places in frames, and what is to be seen at a place. */
export function addSpots(tools: PageTools): void {
  /** Innermost first. */
  tools.framesAround = (inner) => {
    const around: Element[] = []
    for (let at = inner.ownerDocument.defaultView?.frameElement; at; at = at.ownerDocument.defaultView?.frameElement)
      around.push(at)
    return around
  }

  tools.shifted = ({ x, y }, frame, way) => {
    const box = frame.getBoundingClientRect()
    const { paddingLeft, paddingTop } = getComputedStyle(frame)
    const left = box.x + frame.clientLeft + (Number.parseFloat(paddingLeft) || 0)
    const top = box.y + frame.clientTop + (Number.parseFloat(paddingTop) || 0)
    return { x: x + way * left, y: y + way * top }
  }

  tools.deepestAt = (root, at, host) => {
    const hit = root.elementFromPoint(at.x, at.y)
    if (!hit || hit === host) return hit
    if (hit.shadowRoot) return tools.deepestAt(hit.shadowRoot, at, hit) ?? hit
    const { contentDocument } = hit as HTMLIFrameElement
    return contentDocument ? tools.deepestAt(contentDocument, tools.shifted(at, hit, -1), null) : hit
  }
}
