import type { Hindrance, PageTools, Spot } from '../snapshot/tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * Runs in the page: brings an element into view and finds a point of it that stands still and that nothing covers. What a
 * label stands for is reached by the label where it has no box of its own.
 */
export async function aim(tools: PageTools, ref: number): Promise<Spot | Hindrance> {
  const own = tools.elementOf(ref)
  if (!own) return { why: 'gone' }
  if (tools.isDisabled(own)) return { why: 'disabled' }
  const labels = Array.from((own as HTMLInputElement).labels ?? [])
  const element = [own, ...labels].find((each) => tools.isShown(each))
  if (!element) return { why: 'hidden' }
  if (!isInView(element)) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  const before = element.getBoundingClientRect()
  await nextFrame()
  await nextFrame()
  const after = element.getBoundingClientRect()
  if (Math.abs(before.x - after.x) + Math.abs(before.y - after.y) > 1) return { why: 'moving' }
  const points = Array.from(element.getClientRects())
    .filter(({ width, height }) => width > 0 && height > 0)
    .flatMap(pointsIn)
    .map((point) => tools.framesAround(element).reduce((at, frame) => tools.shifted(at, frame, 1), point))
  const point = points.find((each) => isHit(tools.deepestAt(document, each, null)))
  if (point) return point
  const cover = points[0] && tools.deepestAt(document, points[0], null)
  return { why: 'covered', by: cover ? coverName(cover) : 'the edge of the window' }

  function nextFrame(): Promise<unknown> {
    return Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 60))])
  }

  function isInView(each: Element): boolean {
    const { top, bottom, left, right } = each.getBoundingClientRect()
    const view = each.ownerDocument.defaultView ?? window
    const isAtHand = top >= 0 && left >= 0 && bottom <= view.innerHeight && right <= view.innerWidth && view === window
    const middle = { x: (left + right) / 2, y: (top + bottom) / 2 }
    return isAtHand && isHit(tools.deepestAt(document, middle, null))
  }

  function pointsIn({ x, y, width, height }: DOMRect): Spot[] {
    const parts = [0.5, 0.2, 0.8]
    return parts.flatMap((across) => parts.map((down) => ({ x: x + width * across, y: y + height * down })))
  }

  /** Whatever is in the element counts, and so do its labels. */
  function isHit(hit: Node | null): boolean {
    for (let node = hit; node; node = tools.parentOf(node)) {
      if (node === own || node === element) return true
      if ((node as HTMLLabelElement).control === own && own) return true
    }
    return false
  }

  function coverName(each: Element): string {
    const dialog = each.closest('dialog,[role=dialog]')
    return `${tools.describe(dialog ?? each)} (e${tools.refOf(dialog ?? each)})`
  }
}

/** Runs in the page: watches whether the next press reaches the element. */
export function watchPress(tools: PageTools, ref: number): void {
  const element = tools.elementOf(ref)
  if (!element) return
  const pressed = { element, landed: false }
  tools.pressed = pressed
  const view = element.ownerDocument.defaultView ?? window
  const own = (element as HTMLInputElement).labels
  view.addEventListener(
    'mousedown',
    (event) => {
      const path = event.composedPath()
      pressed.landed = path.includes(element) || Array.from(own ?? []).some((label) => path.includes(label))
    },
    { capture: true, once: true },
  )
}

/** Runs in the page: whether it did. A page that has left is not asked. */
export function pressLanded(tools: PageTools): boolean {
  return tools.pressed?.landed !== false
}
