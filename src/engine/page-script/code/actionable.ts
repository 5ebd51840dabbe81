import { elementAt, isHitBy, movesDuring, nextFrame, type Point, toWindow } from '../dom/hit-test.ts'
import type { FieldProperties } from '../dom/kinds.ts'
import { isShown } from '../dom/visibility.ts'
import { findAll, type Step } from './find.ts'

export type Need = 'attached' | 'visible' | 'enabled' | 'editable' | 'pointed'
/** Where an element can be clicked, or why it cannot be used yet; `by` says what is in the way. */
export type Actionability =
  | ({ count: number; is: 'ready' } & Point)
  | { count: number; is: 'missing' | 'hidden' | 'disabled' | 'readonly' | 'moving' | 'many' | 'covered'; by?: string }

/** Checks whether an element can be used, and scrolls it into view to click it (https://playwright.dev/docs/actionability). */
export async function checkActionable(
  steps: readonly Step[],
  needs: readonly Need[],
  which: 'only' | 'first',
  root?: Element,
): Promise<Actionability> {
  const found = findAll(steps, root)
  const count = found.length
  const [element] = found
  if (!element) return { count, is: 'missing' }
  if (which === 'only' && count > 1) return { count, is: 'many', by: found.slice(0, 5).map(tagOf).join('\n') }
  const lack = lackOf(element, needs)
  if (lack) return { count, is: lack }
  if (!needs.includes('pointed')) return { count, is: 'ready', x: 0, y: 0 }
  scrollIntoWindow(element)
  if ((await movesDuring(element, () => nextFrame())) > 1) return { count, is: 'moving' }
  const point = centerOf(element)
  const hit = elementAt(point)
  if (!isHitBy(element, hit)) return { count, is: 'covered', by: hit ? tagOf(hit) : 'nothing' }
  return { count, is: 'ready', ...point }
}

function lackOf(element: Element, needs: readonly Need[]): 'hidden' | 'disabled' | 'readonly' | undefined {
  const isNeeded = (...any: Need[]) => any.some((need) => needs.includes(need))
  if (isNeeded('visible', 'pointed') && !isShown(element)) return 'hidden'
  if (isNeeded('enabled') && isOff(element)) return 'disabled'
  const { readOnly }: FieldProperties = element
  return isNeeded('editable') && readOnly ? 'readonly' : undefined
}

/** Disabled as Playwright sees it: `inert` does not count. */
export function isOff(element: Element): boolean {
  return element.closest(':disabled,[aria-disabled=true]') !== null
}

function scrollIntoWindow(element: Element): void {
  const { top, left, bottom, right } = element.getBoundingClientRect()
  const isInView = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
  if (!isInView) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
}

/** The middle of its first box: a link over two lines has a hole in the middle of both. */
function centerOf(element: Element): Point {
  const boxes = Array.from(element.getClientRects())
  const box = boxes.find(({ width, height }) => width > 0 && height > 0) ?? element.getBoundingClientRect()
  return toWindow({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, element)
}

function tagOf(element: Element): string {
  return (element.cloneNode(false) as Element).outerHTML.slice(0, 120)
}
