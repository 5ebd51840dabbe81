import { DOMParser } from 'linkedom'
import { type Document, type DomNode, type Element, elementsIn, isElement, moveChildren } from '../dom/dom.ts'
import { speedUpLinkedom } from './speed-up-linkedom.ts'
import { limitNesting, pageLimits } from './source-limits.ts'

export type ParsedPage = { document: Document; head: Element; body: Element }

const metadataNames = new Set(['title', 'meta', 'link', 'script', 'style', 'base', 'noscript', 'template'])

/** Parses any page, however broken, into one html element with one head and one body; content outside them is kept. */
export function parsePage(html: string): ParsedPage {
  speedUpLinkedom()
  const document = parseLeniently(limitNesting(html))
  const page = normaliseStructure(document)
  if (/[A-Z](?<=\s.)[A-Za-z-]*\s*=/.test(html)) lowerAttributeNames(page)
  flatten(page.body)
  return page
}

export function emptyDocument(): Document {
  return parseDocument('<html><head></head><body></body></html>')
}

function parseLeniently(text: string): Document {
  const html = withoutOpenSections(text)
  const whole = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`
  return parseDocument(whole)
}

/** `parseHTML` would create a window around the document. */
function parseDocument(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html') as unknown as Document
}

/** An unclosed CDATA section would swallow the rest of the page; browsers treat its opening as a comment. */
function withoutOpenSections(html: string): string {
  if (!html.includes('[CDATA[')) return html
  const open = html.indexOf('<![CDATA[', html.lastIndexOf(']]>') + 1)
  return open < 0 ? html : html.slice(0, open) + html.slice(open).replaceAll('<![CDATA[', '')
}

function normaliseStructure(document: Document): ParsedPage {
  const top = topLevel(document)
  const html = top.find((node): node is Element => isElement(node) && node.localName === 'html')
  const root = html ?? document.createElement('html')
  const head = childNamed(root, 'head') ?? document.createElement('head')
  const body = childNamed(root, 'body') ?? document.createElement('body')
  adoptOutsideContent(top, root, head, body)
  root.prepend(head)
  head.after(body)
  return { document, head, body }
}

function topLevel(document: Document): DomNode[] {
  return document.childNodes.filter((node) => isElement(node) || node.nodeType === 3)
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

/** linkedom compares attribute names as written, so `HREF` would not be found. */
function lowerAttributeNames(page: ParsedPage): void {
  for (const element of [...elementsIn(page.head), ...elementsIn(page.body)])
    for (const name of element.getAttributeNames()) {
      const lower = name.toLowerCase()
      if (lower === name) continue
      const value = element.getAttribute(name) ?? ''
      element.removeAttribute(name)
      if (!element.hasAttribute(lower)) element.setAttribute(lower, value)
    }
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
