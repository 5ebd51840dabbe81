import {
  type FieldProperties,
  isHtml,
  everyElement,
  labelElements,
  labelled,
  listens,
  refOf,
  parentOf,
  withInternals,
} from '../dom/tree.ts'
import { describe, nameOf, roleOf, optionText } from '../dom/roles-and-names.ts'
import { isControl } from '../snapshot/page-outline.ts'
import { isField, isOffered } from '../snapshot/outline-nodes.ts'
import { clean, textOf } from '../dom/element-text.ts'
import { isShown, startsHandCursor, textSight, topModal } from '../dom/sight.ts'

const cleanLower = (text: string | null) => clean(text).toLowerCase()

function elementsWithText(root: ParentNode, { name, asWritten }: { name: string; asWritten?: true }): Element[] {
  if (name === '') return []
  const wanted = name.toLowerCase()
  const all = [...(root instanceof Element ? [root] : []), ...everyElement(root, '*', Infinity)]
  const found = all.flatMap((element) => {
    const texts = ownTexts(element, wanted)
    if (texts.length === 0 || textSight(element) !== 'seen') return []
    const whole = texts.find((text) => text.length === name.length)
    const holder = whole === undefined ? ancestorWith(element, wanted) : element
    return holder && isShown(holder) ? { element: namedElement(holder), text: whole ?? clean(holder.textContent) } : []
  })
  return found.filter(({ text }) => !asWritten || text === name).map(({ element }) => element)
}

/** Finds the text nodes in which a text may start; compares first letters first, because there are many nodes. */
function ownTexts(element: Element, wanted: string): string[] {
  const nodes = Array.from(element.childNodes).filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
  return nodes
    .map(({ nodeValue }) => (nodeValue ?? '').replace(unseenStart, ''))
    .filter((text) => text !== '' && wanted.startsWith(text.charAt(0).toLowerCase()))
    .map(clean)
    .filter((text) => wanted.startsWith(text.toLowerCase()))
}

const unseenStart = /^[\s\p{Cf}]+/u

function ancestorWith(element: Element, wanted: string): Element | undefined {
  const text = cleanLower(element.textContent)
  if (text === wanted) return element
  return element.parentElement && text.length < wanted.length ? ancestorWith(element.parentElement, wanted) : undefined
}

function namedElement(element: Element): Element {
  const label = element.closest('label,caption')
  return (isHtml(label, 'label') ? labelled(label) : label?.parentElement) ?? element
}

function holderOf(element: Element, wanted: string): Element {
  const inner = Array.from(element.children).find((child) => cleanLower(child.textContent).includes(wanted))
  return inner ? holderOf(inner, wanted) : element
}

/** One interpretation of a target such as `button "Save" #2`. `asWritten` requires the same case. */
export type Reading = { role: string; name: string; nth: number; asWritten?: true }
/** `readings` are in order of preference, without `css`. `fields` limits the matches to elements that take input. */
export type Description = {
  readings: readonly Reading[]
  css?: { selector: string; nth: number }
  fields: 'only' | 'or lists' | 'any'
}
/** `like` describes the element: "button "Save"". */
export type Candidate = { ref: number; like: string }
/** Best matching elements: exact, close (by letters or markup name) or partial; without any, the most similar. */
export type Resolved = { fit: 'exact' | 'close' | 'part'; found: Candidate[] } | { near: Candidate[] }
type Named = { element: Element; role: string; name: string }

const candidateSelector =
  'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,label,[role],[tabindex],[onclick],[contenteditable],h1,h2,h3,h4,h5,h6,img,fieldset,figure,section,article,aside,header,footer,search,meter,progress,table,tr,iframe,pre,form,main,nav,ul,ol,dialog'
const [maxFound, maxNear] = [6, 3]

/** Finds the visible elements of a description: exact matches before partial ones, controls before texts. */
export function resolveTarget({ readings, css, fields }: Description): Resolved {
  if (css) return selectedBy(css)
  const root = topModal() ?? document
  const isForAny = readings.some(({ role }) => role === 'clickable')
  const named = everyElement(root, isForAny ? '*' : withInternals(candidateSelector), 20_000).flatMap((element) =>
    namedBy(element, fields),
  )
  const cleaned = readings.map((reading) => ({ ...reading, name: clean(reading.name) }))
  const exact = firstFitting('same', cleaned, named, fields === 'any' && root)
  const close = exact ?? firstFitting('letters', cleaned, named, false) ?? firstFitting('key', cleaned, named, false)
  const options = close ? [] : optionsNamed(root, cleaned)
  if (options.length > 0) return { near: options }
  const found = close ?? partialMatches(cleaned, named)
  if (found.length === 0) return { near: nearest(cleaned, named) }
  const fit = exact ? 'exact' : close ? 'close' : 'part'
  return { fit, found: found.slice(0, maxFound).map((each) => candidateOf(each, found)) }
}

function selectedBy({ selector, nth }: NonNullable<Description['css']>): Resolved {
  const all = isSelector(selector) ? everyElement(document, selector, 1000) : []
  const shown = all.filter((each) => isShown(each) || roleOf(each) === 'file')
  const found = ofNumber(shown, nth).slice(0, maxFound)
  return found.length > 0 ? { fit: 'exact', found: found.map((each) => candidateOf(each, found)) } : { near: [] }
}

/**
 * Returns the matches of a selector that can be clicked, by a label if need be; `placed` is the first with a box, even
 * an empty one. Shadow roots and frames are searched if the document has none.
 */
export function matchElements(selector: string, which: 'first' | 'all' | 'placed') {
  const own = Array.from(document.querySelectorAll(selector))
  const found = own.length > 0 ? own : everyElement(document, selector, Infinity)
  const isUsable = (each: Element) =>
    which === 'placed' ? each.getClientRects().length > 0 : [each, ...labelElements(each)].some((one) => isShown(one))
  const usable = found.filter((each) => isUsable(each))
  const shown = which === 'all' ? usable : usable.slice(0, 1)
  const postsForm = shown.some((each) => each.closest('button,input')?.closest('form')?.method === 'post')
  return { refs: shown.map((each) => refOf(each)), isHidden: found.length > 0, postsForm }
}

function isSelector(text: string): boolean {
  try {
    return document.querySelector(text) !== undefined
  } catch {
    return false
  }
}

/** Finds native lists with such an option, which opens outside the page and cannot be clicked. */
function optionsNamed(root: ParentNode, readings: readonly Reading[]): Candidate[] {
  const names = readings.map(({ name }) => lower(name))
  const lists = everyElement(root, 'select', 500).filter((list) => isShown(list)) as HTMLSelectElement[]
  return lists.flatMap((list) => {
    const option = Array.from(list.options, optionText).find((text) => names.includes(lower(text)))
    if (option === undefined) return []
    return { ref: refOf(list), like: `${describe(list)}, whose option "${option}" is chosen by select` }
  })
}

/** Returns the element, or the hidden field of a visible label, with its role and name, if it can be a target. */
function namedBy(element: Element, fields: Description['fields']): Named[] {
  const field = isHtml(element, 'label') ? labelled(element) : element
  if (!field || (field !== element && isShown(field))) return []
  const role = roleOf(field) || (isClickable(field) ? 'clickable' : '')
  if (role === '' || (fields !== 'any' && !isField(role) && !(fields === 'or lists' && opensList(field)))) return []
  return isShown(element) || role === 'file' ? [{ element: field, role, name: nameOf(field, role) }] : []
}

const opensList = (element: Element) => element.matches('[aria-haspopup]:not([aria-haspopup=false])')

/** An element that only scripts can focus is a scroll target rather than a control. */
const isClickable = (element: Element) =>
  element.hasAttribute('onclick') ||
  listens(element) ||
  (element.hasAttribute('tabindex') ? (element as HTMLElement).tabIndex >= 0 : startsHandCursor(element))

/** Returns the matches of the first reading that has any; empty if there are fewer of them than `nth`. */
function firstFitting(
  how: keyof typeof fits,
  readings: readonly Reading[],
  named: readonly Named[],
  root: ParentNode | false,
): Element[] | undefined {
  for (const reading of how === 'same' ? readings.flatMap(asWrittenFirst) : readings) {
    const fitting = named.filter((each) => isKindOf(reading.role, each.role) && fits[how](reading, each))
    const found = bestOf(fitting, reading, how === 'same' && root)
    if (found.length > 0) return ofNumber(found, reading.nth)
  }
  return undefined
}

const asWrittenFirst = (reading: Reading): Reading[] => [{ ...reading, asWritten: true }, reading]

/** Prefers visible controls, then other elements and texts; of nested matches the innermost. */
function bestOf(fitting: readonly Named[], reading: Reading, root: ParentNode | false): Element[] {
  const [controls, others] = [true, false].map((isWanted) => fitting.filter(({ role }) => isControl(role) === isWanted))
  const seen = controls!.filter(({ element, role }) => isOffered(element, role))
  if (seen.length > 0) return innermost(seen.map(({ element }) => element))
  const texts = root && reading.role === '' ? elementsWithText(root, reading) : []
  const places = inOrder([...others!.map(({ element }) => element), ...texts])
  return innermost(places.length > 0 ? places : controls!.map(({ element }) => element))
}

function partialMatches(readings: readonly Reading[], named: readonly Named[]): Element[] {
  const found = readings.flatMap((reading) => {
    const { role, name } = reading
    const wanted = name.toLowerCase()
    const fitting = named.filter((each) => isKindOf(role, each.role) && wanted && lower(each.name).includes(wanted))
    const elements = fitting.map((each) =>
      role === '' && !isControl(each.role) ? holderOf(each.element, wanted) : each.element,
    )
    const seen = fitting.flatMap((each, at) => (isOffered(each.element, each.role) ? elements[at]! : []))
    return ofNumber(innermost(seen.length > 0 ? seen : elements), reading.nth)
  })
  return innermost(inOrder(found))
}

const ofNumber = (elements: readonly Element[], nth: number): Element[] =>
  nth === 0 ? [...elements] : elements.slice(nth - 1, nth)

const innermost = (elements: readonly Element[]) =>
  [...new Set(elements)].filter((each) => !elements.some((other) => other !== each && isInside(other, each)))

/** True if a node is the element or rendered inside it. */
function isInside(node: Node, element: Element): boolean {
  for (let at: Node | null = node; at; at = parentOf(at)) if (at === element) return true
  return false
}

const inOrder = (elements: readonly Element[]) =>
  elements.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))

function candidateOf(element: Element, { length }: readonly unknown[]): Candidate {
  const row = element.closest('tr,li,[role=row],[role=listitem]')
  const around = row && length > 1 ? ` in "${textOf(row, 50)}"` : ''
  return { ref: refOf(element), like: describe(element) + around }
}

/** People and models name fields and buttons by broader terms than snapshots do. */
function isKindOf(role: string, own: string): boolean {
  if (role === '' || role === own) return true
  if (role === 'heading') return /^h\d/.test(own)
  if (role === 'field' || role === 'input' || role === 'textbox')
    return /^(?:textbox|searchbox|combobox|spinbutton|date|editor)$/.test(own)
  if (role === 'select' || role === 'dropdown') return /^(?:combobox|listbox)$/.test(own)
  if (role === 'option') return own.startsWith('menuitem')
  return role === 'button' && (own === 'clickable' || own === 'disclosure')
}

const lower = (text: string) => text.toLowerCase()
/** Reduces a name to lower-case letters and digits, because case, spaces and punctuation do not matter in targets. */
const lettersOf = (text: string) => lower(text).replace(/[^\p{L}\p{N}]+/gu, '')

/** Compares a name with a reading: the same text, the same letters, or the name of a field in the markup. */
const fits = {
  same({ role, name, asWritten }: Reading, { name: own }: Named) {
    if (name === '') return role !== ''
    return asWritten ? own === name : lower(own) === lower(name)
  },
  letters: ({ name }: Reading, { name: own }: Named) => lettersOf(name) !== '' && lettersOf(own) === lettersOf(name),
  key({ name }: Reading, { element }: Named) {
    const { id, name: key, placeholder }: FieldProperties = element
    return name !== '' && [id, key, placeholder].some((each) => typeof each === 'string' && lower(each) === lower(name))
  },
}

/** Likeness of an element that has only its role in common with the target. */
const minLikeness = 0.01

function nearest(readings: readonly Reading[], named: readonly Named[]): Candidate[] {
  const alike = named.map(({ element, role, name }) => {
    const scores = readings.map((reading) =>
      isKindOf(reading.role, role) ? likeness(reading.name, name) || (reading.role === '' ? 0 : minLikeness) : 0,
    )
    return { element, score: Math.max(...scores) }
  })
  const best = alike.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  return best.slice(0, maxNear).map(({ element }) => candidateOf(element, []))
}

const pairs = (text: string) =>
  new Set(Array.from(text.slice(0, 80)).map((letter, at, all) => letter + (all[at + 1] ?? '')))

/** Returns the share of letter pairs that two names have in common, from 0 to 1; 0 if it could be a coincidence. */
function likeness(one: string, other: string): number {
  const [ours, theirs] = [pairs(lettersOf(one)), pairs(lettersOf(other))]
  const shared = (2 * Array.from(ours).filter((pair) => theirs.has(pair)).length) / Math.max(1, ours.size + theirs.size)
  return shared < 0.2 ? 0 : shared
}
