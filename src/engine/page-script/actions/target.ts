import { type FieldProperties, isHtml } from '../dom/kinds.ts'
import { describe, nameOf } from '../dom/names.ts'
import { refOf } from '../dom/refs.ts'
import { roleOf } from '../dom/roles.ts'
import { clean, textOf } from '../dom/text.ts'
import { everyElement } from '../dom/tree.ts'
import { isShown } from '../dom/visibility.ts'

/**
 * An element in words: `button "Save" #2`. `fields` says whether only what takes input is meant. `word` is a role that stands
 * alone, as it was written: "Table" may mean a link of that name.
 */
export type Description = { role: string; name: string; word?: string; nth: number; fields: 'only' | 'any' }
/** `like` says what the element is: "button "Save"". */
export type Candidate = { ref: number; like: string }
export type Resolved = { ref: number } | { why: 'none' | 'many'; candidates: Candidate[] }
type Match = { element: Element; score: number }

const selector =
  'a[href],button,input:not([type=hidden]),select,textarea,summary,label,[role],[tabindex],[onclick],[contenteditable],h1,h2,h3,h4,table,tr,iframe,pre,form,main,nav,ul,ol,dialog'
const mostNear = 3
/** From here on the name contains what was asked for. */
const enough = 3
const exact = 6

/** The element that a description means, among those that are shown. The exact name wins over a part of it. */
export function resolveTarget({ name, ...description }: Description): Resolved {
  const dialog = topModal()
  const wanted = clean(name).toLowerCase()
  const all = everyElement(dialog ?? document, selector, 20_000).flatMap((element) =>
    matchOf(element, { ...description, name: wanted }),
  )
  const inner = innermostBest(all)
  const { role, nth } = description
  const chosen = nth > 0 ? inner[nth - 1] : inner.length === 1 ? inner[0] : undefined
  if (chosen) return { ref: refOf(chosen.element) }
  if (inner.length > 0) return { why: 'many', candidates: inner.slice(0, 6).map((match) => candidateOf(match, inner)) }
  const plain = role ? undefined : elementWithText(dialog ?? document.body, wanted)
  if (plain) return { ref: refOf(plain) }
  const near = all.toSorted((a, b) => b.score - a.score).slice(0, mostNear)
  return { why: 'none', candidates: near.map((match) => candidateOf(match, inner)) }
}

/** The dialog that keeps the rest of the page waiting. */
export function topModal(): Element | undefined {
  return Array.from(document.querySelectorAll('dialog:modal,[aria-modal=true]'))
    .filter((each) => isShown(each))
    .at(-1)
}

function innermostBest(all: readonly Match[]): Match[] {
  const best = Math.max(0, ...all.map(({ score }) => score))
  const tops = best >= enough ? all.filter(({ score }) => score === best) : []
  return tops.filter(
    ({ element }) => !tops.some((other) => other.element !== element && element.contains(other.element)),
  )
}

/** Text that means nothing by itself may still be clicked. */
function elementWithText(root: Element, wanted: string): Element | undefined {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { nodeValue, parentElement } = walker.currentNode
    if (parentElement && clean(nodeValue).toLowerCase() === wanted && isShown(parentElement)) return parentElement
  }
  return undefined
}

function candidateOf({ element }: Match, { length }: readonly Match[]): Candidate {
  const row = element.closest('tr,li,[role=row],[role=listitem]')
  const around = row && length > 1 ? ` in "${textOf(row, 50)}"` : ''
  return { ref: refOf(element), like: describe(element) + around }
}

const fieldRoles =
  /^(?:textbox|searchbox|combobox|listbox|spinbutton|slider|date|color|editor|file|checkbox|radio|switch)$/

/** The field of a label, or the element itself, where it may be meant. */
function matchOf(element: Element, description: Description): Match[] {
  const field = isHtml(element, 'label') ? element.control : element
  if (!field || (field !== element && isShown(field))) return []
  const own = roleOf(field) || 'clickable'
  const name = nameOf(field, own)
  if (name !== description.word && !isKindOf(description.role, own)) return []
  if (description.fields === 'only' && !fieldRoles.test(own)) return []
  const score = scoreOf(description, name, field)
  return score > 0 && (isShown(element) || own === 'file') ? [{ element: field, score }] : []
}

/** People and models call fields and buttons by wider words than snapshots do. */
function isKindOf(role: string, own: string): boolean {
  if (role === '' || role === own) return true
  if (role === 'heading') return /^h\d/.test(own)
  if (role === 'field' || role === 'input' || role === 'textbox')
    return /^(?:textbox|searchbox|combobox|spinbutton|date|editor)$/.test(own)
  if (role === 'select' || role === 'dropdown') return /^(?:combobox|listbox)$/.test(own)
  return role === 'button' && (own === 'clickable' || own === 'disclosure')
}

/** How well an element fits: 3 and more when its name contains what was asked for. */
function scoreOf({ role, name: wanted, word }: Description, called: string, element: Element): number {
  if (wanted === '') return called === word ? exact : role ? 5 : 0
  const name = called.toLowerCase()
  if (name === wanted) return exact
  const [bareName, bare] = [lettersOf(name), lettersOf(wanted)]
  if (bare !== '' && bareName === bare) return 5.5
  const { id, name: key, placeholder }: FieldProperties = element
  if ([id, key, placeholder].some((each) => typeof each === 'string' && each.toLowerCase() === wanted)) return 5
  if (name.startsWith(wanted)) return 4
  if (name.includes(wanted)) return enough
  return likeness(bareName, bare)
}

/** People do not see case, spaces and punctuation as part of a name. */
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

const pairs = (text: string) =>
  new Set(Array.from(text.slice(0, 80)).map((letter, at, all) => letter + (all[at + 1] ?? '')))

/** Pairs of letters that two names share, as a part of all they have: from 0 to 1. What is less than a fifth is chance. */
function likeness(one: string, other: string): number {
  const [ours, theirs] = [pairs(one), pairs(other)]
  const shared = (2 * Array.from(ours).filter((pair) => theirs.has(pair)).length) / Math.max(1, ours.size + theirs.size)
  return shared < 0.2 ? 0 : shared
}
