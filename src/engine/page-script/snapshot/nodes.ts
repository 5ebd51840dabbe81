import { sanitiseText } from '../../../util/sanitise-text.ts'
import { isHtml } from '../dom/kinds.ts'
import { everyElement } from '../dom/tree.ts'
import { nameOf } from '../dom/names.ts'
import { refOf } from '../dom/refs.ts'
import { roleOf } from '../dom/roles.ts'
import { acceptedInput, statesOf, validationError, valueOf } from '../dom/states.ts'
import { shownText } from '../dom/shown.ts'
import { clean, isPageOrigin, pictureSight } from '../dom/text.ts'
import type { PageNode } from './types.ts'

/** What a walk collects: texts, nodes, and null where a block begins or ends. */
export type Item = string | PageNode | null

/** Joins texts, and the controls in them, into lines. */
export function groupLines(items: readonly Item[]): PageNode[] {
  const nodes: PageNode[] = []
  let run: (string | PageNode)[] = []
  const flush = () => {
    nodes.push(...lineOf(run))
    run = []
  }
  for (const item of items) {
    if (item === null) flush()
    else if (typeof item === 'object' && item.children) {
      flush()
      nodes.push(item)
    } else run.push(item)
  }
  flush()
  return nodes
}

function lineOf(run: readonly (string | PageNode)[]): PageNode[] {
  const joined: (string | PageNode)[] = []
  for (const item of run) {
    const last = joined.at(-1)
    if (typeof item === 'string' && typeof last === 'string') joined[joined.length - 1] = last + item
    else joined.push(item)
  }
  const parts = joined.map((part) => (typeof part === 'string' ? clean(part) : part)).filter((part) => part !== '')
  const only = parts[0]
  if (parts.length === 1 && typeof only === 'string') return [{ role: 'text', name: only }]
  // Marks between links, such as a bar or a comma, are no text.
  const nodes = parts.filter((part) => typeof part === 'object')
  const text = parts.filter((part) => typeof part === 'string').join('')
  if (!/[\p{L}\p{N}]/u.test(text)) return nodes
  // A sentence with links in it is one line; a row of buttons with a word between them is not.
  if (nodes.length <= 3 || text.length >= nodes.length * 20) return [{ role: 'text', parts }]
  return parts.map((part) => (typeof part === 'string' ? { role: 'text', name: part } : part))
}

const maxValue = 200

export function controlNode(element: Element, role: string): PageNode {
  const name = nameOf(element, role).slice(0, 160)
  const value = valueOf(element, role)
  const error = validationError(element)
  const states = statesOf(element, role).concat(error ? `invalid "${error}"` : [])
  const url = role === 'link' && isHtml(element, 'a', 'area') ? shortUrl(element.href) : undefined
  const note = acceptedInput(element)
  return {
    role,
    ref: refOf(element),
    ...(name && { name }),
    ...(value &&
      value !== name && {
        value:
          value.length > maxValue
            ? `${value.slice(0, maxValue)}… (${value.length} characters; extract reads all)`
            : value,
      }),
    ...(states.length > 0 && { states }),
    ...(url && { url }),
    ...(note && { note }),
  }
}

function shortUrl(href: string): string {
  const url = URL.parse(href)
  if (!url || !/^https?:$/.test(url.protocol)) return /^(?:mailto|tel):/.test(href) ? href.slice(0, 60) : ''
  const isHere = isPageOrigin(url.origin) && url.pathname === location.pathname && url.search === location.search
  const path = isHere ? url.hash : url.pathname + url.search + url.hash
  const whole = isPageOrigin(url.origin) ? path : url.host + path
  return whole.length <= 60 ? whole : `${whole.slice(0, 58)}…`
}

const leafRoles = /^(?:h\d|img|code|progressbar|meter|video|audio|canvas)$/

/** Nothing that a leaf contains is walked through. */
export const isLeaf = (role: string): boolean => leafRoles.test(role)

export function leafNodes(element: Element, role: string): PageNode[] {
  if (role === 'code') {
    const text = sanitiseText(shownText(element))
    if (text === '') return []
    return [{ role, ref: refOf(element), name: text.slice(0, 400), total: text.split('\n').length }]
  }
  if (role === 'img' && pictureSight(element) !== 'seen') return []
  const name = nameOf(element, role)
  if (/^h\d/.test(role)) return headingNodes(element, role, name)
  if (name === '') return []
  const value = valueOf(element, role)
  return [{ role, name: name.slice(0, 120), ...(value && { value }) }]
}

function headingNodes(element: Element, role: string, name: string): PageNode[] {
  const controls = everyElement(element, 'a[href],button,[role=button]', 3)
  const children = controls.map((each) => controlNode(each, roleOf(each)))
  // A heading that is all link is one line.
  if (children.length === 1 && children[0]?.name === name)
    return [{ ...children[0], role: `${role} ${children[0].role}` }]
  if (!name && children.length === 0) return []
  return [{ role, name: name.slice(0, 160), ...(children.length > 0 && { children }) }]
}
