import { type DomNode, type Element, isElement, nodeAfter } from '../dom/dom-tree.ts'
import { codesOf } from '../dom/text-codes.ts'
import { readText, type TextFacts } from './text-facts.ts'

/** Statistics of an element and its contents. Text is counted in characters, a run of white space as one. */
export class TextStats {
  text = 0
  linkText = 0
  /** Text in paragraphs of 80 characters and more, and the number of these paragraphs. */
  proseText = 0
  proses = 0
  h1 = 0
  /** Number of h1, h2 and h3 elements. */
  headings = 0
  images = 0
  pre = 0
  main = 0
  elements = 0
}

export type Measures = {
  of(element: Element): TextStats
  /** Removes an element from the tree and from the statistics of its ancestors. */
  remove(element: Element): void
}

/**
 * Measures the whole tree on first use; the tree must not change before that. Statistics are stored on the elements
 * themselves, because a map of them cost as much as measuring.
 */
export function measure(root: Element): Measures {
  let isMeasured = false
  return { of: statsOf, remove }

  function statsOf(element: Element): TextStats {
    if (!isMeasured) measureTree(root)
    isMeasured = true
    return (element.notes ??= new TextStats()) as TextStats
  }

  function remove(element: Element): void {
    const stats = statsOf(element)
    for (let up = element.parentNode; up?.notes; up = up.parentNode) addTo(up.notes as TextStats, stats, -1)
    element.remove()
  }
}

/** Adds up statistics from the leaves in one iterative walk; those of texts are stored on them for the blocks. */
function measureTree(root: Element): void {
  const open: TextStats[] = []
  const codes = codesOf(root.textContent)
  let start = 0
  let stats = begin(root)
  for (let at: DomNode | null = root.firstChild; at;) {
    if (isElement(at)) {
      open.push(stats)
      stats = begin(at)
    } else {
      const end = start + at.textContent.length
      const facts = readText(codes, start, end)
      at.notes = facts
      start = end
      stats.text += lengthOf(facts)
    }
    at = (isElement(at) && at.firstChild) || nodeAfter(at, root, leave)
  }
  count(root, stats)

  /** Adds an element that ends to its parent. */
  function leave(left: DomNode): void {
    if (!isElement(left)) return
    const outer = open.pop()!
    count(left, stats)
    addTo(outer, stats, 1)
    stats = outer
  }
}

const lengthOf = ({ characters, gaps, startsWithGap }: TextFacts) =>
  characters === 0 ? 0 : characters + gaps + (startsWithGap ? 1 : 0)

const begin = (element: Element): TextStats => (element.notes = new TextStats())

function count(element: Element, figure: TextStats): void {
  const name = element.localName
  figure.elements++
  if (name === 'a') figure.linkText = figure.text
  else if (name === 'p') {
    if (figure.text >= 80) {
      figure.proses++
      figure.proseText += figure.text
    }
  } else if (name === 'img') figure.images++
  else if (name === 'pre') figure.pre++
  // Form input is not text of the page.
  else if (name === 'select' || name === 'textarea') figure.text = 0
  else if (name === 'h1' || name === 'h2' || name === 'h3') {
    figure.headings++
    if (name === 'h1') figure.h1++
  } else if (name === 'main' || element.getAttribute('role') === 'main') figure.main++
}

/** Unrolled, because it runs for every element of every page. */
function addTo(sum: TextStats, part: TextStats, sign: 1 | -1): void {
  sum.text += sign * part.text
  sum.linkText += sign * part.linkText
  sum.proseText += sign * part.proseText
  sum.proses += sign * part.proses
  sum.h1 += sign * part.h1
  sum.headings += sign * part.headings
  sum.images += sign * part.images
  sum.pre += sign * part.pre
  sum.main += sign * part.main
  sum.elements += sign * part.elements
}
