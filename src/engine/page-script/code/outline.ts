import type { FieldProperties } from '../dom/kinds.ts'
import { nameOf } from '../dom/names.ts'
import { ariaRole, roleOf } from '../dom/roles.ts'
import { isOffered } from '../dom/offer.ts'
import { textSight } from '../dom/sight.ts'
import { innerDocument } from '../dom/tree.ts'
import { hasHandCursor, isShown } from '../dom/visibility.ts'
import { findAll, type Step } from './find.ts'

export type OutlineOptions = { isInteractive: boolean; isCompact: boolean; maxDepth: number; root: readonly Step[] }
/** The role is '' for a text, and for what a script has made usable, in an element without one. */
type Line = { depth: number; role: string; element: Element; isUsable: boolean }

const interactive =
  /^(?:button|link|textbox|searchbox|checkbox|radio|combobox|listbox|menuitem|menuitemcheckbox|menuitemradio|option|slider|spinbutton|switch|tab|treeitem)$/
const structure =
  /^(?:heading|img|cell|columnheader|rowheader|listitem|article|region|main|navigation|status|alert|paragraph)$/
/** What is inside of them is part of their name. */
const whole = /^(?:button|link|option|combobox|listbox)$/
const maxLines = 2000

/** What is shown, in document order, as agent-browser writes it, and the elements that its refs stand for. */
export function outlinePage(options: OutlineOptions): { text: string; elements: Element[] } {
  const start = options.root.length > 0 ? findAll(options.root) : Array.from(document.querySelectorAll('body'))
  const lines: Line[] = []
  for (const element of start) collectLines(element, 0, lines, options)
  const elements: Element[] = []
  const text = lines.map((line) => `${'  '.repeat(line.depth)}- ${lineText(line, elements)}`).join('\n')
  return { text, elements }
}

function collectLines(element: Element, depth: number, lines: Line[], options: OutlineOptions): void {
  const { isInteractive, maxDepth } = options
  if (lines.length >= maxLines || depth > maxDepth || isGone(element)) return
  const role = ariaRole(element)
  const isUsable = canBeUsed(element, role)
  const isTold = isUsable || isStructure(element, role, options)
  if (isTold) lines.push({ depth: isInteractive ? 0 : depth, role, element, isUsable })
  if (isUsable && whole.test(role)) return
  for (const child of innerElements(element))
    collectLines(child, isTold && role !== '' ? depth + 1 : depth, lines, options)
}

function canBeUsed(element: Element, role: string): boolean {
  if (!isShown(element) || !isOffered(element, role)) return false
  return interactive.test(role) || isMadeUsable(element)
}

function isGone(element: Element): boolean {
  return !element.checkVisibility() && getComputedStyle(element).display !== 'contents'
}

function innerElements(element: Element): Iterable<Element> {
  return (element.shadowRoot ?? innerDocument(element)?.body ?? element).children
}

function isStructure(element: Element, role: string, { isInteractive, isCompact }: OutlineOptions): boolean {
  if (isInteractive) return false
  if (role !== '') return structure.test(role) || !isCompact
  return !/^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(element.tagName) && ownText(element) !== ''
}

/** Made usable by a script. */
function isMadeUsable(element: Element): boolean {
  const { parentElement: parent, isContentEditable, onclick }: Partial<HTMLElement> = element
  if (isContentEditable) return !parent?.isContentEditable
  return Boolean(onclick) || (hasHandCursor(element) && !hasHandCursor(parent ?? null))
}

function lineText({ role, element, isUsable }: Line, elements: Element[]): string {
  const name = shorten(nameOf(element, roleOf(element)) || ownText(element))
  if (role === '' && !isUsable) return `text: ${name}`
  const states = [...statesOf(element, role), ...(isUsable ? [`ref=e${elements.push(element)}`] : [])]
  const hasValue = /^(?:textbox|searchbox|combobox|spinbutton|slider)$/.test(role)
  const value = hasValue ? valueText(element) : ''
  return `${role || 'generic'}${name ? ` ${JSON.stringify(name)}` : ''}${states.length > 0 ? ` [${states.join(', ')}]` : ''}${value}`
}

function statesOf(element: Element, role: string): string[] {
  const { checked, disabled }: FieldProperties = element
  const expanded = element.getAttribute('aria-expanded')
  return [
    role === 'heading' ? `level=${element.getAttribute('aria-level') ?? element.tagName.slice(1)}` : '',
    checked || element.getAttribute('aria-checked') === 'true' ? 'checked' : '',
    disabled ? 'disabled' : '',
    expanded === null ? '' : `expanded=${expanded}`,
  ].filter((state) => state !== '')
}

function valueText({ value, type }: FieldProperties): string {
  return type !== 'password' && typeof value === 'string' && value !== '' ? `: ${shorten(value)}` : ''
}

function ownText(element: Element): string {
  if (textSight(element) !== 'seen') return ''
  const texts = Array.from(element.childNodes, (node) =>
    node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '',
  )
  return texts.join(' ').replace(/\s+/g, ' ').trim()
}

function shorten(long: string): string {
  return long.length > 160 ? `${long.slice(0, 159)}…` : long
}
