/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export type Point = { x: number; y: number }
/** Where to click an element, or why there is no such place. */
export type Aim = Point | 'covered' | 'hidden' | 'gone'

/** Elements chosen for a step, in our own world, where they stay what they are while the page changes. */
type Chosen = { gossamerChosen?: Element[] }

/**
 * Runs in the page: chooses what matches and can be seen, and tells how many there are, or why there is none. What is in
 * open shadow roots and in frames of the same site is looked at where the document itself has no match. Throws for a
 * selector that is not valid.
 */
export function choose(selector: string, which: 'first' | 'all'): number | 'hidden' | 'none' {
  const own = Array.from(document.querySelectorAll(selector))
  const found = own.length > 0 ? own : within(document)
  const seen = found.filter((element) => isSeen(element))
  const chosen = which === 'first' ? seen.slice(0, 1) : seen
  ;(globalThis as Chosen).gossamerChosen = chosen
  if (found.length === 0) return 'none'
  return chosen.length > 0 ? chosen.length : 'hidden'

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page is given the outer function alone
  function isSeen(element: Element): boolean {
    return (
      element.checkVisibility({ visibilityProperty: true }) &&
      Array.from(element.getClientRects()).some(({ width, height }) => width > 0 && height > 0)
    )
  }

  /** In the order of the document. */
  function within(root: ParentNode): Element[] {
    return Array.from(root.querySelectorAll('*')).flatMap((element) => {
      const inner = element.shadowRoot ?? (element as HTMLIFrameElement).contentDocument
      const self = root !== document && element.matches(selector) ? [element] : []
      return inner ? [...self, ...within(inner)] : self
    })
  }
}

/** Runs in the page: brings a chosen element into view and finds a point of it that nothing covers. */
export async function aimAt(index: number): Promise<Aim> {
  const element = (globalThis as Chosen).gossamerChosen?.[index]
  if (!element?.isConnected) return 'gone'
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  // A page in motion is aimed at once it stands; frames may be rare.
  await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 100))])
  const frames = framesAround(element)
  const boxes = Array.from(element.getClientRects()).filter(({ width, height }) => width > 0 && height > 0)
  const points = boxes.flatMap(({ x, y, width, height }) =>
    [0.5, 0.2, 0.8].flatMap((across) =>
      [0.5, 0.2, 0.8].map((down) => ({ x: x + width * across, y: y + height * down })),
    ),
  )
  const outer = points.map((point) => frames.reduce((at, frame) => shifted(at, frame, 1), point))
  return outer.find((point) => isHit(point)) ?? (points.length > 0 ? 'covered' : 'hidden')

  /** Innermost first. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page is given the outer function alone
  function framesAround(inner: Element): Element[] {
    const around: Element[] = []
    for (let at = inner.ownerDocument.defaultView?.frameElement; at; at = at.ownerDocument.defaultView?.frameElement)
      around.push(at)
    return around
  }

  /** From the coordinates in a frame to those around it, or back. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page is given the outer function alone
  function shifted({ x, y }: Point, frame: Element, way: 1 | -1): Point {
    const box = frame.getBoundingClientRect()
    const { paddingLeft, paddingTop } = getComputedStyle(frame)
    const left = box.x + frame.clientLeft + (Number.parseFloat(paddingLeft) || 0)
    const top = box.y + frame.clientTop + (Number.parseFloat(paddingTop) || 0)
    return { x: x + way * left, y: y + way * top }
  }

  /** A link is hit by whatever is in it, in shadow roots too. */
  function isHit(point: Point): boolean {
    for (let node = deepestAt(document, point, null); node; node = node.parentNode ?? (node as ShadowRoot).host ?? null)
      if (node === element) return true
    return false
  }

  function deepestAt(root: DocumentOrShadowRoot, point: Point, host: Element | null): Node | null {
    const hit = root.elementFromPoint(point.x, point.y)
    if (!hit || hit === host) return hit
    if (hit.shadowRoot) return deepestAt(hit.shadowRoot, point, hit) ?? hit
    const { contentDocument } = hit as HTMLIFrameElement
    return contentDocument ? deepestAt(contentDocument, shifted(point, hit, -1), null) : hit
  }
}

/** Runs in the page: whether a chosen element sends a form whose content goes beside the address. */
export function chosenPosts(): boolean {
  const chosen = (globalThis as Chosen).gossamerChosen ?? []
  return chosen.some((element) => element.closest('button,input')?.closest('form')?.method === 'post')
}

/** Runs in the page: a click that no cover can keep off. */
export function clickChosen(index: number): void {
  const element = (globalThis as Chosen).gossamerChosen?.[index]
  // In a frame, classes are others.
  if (element && 'click' in element) (element as HTMLElement).click()
  else element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))
}

/** Runs in the page: one window further, in the page or in whatever is scrolled in its middle. */
export function scrollPage(direction: 'up' | 'down'): void {
  const sign = direction === 'up' ? -1 : 1
  const before = window.scrollY
  window.scrollBy({ top: sign * window.innerHeight, behavior: 'instant' })
  let inner = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)
  while (inner && window.scrollY === before) {
    const { scrollTop } = inner
    const scrolls = /auto|scroll/.test(getComputedStyle(inner).overflowY)
    if (scrolls) inner.scrollBy({ top: sign * inner.clientHeight, behavior: 'instant' })
    if (inner.scrollTop !== scrollTop) return
    inner = inner.parentElement
  }
}

/** Runs in the page: scrolls inside the chosen element if it can be scrolled, else brings it into view. */
export function scrollChosen(direction: 'up' | 'down'): void {
  const [element] = (globalThis as Chosen).gossamerChosen ?? []
  if (!element) return
  const before = element.scrollTop
  element.scrollBy({ top: (direction === 'up' ? -1 : 1) * element.clientHeight, behavior: 'instant' })
  if (element.scrollTop === before) element.scrollIntoView({ block: 'center', behavior: 'instant' })
}
