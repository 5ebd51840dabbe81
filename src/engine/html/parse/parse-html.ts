import { type DomNode, type Element, isElement, moveChildren } from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import { type PageLimits, pageLimits, partLimits } from './source-limits.ts'
import { useStandardElements } from './standard-elements.ts'
import { buildTree } from './tree-builder.ts'

/** `root` is the html element. `isWhole` is false if the end of the page was left out. */
export type ParsedPage = { root: Element; head: Element; body: Element; isWhole: boolean }

const metadataNames = new Set(['title', 'meta', 'link', 'script', 'style', 'base', 'noscript', 'template'])

/**
 * Parses any page up to its limits, even malformed, into one html element with one head and one body; content outside
 * them is kept.
 */
export function parsePage(text: string, limits: PageLimits = partLimits): ParsedPage {
  const start = text.slice(0, limits.characters)
  // Browsers also end a comment at `--!>`, htmlparser2 does not.
  const html = start.replaceAll('--!>', '-->')
  const { top, height, isWhole, standIns } = buildTree(html, limits)
  const page = normaliseStructure(top)
  if (height > limits.depth) flatten(page.body)
  useStandardElements(standIns, page.body)
  return { ...page, isWhole: isWhole && start.length === text.length }
}

/** Parses an HTML fragment into one element. */
export function parseFragment(html: string): Element {
  return buildTree(html).top
}

function normaliseStructure(whole: Element): Omit<ParsedPage, 'isWhole'> {
  const top = whole.childNodes
  const html = top.find((node): node is Element => isElement(node) && node.localName === 'html')
  const root = html ?? createElement('html')
  const head = childNamed(root, 'head') ?? createElement('head')
  const body = childNamed(root, 'body') ?? createElement('body')
  adoptOutsideContent(top, root, head, body)
  root.prepend(head)
  head.after(body)
  root.remove()
  return { root, head, body }
}

function childNamed(parent: Element, name: string): Element | undefined {
  return parent.children.find((child) => child.localName === name)
}

/** htmlparser2 leaves content in the head, before or after the body, or in a second html or body element. */
function adoptOutsideContent(top: readonly DomNode[], root: Element, head: Element, body: Element): void {
  const children = root.childNodes
  const bodyAt = children.indexOf(body)
  const before = children.slice(0, bodyAt < 0 ? undefined : bodyAt).filter((node) => node !== head)
  const after = bodyAt < 0 ? [] : children.slice(bodyAt + 1).filter((node) => node !== head)
  const outside = top.filter((node) => node !== root)
  const first = body.firstChild
  for (const node of [...head.childNodes, ...before]) if (!isMetadata(node)) body.insertBefore(node, first)
  for (const node of before) if (isMetadata(node)) head.appendChild(node)
  for (const node of [...after, ...outside]) adopt(node, body)
}

function adopt(node: DomNode, body: Element): void {
  if (isElement(node) && (node.localName === 'html' || node.localName === 'body')) moveChildren(node, body)
  else body.append(node)
}

function isMetadata(node: DomNode): boolean {
  return isElement(node) ? metadataNames.has(node.localName) : node.textContent.trim() === ''
}

/** Lifts elements nested deeper than the limit: an element becomes empty, and its contents follow it. */
function flatten(body: Element): void {
  let depth = 0
  for (let at: DomNode | null = body.firstChild; at;) {
    if (isElement(at) && depth >= pageLimits.depth) emptyAfter(at)
    if (isElement(at) && at.firstChild) {
      depth++
      at = at.firstChild
      continue
    }
    while (at && !at.nextSibling) {
      at = at.parentNode === body ? null : at.parentNode
      depth--
    }
    at = at?.nextSibling ?? null
  }
}

function emptyAfter(element: Element): void {
  const after = element.nextSibling
  for (let child = element.firstChild; child; child = element.firstChild) element.parentNode?.insertBefore(child, after)
}
