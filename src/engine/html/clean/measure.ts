import { type DomNode, type Element, isElement, isText, nodeAfter } from '../dom.ts'

/** What is inside an element, itself included. Text is counted in characters, a run of white space as one. */
export type Measure = {
  text: number
  linkText: number
  links: number
  /** Elements named p. */
  paragraphs: number
  /** Text in paragraphs of 80 characters and more, and how many there are. */
  proseText: number
  proses: number
  h1: number
  /** h1 to h3. */
  headings: number
  images: number
  pre: number
  main: number
  elements: number
}

export type Measures = {
  /** How many nodes of any kind the tree had when it was measured. */
  readonly nodes: number
  of(element: Element): Measure
  /** Takes an element out of the tree and out of the figures of its ancestors. */
  remove(element: Element): void
  /** Puts a removed element back. */
  restore(element: Element, parent: Element, before: DomNode | null): void
}

const nothing: Readonly<Measure> = {
  text: 0,
  linkText: 0,
  links: 0,
  paragraphs: 0,
  proseText: 0,
  proses: 0,
  h1: 0,
  headings: 0,
  images: 0,
  pre: 0,
  main: 0,
  elements: 0,
}

/** Measures a whole tree in one walk, from the leaves up. */
export function measure(root: Element): Measures {
  const figures = new Map<DomNode, Measure>()
  const open = (element: Element) => figures.set(element, { ...nothing })
  let nodes = 0
  open(root)
  for (let at: DomNode | null = root.firstChild; at;) {
    nodes++
    if (isElement(at)) open(at)
    else if (isText(at)) figureOf(at.parentNode as Element).text += textLength(at.textContent)
    const inner: DomNode | null = isElement(at) ? at.firstChild : null
    const next: DomNode | null = inner ?? nodeAfter(at, root)
    if (!inner) closeUpTo(at, next)
    at = next
  }
  count(root, figureOf(root))
  return { nodes, of: figureOf, remove, restore }

  function figureOf(element: Element): Measure {
    let figure = figures.get(element)
    if (!figure) figures.set(element, (figure = { ...nothing }))
    return figure
  }

  /** Every element that ends between two nodes of the walk is added to its parent. */
  function closeUpTo(last: DomNode, next: DomNode | null): void {
    const stop = next?.parentNode ?? root
    for (let up: DomNode | null = last; up && up !== stop && up !== root; up = up.parentNode)
      if (isElement(up)) {
        const figure = figureOf(up)
        count(up, figure)
        addTo(figureOf(up.parentNode as Element), figure, 1)
      }
  }

  function remove(element: Element): void {
    const figure = figureOf(element)
    for (let up = element.parentNode; up && figures.has(up); up = up.parentNode) addTo(figureOf(up), figure, -1)
    element.remove()
  }

  function restore(element: Element, parent: Element, before: DomNode | null): void {
    parent.insertBefore(element, before)
    const figure = figureOf(element)
    for (let up: Element | null = parent; up && figures.has(up); up = up.parentNode) addTo(figureOf(up), figure, 1)
  }
}

function count(element: Element, figure: Measure): void {
  const name = element.localName
  figure.elements++
  if (name === 'a') {
    figure.links++
    figure.linkText = figure.text
  } else if (name === 'p') {
    figure.paragraphs++
    if (figure.text >= 80) {
      figure.proses++
      figure.proseText += figure.text
    }
  } else if (name === 'img') figure.images++
  else if (name === 'pre') figure.pre++
  else if (name === 'h1' || name === 'h2' || name === 'h3') {
    figure.headings++
    if (name === 'h1') figure.h1++
  } else if (name === 'main' || element.getAttribute('role') === 'main') figure.main++
}

/** Written out, because this runs for every element of every page. */
function addTo(sum: Measure, part: Measure, sign: 1 | -1): void {
  sum.text += sign * part.text
  sum.linkText += sign * part.linkText
  sum.links += sign * part.links
  sum.paragraphs += sign * part.paragraphs
  sum.proseText += sign * part.proseText
  sum.proses += sign * part.proses
  sum.h1 += sign * part.h1
  sum.headings += sign * part.headings
  sum.images += sign * part.images
  sum.pre += sign * part.pre
  sum.main += sign * part.main
  sum.elements += sign * part.elements
}

function textLength(text: string): number {
  let length = 0
  let gap = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 32 || code === 160) gap = true
    else {
      length += gap ? 2 : 1
      gap = false
    }
  }
  return length
}
