import type { Names } from './names.ts'

/** A text to look for: part of it in any case, exactly it, or a regular expression. */
export type Pattern = { text: string; isExact: boolean } | { source: string; flags: string }

/** One step of a way to elements; each starts from what the step before it found. Plain data, for the page. */
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

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Where they are sent to, what `names.ts` sends is called so. */
declare const names: Names

/**
 * What finds elements in a page. These functions use nothing but each other; `inPage` sends them together by their
 * source text, so they are declarations and stay in one file.
 */
export const finders: readonly ((...given: never[]) => unknown)[] = [
  findAll,
  follow,
  descend,
  withShadows,
  byText,
  byRole,
  passes,
  fits,
  stateOf,
]

type Root = Document | ShadowRoot | Element

/** The elements at the end of the way, in the order of the document. */
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
    else if (step.by === 'frame') found = found.flatMap((frame) => (frame as HTMLIFrameElement).contentDocument ?? [])
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
      ).filter((element) => names.labelsOf(element).some((label) => fits(label, step.pattern)))
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
        fits(element.getAttribute(attribute) ?? '', step.pattern),
      )
    }
    default:
      return []
  }
}

/** Open shadow roots are looked into, as a person looks. */
function withShadows(root: Root, css: string): Element[] {
  const inner = Array.from(root.querySelectorAll('*')).flatMap(({ shadowRoot }) => shadowRoot ?? [])
  const own = root instanceof Element && root.shadowRoot ? [root.shadowRoot] : []
  return [...root.querySelectorAll(css), ...[...own, ...inner].flatMap((shadow) => withShadows(shadow, css))]
}

/** The smallest elements that hold the text. */
function byText(root: Root, pattern: Pattern): Element[] {
  const all = withShadows(root, '*').filter(
    (element) => !/^(?:SCRIPT|STYLE|NOSCRIPT|HEAD|TITLE)$/.test(element.tagName),
  )
  const holding = new Set(all.filter((element) => fits(names.textOf(element), pattern)))
  return Array.from(holding).filter((element) => !Array.from(element.children).some((child) => holding.has(child)))
}

function byRole(root: Root, step: Extract<Step, { by: 'role' }>): Element[] {
  return withShadows(root, '*').filter((element) => {
    if (names.roleOf(element) !== step.role || !names.isShown(element)) return false
    if (step.level !== undefined && Number(element.getAttribute('aria-level') ?? element.tagName[1]) !== step.level)
      return false
    const isRight = Object.entries(step.states ?? {}).every(([name, wanted]) => stateOf(element, name) === wanted)
    return isRight && (!step.name || fits(names.nameOf(element), step.name))
  })
}

function stateOf(element: Element, name: string): boolean {
  const said = element.getAttribute(`aria-${name}`)
  if (said !== null) return said === 'true'
  return Boolean((element as unknown as Record<string, unknown>)[name])
}

function passes(element: Element, filter: Filter): boolean {
  const text = () => names.textOf(element)
  return (
    (!filter.text || fits(text(), filter.text)) &&
    (!filter.notText || !fits(text(), filter.notText)) &&
    (!filter.has || follow(filter.has, [element]).length > 0) &&
    (!filter.hasNot || follow(filter.hasNot, [element]).length === 0) &&
    (filter.css === undefined || element.matches(filter.css)) &&
    (filter.isVisible === undefined || names.isShown(element) === filter.isVisible)
  )
}

function fits(text: string, pattern: Pattern): boolean {
  if ('source' in pattern) return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(text)
  const wanted = names.tidy(pattern.text)
  return pattern.isExact ? names.tidy(text) === wanted : names.tidy(text).toLowerCase().includes(wanted.toLowerCase())
}
