import { type FieldProperties, isDocument, labelElements, labelled, frameDocument, shadowOf } from '../dom/tree.ts'
import { clean, textOf } from '../dom/element-text.ts'
import { textSight, isShown } from '../dom/sight.ts'
import { groupLines, type Item, cellsOf } from '../snapshot/outline-nodes.ts'
import { documentFacts } from '../snapshot/read-snapshot.ts'
import { type HiddenText, type Budget, contentNodes, everywhere, walk } from '../snapshot/walk-tree.ts'
import type { FoundAs, Outline, PageNode } from '../snapshot/page-outline.ts'

const titleSelector = 'h1,h2,h3,h4,[role=heading]'
const maxBlocks = 500
const maxRowText = 600

/** Finds a text and the heading above each match. Tries the kinds of matches in the order of `FoundAs`. */
export function findText(text: string, max: number, hidden: HiddenText = 'left out'): Outline {
  const { shown, match, foundAs } = shownMatches(text, hidden)
  const titles = Array.from(document.querySelectorAll(titleSelector))
  return {
    ...documentFacts(),
    nodes: shown.slice(0, max).map((block) => placeNode(block, titles, match, hidden)),
    modal: false,
    screens: { above: 0, below: 0 },
    headings: { above: [], below: [] },
    moved: [],
    controls: 0,
    isCut: false,
    found: shown.length,
    foundAs,
  }
}

/** Scrolls the first literal match of a text into the middle of the window. False if there is none. */
export function scrollToText(text: string): boolean {
  const { shown, foundAs } = shownMatches(text, 'left out')
  const [first] = foundAs === 'whole' || foundAs === 'within words' ? shown : []
  first?.scrollIntoView({ block: 'center', behavior: 'instant' })
  return first !== undefined
}

type Matches = { shown: readonly Element[]; match: string; foundAs: FoundAs }

function shownMatches(text: string, hidden: HiddenText): Matches {
  const none: Matches = { shown: [], match: '', foundAs: 'whole' }
  for (const { blocks, ...how } of searches(clean(text).toLowerCase(), hidden)) {
    const shown = blocks.filter((each) => hidden === 'marked' || isShown(each))
    if (shown.length > 0) return { ...how, shown }
  }
  return none
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

/** Returns up to two elements after the heading around an element, because a match in a heading includes them. */
function underTitle(element: Element): Element[] {
  const title = element.closest(titleSelector)
  const under: Element[] = []
  let at = title && outerTitle(title).nextElementSibling
  for (; at && under.length < 2 && !at.matches(titleSelector); at = at.nextElementSibling) under.push(at)
  return under
}

/** Returns the outermost element around a heading that contains nothing else, except a short link to the heading. */
function outerTitle(title: Element): Element {
  const markLength = 3
  const { parentElement: box } = title
  const isAlone = (box?.textContent ?? '').trim().length < (title.textContent ?? '').trim().length + markLength
  return box && isAlone && box !== document.body ? outerTitle(box) : title
}

type Search = { blocks: readonly Element[]; match: string; foundAs: FoundAs }

/** Yields the elements with a text, strict matches first; `match` is the part of a long text to show. */
function* searches(sought: string, hidden: HiddenText): Generator<Search> {
  const words = [...new Set(sought.split(' '))].toSorted((a, b) => b.length - a.length)
  const [longest = ''] = words
  // The phrase may be spread over several elements.
  const phrase = [...new Set([...blocksWith(sought, [sought], hidden), ...blocksWith(longest, [sought], hidden)])]
  const isWhole = wholeWords(sought)
  const [whole = [], inWords = []] = partition(phrase, (block) => isWhole(searchText(block)))
  const match = phrase.some((block) => (block.textContent ?? '').toLowerCase().includes(sought)) ? sought : longest
  yield { blocks: [...whole, ...inWords], match, foundAs: whole.length > 0 ? 'whole' : 'within words' }
  yield { blocks: blocksWith(longest, words, hidden), match: longest, foundAs: 'words apart' }
  if (words.length > 1) yield { blocks: blocksWithMost(words, hidden), match: longest, foundAs: 'some words' }
}

function partition(blocks: readonly Element[], belongs: (block: Element) => boolean): Element[][] {
  return [blocks.filter(belongs), blocks.filter((block) => !belongs(block))]
}

function wholeWords(sought: string): (text: string) => boolean {
  const plain = sought.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, 'u')
  return (text) => pattern.test(text)
}

const minWord = 3
const maxWords = 8

/** Returns the blocks with the most of the words as whole words, at least half of them. */
function blocksWithMost(words: readonly string[], hidden: HiddenText): Element[] {
  const significant = words.filter((word) => word.length >= minWord || /\d/.test(word)).slice(0, maxWords)
  const counts = new Map<Element, number>()
  for (const word of significant) {
    const isWhole = wholeWords(word)
    for (const block of blocksWith(word, [word], hidden))
      if (isWhole(searchText(block))) counts.set(block, (counts.get(block) ?? 0) + 1)
  }
  const best = Math.max(0, ...counts.values())
  if (best < Math.max(1, significant.length / 2)) return []
  return Array.from(counts).flatMap(([block, count]) => (count === best ? block : []))
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

/** Fields and pictures are named by attributes, regardless of their text. */
const isReadable = (element: Element) => withAttributes.test(element.localName) || textSight(element) === 'seen'

const unsearched = /^(?:script|style|noscript|option)$/
const withAttributes = /^(?:input|select|textarea|img|button|a|area)$/

function eachWithWord(root: Document | ShadowRoot, word: string, visit: (element: Element) => void): void {
  const walker = (isDocument(root) ? root : root.ownerDocument).createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { nodeValue, parentElement } = walker.currentNode
    if (!nodeValue?.toLowerCase().includes(word) || !parentElement) continue
    if (!unsearched.test(parentElement.localName)) visit(parentElement)
  }
  for (const each of root.querySelectorAll('*')) {
    const shadow = shadowOf(each)
    if (shadow) eachWithWord(shadow, word, visit)
    const inner = frameDocument(each)
    if (inner) eachWithWord(inner, word, visit)
    else if (withAttributes.test(each.localName) && attributesText(each).includes(word)) visit(each)
  }
}

/** Returns the row or item around a word, which is more useful than the word's own element. */
function blockOf(element: Element): Element {
  const whole = element.closest('tr,[role=row]') ?? element.closest('a,button,li,summary,[role=option],[role=menuitem]')
  if (whole && (whole.textContent?.length ?? 0) < maxRowText) return whole
  const label = element.closest('label')
  const field = label && labelled(label)
  if (field) return field
  for (let at = element; ; at = at.parentElement)
    if (!at.parentElement || !getComputedStyle(at).display.startsWith('inline')) return at
}

function searchText(element: Element): string {
  // In the text of a row, cells are not separated.
  const cells = element.matches('tr,[role=row]') ? cellsOf(element) : []
  const texts = [...(cells.length > 0 ? cells : [element]), ...labelElements(element)].map((each) => each.textContent)
  return `${clean(texts.join(' ')).toLowerCase()} ${attributesText(element)}`
}

function attributesText(element: Element): string {
  const { value, type }: FieldProperties = element
  const attributes = ['aria-label', 'placeholder', 'alt', 'title'].map((name) => element.getAttribute(name) ?? '')
  const isOpen = typeof value === 'string' && type !== 'password' && element.localName !== 'button'
  return [...attributes, isOpen ? value : ''].join(' ').toLowerCase()
}
