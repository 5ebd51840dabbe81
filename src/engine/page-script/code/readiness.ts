import type { Find } from './tasks.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export type Need = 'attached' | 'visible' | 'enabled' | 'editable' | 'pointed'
/** Where an element can be used, or why it cannot yet; `by` tells what stands in the way. */
export type Readiness =
  | { count: number; is: 'ready'; x: number; y: number }
  | { count: number; is: 'missing' | 'hidden' | 'disabled' | 'readonly' | 'moving' | 'many' | 'covered'; by?: string }

/** Runs in the page: brings the element into view and tells whether it can be used (https://playwright.dev/docs/actionability). */
export async function readiness(
  find: Find,
  steps: unknown,
  needs: readonly Need[],
  which: 'only' | 'first',
  root?: Element,
): Promise<Readiness> {
  const found = find.all(steps, root)
  const count = found.length
  const [element] = found
  if (!element) return { count, is: 'missing' }
  if (which === 'only' && count > 1) return { count, is: 'many', by: found.slice(0, 5).map(find.tagOf).join('\n') }
  const lack = lacking(element)
  if (lack) return { count, is: lack }
  if (!needs.includes('pointed')) return { count, is: 'ready', x: 0, y: 0 }
  if (await moves(element)) return { count, is: 'moving' }
  const place = find.placeOf(element)
  return 'by' in place ? { count, is: 'covered', ...place } : { count, is: 'ready', ...place }

  function lacking(used: Element): 'hidden' | 'disabled' | 'readonly' | undefined {
    const isNeeded = (...any: Need[]) => any.some((need) => needs.includes(need))
    if (isNeeded('visible', 'pointed') && !find.isShown(used)) return 'hidden'
    if (isNeeded('enabled') && used.closest(':disabled,[aria-disabled=true]')) return 'disabled'
    return isNeeded('editable') && (used as HTMLInputElement).readOnly ? 'readonly' : undefined
  }

  async function moves(used: Element): Promise<boolean> {
    const { top, left, bottom, right } = used.getBoundingClientRect()
    const isInView = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
    if (!isInView) used.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const before = used.getBoundingClientRect()
    // Frames may be rare in a page that is not shown.
    await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 60))])
    const after = used.getBoundingClientRect()
    return Math.abs(before.x - after.x) + Math.abs(before.y - after.y) > 1
  }
}
