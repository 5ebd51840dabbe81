/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export type Point = { x: number; y: number }
/** Where to click an element, or why there is no such place. */
export type Aim = Point | 'covered' | 'hidden' | 'gone'

/** Elements chosen for a step, in our own world, where they stay what they are while the page changes. */
type Chosen = { gossamerChosen?: Element[] }

/** Runs in the page: whether an element matches, and can be seen. Throws for a selector that is not valid. */
export function findVisible(selector: string): 'visible' | 'hidden' | 'none' {
  const found = Array.from(document.querySelectorAll(selector))
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    Array.from(element.getClientRects()).some(({ width, height }) => width > 0 && height > 0)
  return found.length === 0 ? 'none' : found.some((element) => isSeen(element)) ? 'visible' : 'hidden'
}

/** Runs in the page: chooses what matches and can be seen, and tells how many there are. */
export function choose(selector: string, which: 'first' | 'all'): number {
  const seen = Array.from(document.querySelectorAll(selector)).filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      Array.from(element.getClientRects()).some(({ width, height }) => width > 0 && height > 0),
  )
  const chosen = which === 'first' ? seen.slice(0, 1) : seen
  ;(globalThis as Chosen).gossamerChosen = chosen
  return chosen.length
}

/** Runs in the page: brings a chosen element into view and finds a point of it that nothing covers. */
export async function aimAt(index: number): Promise<Aim> {
  const element = (globalThis as Chosen).gossamerChosen?.[index]
  if (!element?.isConnected) return 'gone'
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  // A page in motion is aimed at once it stands; frames may be rare.
  await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 100))])
  const boxes = Array.from(element.getClientRects()).filter(({ width, height }) => width > 0 && height > 0)
  const points = boxes.flatMap(({ x, y, width, height }) =>
    [0.5, 0.2, 0.8].flatMap((across) =>
      [0.5, 0.2, 0.8].map((down) => ({ x: x + width * across, y: y + height * down })),
    ),
  )
  return points.find(({ x, y }) => isHit(x, y)) ?? (points.length > 0 ? 'covered' : 'hidden')

  /** A link is hit by whatever is in it, in shadow roots too. */
  function isHit(x: number, y: number): boolean {
    for (let node: Node | null = deepestAt(x, y); node; node = node.parentNode ?? (node as ShadowRoot).host ?? null)
      if (node === element) return true
    return false
  }

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page is given the outer function alone
  function deepestAt(x: number, y: number): Element | null {
    const outer = document.elementFromPoint(x, y)
    const inner = outer?.shadowRoot?.elementFromPoint(x, y)
    return inner && inner !== outer ? inner : outer
  }
}

/** Runs in the page: a click that no cover can keep off. */
export function clickChosen(index: number): void {
  const element = (globalThis as Chosen).gossamerChosen?.[index]
  if (element instanceof HTMLElement) element.click()
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

/** Runs in the page: scrolls inside an element that can be scrolled, else brings the element into view. */
export function scrollTo(selector: string, direction: 'up' | 'down'): boolean {
  const element = document.querySelector(selector)
  if (!element) return false
  const before = element.scrollTop
  element.scrollBy({ top: (direction === 'up' ? -1 : 1) * element.clientHeight, behavior: 'instant' })
  if (element.scrollTop === before) element.scrollIntoView({ block: 'center', behavior: 'instant' })
  return true
}
