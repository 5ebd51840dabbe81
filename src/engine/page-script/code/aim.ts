/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export type Place = { x: number; y: number } | { by: string }
/** What finds the place in a page to click an element; sent as `find.ts` is. */
export const aimers: readonly ((...given: never[]) => unknown)[] = [placeOf, leadsTo, tagOf]

/** The middle of its first box, in the coordinates of the window, or what lies over it. */
export function placeOf(element: Element): Place {
  // A link over two lines has a hole in the middle of both.
  const boxes = Array.from(element.getClientRects())
  const box = boxes.find(({ width, height }) => width > 0 && height > 0) ?? element.getBoundingClientRect()
  let x = box.x + box.width / 2
  let y = box.y + box.height / 2
  let hit = element.ownerDocument.elementFromPoint(x, y)
  for (let inner = hit; inner?.shadowRoot;) {
    const next: Element | null = inner.shadowRoot.elementFromPoint(x, y)
    inner = next === inner ? null : next
    hit = inner ?? hit
  }
  if (!leadsTo(element, hit)) return { by: hit ? tagOf(hit) : 'nothing' }
  let frame = element.ownerDocument.defaultView?.frameElement
  while (frame) {
    const around = frame.getBoundingClientRect()
    x += around.x + frame.clientLeft
    y += around.y + frame.clientTop
    frame = frame.ownerDocument.defaultView?.frameElement
  }
  return { x, y }
}

/** A click on what lies in it, or on its label, is a click on it. */
function leadsTo(element: Element, from: Element | null): boolean {
  const labels = Array.from((element as HTMLInputElement).labels ?? [])
  for (let node: Node | null = from; node; node = node.parentNode ?? (node as ShadowRoot).host ?? null)
    if (node === element || labels.includes(node as HTMLLabelElement)) return true
  return false
}

export function tagOf(element: Element): string {
  return (element.cloneNode(false) as Element).outerHTML.slice(0, 120)
}
