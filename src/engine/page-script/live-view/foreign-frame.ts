/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

type Holder = typeof globalThis & { gossamerFrame?: Element }

/**
 * Runs in the page: where the frame of another site begins that is at a point, or that has the focus; it is remembered.
 * Null when there is none: what is there can be reached from here.
 */
export function foreignFrame(point: { x: number; y: number } | null): { x: number; y: number } | null {
  let shift = { x: 0, y: 0 }
  for (let root: Document | ShadowRoot | null = document, last: Element | null = null; root;) {
    const hit: Element | null = point ? root.elementFromPoint(point.x - shift.x, point.y - shift.y) : root.activeElement
    if (!hit || hit === last) return null
    last = hit
    root = hit.shadowRoot
    if (!/^i?frame$/.test(hit.localName)) continue
    const { x, y } = hit.getBoundingClientRect()
    shift = { x: shift.x + x + hit.clientLeft, y: shift.y + y + hit.clientTop }
    root = (hit as HTMLIFrameElement).contentDocument
    if (root) continue
    const holder = globalThis as Holder
    holder.gossamerFrame = hit
    return shift
  }
  return null
}

/** Runs in the page: the frame that was remembered. */
export function rememberedFrame(): Element | undefined {
  const holder = globalThis as Holder
  return holder.gossamerFrame
}
