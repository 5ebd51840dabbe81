import { sanitiseText } from '../../../util/sanitise-text.ts'
import { drawsItself } from '../dom/ink.ts'
import { isShown, placeSight } from '../dom/sight.ts'
import { ariaOf, childrenOf, elementsById, everyElement, type FieldProperties, isHtml, refOf } from '../dom/tree.ts'
import { nameOf, roleOf, acceptedInput, statesOf, valueOf } from '../dom/roles-and-names.ts'
import { clean, isPageOrigin, pictureSight, shownText, textOf } from '../dom/element-text.ts'
import type { PageNode } from './page-outline.ts'

export type Row = Record<string, string>

const cellSelector =
  ':scope > td,:scope > th,:scope > [role=cell],:scope > [role=gridcell],:scope > [role=columnheader],:scope > [role=rowheader]'

export function rowsOf(table: Element): Element[] {
  return Array.from<Element>(isHtml(table, 'table') ? table.rows : table.querySelectorAll('[role=row]'))
}

export function cellsOf(row: Element): Element[] {
  return Array.from(row.querySelectorAll(cellSelector))
}

export function isHeadCell({ localName, role }: Element): boolean {
  return localName === 'th' || role === 'columnheader'
}

/** Output of a walk: texts, nodes, and null at block boundaries. */
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
  // Marks between links, such as a bar or a comma, are not text.
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
    ...(note ? { note } : !name && !value && markOf(element)),
  }
}

/** Returns the reason why a field is invalid, as worded by the page or the browser; undefined if it is valid. */
function validationError(element: Element): string | undefined {
  const isInvalid = /^(?:true|grammar|spelling)$/.test(ariaOf(element, 'invalid') ?? '')
  if (isInvalid) {
    const messages = ['aria-errormessage', 'aria-describedby'].flatMap((name) => elementsById(element, name))
    return clean(messages.map((each) => (isShown(each) ? textOf(each, 120) : '')).join(' ')) || 'invalid'
  }
  // `:user-invalid` matches only after user interaction; otherwise every empty required field would count as invalid.
  const { validationMessage }: FieldProperties = element
  return element.matches(':user-invalid') ? clean(validationMessage) || 'invalid' : undefined
}

/** Describes a control without a name by its id and classes, and by its position in the window. */
function markOf(element: Element): Pick<PageNode, 'note' | 'place'> {
  const named = [element, ...element.querySelectorAll('[class],[id]')].flatMap((each) =>
    [each.id, ...each.classList].join(' ').trim(),
  )
  const note = clean(named.find((each) => each !== '')).slice(0, 40)
  const { x, y, width, height } = element.getBoundingClientRect()
  const place = `at ${Math.round(x + width / 2)},${Math.round(y + height / 2)}`
  return { ...(note && { note }), place }
}

function shortUrl(href: string): string {
  const url = URL.parse(href)
  if (!url || !/^https?:$/.test(url.protocol)) return /^(?:mailto|tel):/.test(href) ? href.slice(0, 60) : ''
  const isHere = isPageOrigin(url.origin) && url.pathname === location.pathname && url.search === location.search
  const path = isHere ? url.hash : url.pathname + url.search + url.hash
  const whole = isPageOrigin(url.origin) ? path : url.host + path
  return whole.length <= 60 ? whole : `${whole.slice(0, 58)}…`
}

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
  // A heading that consists of one link is one line.
  if (children.length === 1 && children[0]?.name === name)
    return [{ ...children[0], role: `${role} ${children[0].role}` }]
  if (!name && children.length === 0) return []
  return [{ role, name: name.slice(0, 160), ...(children.length > 0 && { children }) }]
}

const fields = /^(?:textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|file|date|color|editor)$/
export const isField = (role: string): boolean => fields.test(role)

/** True if people can use a control. Fields always count, because a drawing often covers the real one. */
export function isOffered(element: Element, role: string): boolean {
  if (isField(role)) return true
  const isNothing = Array.from(childrenOf(element)).length === 0 && !isShown(element)
  if (isNothing || placeSight(element) !== 'seen') return false
  const isNamed = textOf(element, 1) !== '' || textOf(element, 1, ['masked']) === ''
  return isNamed || drawsItself(element)
}
