import type { Clip, Item, PageNode, PageTools } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: the walk through what is shown, which counts what is out of view and stops there when it is too much. */
export function addWalk(tools: PageTools): void {
  const silent = /^(?:script|style|template|noscript|head|meta|link|title|datalist|legend|caption|colgroup)$/

  tools.walk = (element, out, clip, quota) => {
    if (silent.test(element.localName) || quota.left-- <= 0) return
    const box = element.getBoundingClientRect()
    const where = clip.forced ?? placeOf(box, clip)
    if (--quota[where ?? 'inView'] < 0) return
    const style = getComputedStyle(element)
    if (isLeftOut(element, style)) return
    const isInline = style.display.startsWith('inline') || style.display === 'contents'
    const within = clipIn(element, style, box, clip)
    if (isInline) return tools.enter(element, style, out, within, quota)
    const own: Item[] = []
    tools.enter(element, style, own, within, quota)
    const told = where ? tools.grouped(own).map((node) => ({ ...node, where: node.where ?? where })) : own
    out.push(null)
    for (const item of told) out.push(item)
    out.push(null)
  }

  /** What has no box may still have children that have one. */
  function placeOf({ top, bottom, left, right, width, height }: DOMRect, clip: Clip): PageNode['where'] {
    if (width === 0 && height === 0) return undefined
    if (top >= clip.bottom) return 'below'
    if (bottom <= clip.top) return 'above'
    return left >= clip.right || right <= clip.left ? 'beside' : undefined
  }

  function isLeftOut(element: Element, { display, overflow, position }: CSSStyleDeclaration): boolean {
    const { offsetWidth, offsetHeight, type } = element as HTMLInputElement
    if (display === 'none') return type !== 'file'
    if (element.getAttribute('aria-hidden') === 'true' || element.matches('details:not([open]) > :not(summary)'))
      return true
    // Folded away, or for the ears only; a checkbox under a drawing of its own is not.
    const isTiny = offsetWidth <= 1 || offsetHeight <= 1
    const isFolded = offsetHeight === 0 || (position === 'absolute' && type === undefined)
    return isTiny && overflow !== 'visible' && !display.startsWith('inline') && isFolded
  }

  function clipIn(element: Element, style: CSSStyleDeclaration, box: DOMRect, clip: Clip): Clip {
    const { overflowX, overflowY, position } = style
    const view = element.ownerDocument.defaultView ?? window
    const around =
      position === 'fixed' ? { ...clip, top: 0, left: 0, bottom: view.innerHeight, right: view.innerWidth } : clip
    const isRoot = element === element.ownerDocument.body || element === element.ownerDocument.documentElement
    const isOpen = overflowX === 'visible' && overflowY === 'visible'
    if (isRoot || isOpen || (box.width === 0 && box.height === 0)) return around
    return {
      ...around,
      top: Math.max(around.top, box.top),
      bottom: Math.min(around.bottom, box.bottom),
      left: Math.max(around.left, box.left),
      right: Math.min(around.right, box.right),
    }
  }
}
