import { isElement } from '../dom/kinds.ts'
import { labelsOf, nameOf } from '../dom/names.ts'
import { ariaRole, roleOf } from '../dom/roles.ts'
import { innerDocument } from '../dom/tree.ts'
import { isShown } from '../dom/visibility.ts'

/** A text to look for: a part in any case, the exact text, or a regular expression. */
export type Pattern = { text: string; isExact: boolean } | { source: string; flags: string }

/** One step of a locator; each starts from what the step before it found. */
export type Step =
  | { by: 'css'; css: string }
  | { by: 'xpath'; path: string }
  | { by: 'text' | 'label' | 'placeholder' | 'alt' | 'title' | 'testid'; pattern: Pattern }
  | { by: 'role'; role: string; name?: Pattern | undefined; level?: number; states?: Record<string, boolean> }
  | { by: 'filter'; with: Filter }
  | { by: 'nth'; index: number }
  | { by: 'either'; ways: readonly (readonly Step[])[] }
  | { by: 'both'; way: readonly Step[] }
  | { by: 'frame' }
export type Filter = {
  text?: Pattern | undefined
  notText?: Pattern | undefined
  has?: readonly Step[] | undefined
  hasNot?: readonly Step[] | undefined
  css?: string
  isVisible?: boolean | undefined
}

type Root = Document | ShadowRoot | Element

/** The elements that steps lead to from a root, in document order. */
export function findAll(steps: readonly Step[], root: Root = document): Element[] {
  return follow(steps, [root])
}

function follow(steps: readonly Step[], roots: Root[]): Element[] {
  let found: Root[] = roots
  for (const step of steps) {
    if (step.by === 'nth')
      found = found
        .slice(step.index)
        .slice(0, step.index === -1 ? 1 : undefined)
        .slice(0, 1)
    else if (step.by === 'filter') found = (found as Element[]).filter((element) => passes(element, step.with))
    else if (step.by === 'frame') found = found.flatMap((frame) => (isElement(frame) && innerDocument(frame)) || [])
    else if (step.by === 'both') {
      const other = new Set(follow(step.way, [document]))
      found = (found as Element[]).filter((element) => other.has(element))
    } else found = Array.from(new Set(found.flatMap((from) => descend(step, from))))
  }
  return found as Element[]
}

function descend(step: Step, root: Root): Element[] {
  switch (step.by) {
    case 'css':
      return withShadows(root, step.css)
    case 'xpath': {
      const path = root instanceof Document || !step.path.startsWith('/') ? step.path : `.${step.path}`
      const all = document.evaluate(path, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null)
      const nodes = Array.from({ length: all.snapshotLength }, (_, index) => all.snapshotItem(index))
      return nodes.filter((node) => node instanceof Element)
    }
    case 'text':
      return byText(root, step.pattern)
    case 'role':
      return byRole(root, step)
    case 'label':
      return withShadows(
        root,
        'input,textarea,select,button,meter,output,progress,[aria-label],[aria-labelledby],[contenteditable]',
      ).filter((element) => labelsOf(element).some((label) => matches(label, step.pattern)))
    case 'either':
      return step.ways
        .flatMap((way) => follow(way, [root]))
        .sort((one, other) => (one.compareDocumentPosition(other) & 4 ? -1 : 1))
    case 'placeholder':
    case 'alt':
    case 'title':
    case 'testid': {
      const attribute = step.by === 'testid' ? 'data-testid' : step.by
      return withShadows(root, `[${attribute}]`).filter((element) =>
        matches(element.getAttribute(attribute) ?? '', step.pattern),
      )
    }
    default:
      return []
  }
}

/** Elements that match, in open shadow roots too. */
function withShadows(root: Root, css: string): Element[] {
  const inner = Array.from(root.querySelectorAll('*')).flatMap(({ shadowRoot }) => shadowRoot ?? [])
  const own = root instanceof Element && root.shadowRoot ? [root.shadowRoot] : []
  return [...root.querySelectorAll(css), ...[...own, ...inner].flatMap((shadow) => withShadows(shadow, css))]
}

/** The smallest elements that contain the text. */
function byText(root: Root, pattern: Pattern): Element[] {
  const all = withShadows(root, '*').filter(
    (element) => !/^(?:SCRIPT|STYLE|NOSCRIPT|HEAD|TITLE)$/.test(element.tagName),
  )
  const holding = new Set(all.filter((element) => matches(contentText(element), pattern)))
  return Array.from(holding).filter((element) => !Array.from(element.children).some((child) => holding.has(child)))
}

function byRole(root: Root, step: Extract<Step, { by: 'role' }>): Element[] {
  return withShadows(root, '*').filter((element) => {
    if (ariaRole(element) !== step.role || !isShown(element)) return false
    if (step.level !== undefined && Number(element.getAttribute('aria-level') ?? element.tagName[1]) !== step.level)
      return false
    const isRight = Object.entries(step.states ?? {}).every(([name, wanted]) => stateOf(element, name) === wanted)
    return isRight && (!step.name || matches(nameOf(element, roleOf(element)), step.name))
  })
}

function stateOf(element: Element, name: string): boolean {
  const said = element.getAttribute(`aria-${name}`)
  if (said !== null) return said === 'true'
  return Boolean((element as unknown as Record<string, unknown>)[name])
}

function passes(element: Element, filter: Filter): boolean {
  const text = () => contentText(element)
  return (
    (!filter.text || matches(text(), filter.text)) &&
    (!filter.notText || !matches(text(), filter.notText)) &&
    (!filter.has || follow(filter.has, [element]).length > 0) &&
    (!filter.hasNot || follow(filter.hasNot, [element]).length === 0) &&
    (filter.css === undefined || element.matches(filter.css)) &&
    (filter.isVisible === undefined || isShown(element) === filter.isVisible)
  )
}

function matches(text: string, pattern: Pattern): boolean {
  if ('source' in pattern) return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(text)
  const wanted = tidy(pattern.text)
  return pattern.isExact ? tidy(text) === wanted : tidy(text).toLowerCase().includes(wanted.toLowerCase())
}

/** Text as Playwright's text selectors see it: hidden parts count, scripts do not, and buttons of forms have their value. */
function contentText(element: Element): string {
  if (element instanceof HTMLInputElement) return /^(?:button|submit|reset)$/.test(element.type) ? element.value : ''
  const silent = 'script,style,noscript'
  if (!element.querySelector(silent)) return tidy(element.textContent)
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let text = ''
  while (texts.nextNode())
    if (!texts.currentNode.parentElement?.closest(silent)) text += texts.currentNode.nodeValue ?? ''
  return tidy(text)
}

/** Unlike `clean`, this keeps characters of no width, as Playwright does. */
function tidy(text: string | null): string {
  return (text ?? '').replace(/\s+/g, ' ').trim()
}
