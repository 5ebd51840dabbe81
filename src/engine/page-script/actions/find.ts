import { type FieldProperties, isDocument, labelElements } from '../dom/kinds.ts'
import { clean, textOf } from '../dom/text.ts'
import { frameDocument } from '../dom/tree.ts'
import { textSight } from '../dom/sight.ts'
import { isShown } from '../dom/visibility.ts'
import { groupLines, type Item } from '../snapshot/nodes.ts'
import { documentFacts } from '../snapshot/read.ts'
import { cellsOf } from '../snapshot/tables.ts'
import type { HiddenText } from '../snapshot/texts.ts'
import type { Outline, PageNode } from '../snapshot/types.ts'
import { everywhere } from '../snapshot/view.ts'
import { type Budget, contentNodes, walk } from '../snapshot/walk.ts'

const titleSelector = 'h1,h2,h3,h4,[role=heading]'
const maxBlocks = 500
const maxRowText = 600

/** Where a text is on the page, each place with the heading above it. Whole phrases come first, then all words in any order. */
export function findText(text: string, most: number, hidden: HiddenText = 'left out'): Outline {
  const { blocks, match } = blocksWithText(clean(text).toLowerCase(), hidden)
  const titles = Array.from(document.querySelectorAll(titleSelector))
  const shown = blocks.filter((each) => hidden === 'marked' || isShown(each))
  return {
    ...documentFacts(),
    nodes: shown.slice(0, most).map((block) => placeNode(block, titles, match, hidden)),
    modal: false,
    screens: { above: 0, below: 0 },
    headings: { above: [], below: [] },
    controls: 0,
    isCut: false,
    found: shown.length,
  }
}

function placeNode(block: Element, titles: readonly Element[], sought: string, hidden: HiddenText): PageNode {
  const budget = (): Budget => ({ inView: 200, above: 0, below: 0, beside: 0, left: 400, sought, hidden })
  const items: Item[] = []
  const isRow = block.matches('tr,[role=row]') && block.closest('table,[role=grid],[role=table]') !== null
  if (isRow) items.push({ role: 'row', cells: cellsOf(block).map((cell) => contentNodes(cell, everywhere, budget())) })
  else for (const each of [block, ...underTitle(block)]) walk(each, items, everywhere, budget())
  const children = groupLines(items).slice(0, 6)
  return { role: 'place', name: titleBefore(block, titles), children, note: distanceTo(block) }
}

/** The text of the last of the titles before an element. */
function titleBefore(element: Element, titles: readonly Element[]): string {
  let [low, high] = [0, titles.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const isBefore = titles[middle]!.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
    if (isBefore) low = middle + 1
    else high = middle
  }
  const title = titles[low - 1]
  return title ? textOf(title, 60) : ''
}

function distanceTo(element: Element): string {
  const { top, bottom } = element.getBoundingClientRect()
  if (top >= innerHeight) return `${(top / innerHeight).toFixed(1)} screens below`
  return bottom > 0 ? '' : `${(-bottom / innerHeight).toFixed(1)} screens above`
}

/** Who looks for a heading looks for what comes under it: the next two elements. */
function underTitle(element: Element): Element[] {
  const title = element.closest(titleSelector)
  const under: Element[] = []
  let at = title && outerTitle(title).nextElementSibling
  for (; at && under.length < 2 && !at.matches(titleSelector); at = at.nextElementSibling) under.push(at)
  return under
}

/** A heading may be in a box of its own, beside a mark that links to it. */
function outerTitle(title: Element): Element {
  const markLength = 3
  const { parentElement: box } = title
  const isAlone = (box?.textContent ?? '').trim().length < (title.textContent ?? '').trim().length + markLength
  return box && isAlone && box !== document.body ? outerTitle(box) : title
}

/** Blocks of text that contain all words, and which of them to show. */
function blocksWithText(sought: string, hidden: HiddenText): { blocks: Element[]; match: string } {
  const words = sought.split(' ').toSorted((a, b) => b.length - a.length)
  const [longest = ''] = words
  const whole = blocksWith(sought, [sought], hidden)
  if (whole.length > 0) return { blocks: whole, match: sought }
  // The phrase may be spread over several elements, or its words over a block.
  const phrase = blocksWith(longest, [sought], hidden)
  return { blocks: phrase.length > 0 ? phrase : blocksWith(longest, words, hidden), match: longest }
}

function blocksWith(word: string, all: readonly string[], hidden: HiddenText): Element[] {
  const seen = new Set<Element>()
  const found: Element[] = []
  if (word === '') return found
  eachWithWord(document, word, (element) => {
    if (hidden === 'left out' && !isReadable(element)) return
    const block = found.length < maxBlocks ? blockOf(element) : element
    if (found.length >= maxBlocks || seen.has(block)) return
    seen.add(block)
    const text = searchText(block)
    if (all.every((each) => text.includes(each))) found.push(block)
  })
  return found
}

/** Fields and pictures are named by attributes, whatever their text. */
const isReadable = (element: Element) => withAttributes.test(element.localName) || textSight(element) === 'seen'

const mute = /^(?:script|style|noscript|option)$/
const withAttributes = /^(?:input|select|textarea|img|button|a)$/

function eachWithWord(root: Document | ShadowRoot, word: string, visit: (element: Element) => void): void {
  const walker = (isDocument(root) ? root : root.ownerDocument).createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { nodeValue, parentElement } = walker.currentNode
    if (!nodeValue?.toLowerCase().includes(word) || !parentElement) continue
    if (!mute.test(parentElement.localName)) visit(parentElement)
  }
  for (const each of root.querySelectorAll('*')) {
    if (each.shadowRoot) eachWithWord(each.shadowRoot, word, visit)
    const inner = frameDocument(each)
    if (inner) eachWithWord(inner, word, visit)
    else if (withAttributes.test(each.localName) && attributesText(each).includes(word)) visit(each)
  }
}

/** A row or an item tells more than the word in it. */
function blockOf(element: Element): Element {
  const whole = element.closest('tr,[role=row]') ?? element.closest('a,button,li,summary,[role=option],[role=menuitem]')
  if (whole && (whole.textContent?.length ?? 0) < maxRowText) return whole
  const label = element.closest('label')
  if (label?.control) return label.control
  for (let at = element; ; at = at.parentElement)
    if (!at.parentElement || !getComputedStyle(at).display.startsWith('inline')) return at
}

function searchText(element: Element): string {
  const labels = labelElements(element).map(({ textContent }) => textContent)
  return `${clean(`${element.textContent ?? ''} ${labels.join(' ')}`).toLowerCase()} ${attributesText(element)}`
}

function attributesText(element: Element): string {
  const { value, type }: FieldProperties = element
  const attributes = ['aria-label', 'placeholder', 'alt', 'title'].map((name) => element.getAttribute(name) ?? '')
  const isOpen = typeof value === 'string' && type !== 'password' && element.localName !== 'button'
  return [...attributes, isOpen ? value : ''].join(' ').toLowerCase()
}
