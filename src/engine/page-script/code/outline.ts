import type { Find } from './tasks.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export type OutlineOptions = { isInteractive: boolean; isCompact: boolean; maxDepth: number; root: readonly unknown[] }
/** `text` has no element of its own. */
type Line = { depth: number; role: string; element: Element; isUsable: boolean }

/** Runs in the page: what can be seen, in the order of the document. */
export function seenIn(find: Find, { isInteractive, isCompact, maxDepth, root }: OutlineOptions): Line[] {
  const interactive =
    /^(?:button|link|textbox|searchbox|checkbox|radio|combobox|listbox|menuitem|menuitemcheckbox|menuitemradio|option|slider|spinbutton|switch|tab|treeitem)$/
  const structure =
    /^(?:heading|img|cell|columnheader|rowheader|listitem|article|region|main|navigation|status|alert|paragraph)$/
  const whole = /^(?:button|link|option|combobox|listbox)$/
  const lines: Line[] = []
  const start = root.length > 0 ? find.all(root) : Array.from(document.querySelectorAll('body'))
  for (const element of start) walk(element, 0)
  return lines

  function walk(element: Element, depth: number): void {
    // Longer ones nobody reads.
    if (lines.length >= 2000 || depth > maxDepth || isGone(element)) return
    const role = find.roleOf(element)
    const isUsable = find.isShown(element) && (interactive.test(role) || isMadeUsable(element))
    const isTold = isUsable || isWorthIt(role, element)
    if (isTold) lines.push({ depth: isInteractive ? 0 : depth, role: role || usual(isUsable), element, isUsable })
    const deeper = isTold && role !== ''
    if (!isUsable || !whole.test(role)) walkInto(element, deeper ? depth + 1 : depth)
  }

  function usual(isUsable: boolean): string {
    return isUsable ? 'generic' : 'text'
  }

  function walkInto(element: Element, depth: number): void {
    const inner = element.shadowRoot ?? (element as HTMLIFrameElement).contentDocument?.body ?? element
    for (const child of inner.children) walk(child, depth)
  }

  function isGone(element: Element): boolean {
    return !element.checkVisibility() && getComputedStyle(element).display !== 'contents'
  }

  function isWorthIt(role: string, element: Element): boolean {
    if (isInteractive) return false
    if (role !== '') return structure.test(role) || !isCompact
    const texts = Array.from(element.childNodes).filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    return (
      !/^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(element.tagName) &&
      texts.some(({ textContent }) => textContent?.trim())
    )
  }

  /** Where a script listens for clicks, a page mostly shows a hand. */
  function isMadeUsable(element: Element): boolean {
    const { parentElement: parent, isContentEditable } = element as HTMLElement
    if (isContentEditable) return !parent?.isContentEditable
    if ((element as HTMLElement).onclick) return true
    const hasHand = (any: Element | null) => any !== null && getComputedStyle(any).cursor === 'pointer'
    return hasHand(element) && !hasHand(parent)
  }
}

/** Runs in the page: those lines as text, with a reference for each element that can be used. */
export function outline(find: Find, lines: readonly Line[] = []): { text: string; elements: Element[] } {
  const elements: Element[] = []
  const text = lines.map(
    ({ depth, role, element, isUsable }) => `${'  '.repeat(depth)}- ${told(element, role, isUsable)}`,
  )
  return { text: text.join('\n'), elements }

  function told(element: Element, role: string, isUsable: boolean): string {
    const name = shortened(find.nameOf(element) || ownText(element))
    if (role === 'text') return `text: ${name}`
    const facts = [...factsOf(element, role), ...(isUsable ? [`ref=e${elements.push(element)}`] : [])]
    const shown = /^(?:textbox|searchbox|combobox|spinbutton|slider)$/.test(role)
      ? valueOf(element as HTMLInputElement)
      : ''
    return `${role}${name ? ` ${JSON.stringify(name)}` : ''}${facts.length > 0 ? ` [${facts.join(', ')}]` : ''}${shown}`
  }

  function factsOf(element: Element, role: string): string[] {
    const { checked, disabled } = element as HTMLInputElement
    const expanded = element.getAttribute('aria-expanded')
    return [
      role === 'heading' ? `level=${element.getAttribute('aria-level') ?? element.tagName.slice(1)}` : '',
      checked || element.getAttribute('aria-checked') === 'true' ? 'checked' : '',
      disabled ? 'disabled' : '',
      expanded === null ? '' : `expanded=${expanded}`,
    ].filter((fact) => fact !== '')
  }

  function valueOf({ value, type }: HTMLInputElement): string {
    return type !== 'password' && typeof value === 'string' && value !== '' ? `: ${shortened(value)}` : ''
  }

  function ownText(element: Element): string {
    const texts = Array.from(element.childNodes, (node) =>
      node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '',
    )
    return texts.join(' ').replace(/\s+/g, ' ').trim()
  }

  function shortened(long: string): string {
    return long.length > 160 ? `${long.slice(0, 159)}…` : long
  }
}
