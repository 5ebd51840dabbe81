import type { Element } from '../dom/dom-tree.ts'
import { type Block, type Box, endsWithColon, isHeading, isItem, sectionsOf } from './text-block.ts'

/** Input for the decision: the blocks of a page before any is dropped. */
export type Evidence = {
  blocks: readonly Block[]
  chances: Float32Array
  /** Title and posts of a discussion, which stay regardless of their chances. */
  certain: ReadonlySet<Element>
  /** True for pages that are neither article nor discussion; their declared content contains little else. */
  isReference: boolean
}

/**
 * Decides which blocks stay: those above the threshold, then neighbours by structure. Lists and table rows stay or go
 * as a whole, nothing is removed between two kept paragraphs, and headings stay with their sections.
 */
export function decide(evidence: Evidence, threshold: number): Uint8Array {
  const { blocks } = evidence
  const keep = keptByChance(evidence, threshold)
  keepBetween(blocks, keep)
  keepAfterColon(blocks, keep)
  keepRows(blocks, keep)
  keepHeadings(blocks, keep)
  keepPictures(blocks, keep)
  return keep
}

/** Returns the list of a block that is a list item. */
const listOf = ({ tag, box }: Block) => (isItem(tag) ? box.up?.element : undefined)

function keptByChance({ blocks, chances, certain, isReference }: Evidence, threshold: number): Uint8Array {
  const lists = new Map<Element, { sum: number; weight: number }>()
  const around = new Map<Box, Element | undefined>()
  const declared = isReference ? declaredContent(blocks, chances, around) : undefined
  // Blocks before the title are usually a breadcrumb or a menu.
  const title = blocks.findIndex(({ tag, box }) => tag === 'h1' && certain.has(box.element))
  blocks.forEach((block, i) => {
    const list = listOf(block)
    if (!list) return
    const mean = lists.get(list) ?? { sum: 0, weight: 0 }
    const weight = block.length + 15
    mean.sum += weight * chances[i]!
    mean.weight += weight
    lists.set(list, mean)
  })
  return Uint8Array.from(blocks, (block, i) => {
    if (certain.size > 0 && someBox(block.box, ({ element }) => certain.has(element))) return 1
    const list = lists.get(listOf(block)!)
    const isDeclared = declared !== undefined && i > title && declaredAround(block.box, around) === declared
    const least = isDeclared ? Math.min(threshold, leastWithin) : threshold
    return block.length > 0 && (list ? list.sum / list.weight : chances[i]!) >= least ? 1 : 0
  })
}

function someBox(box: Box, passes: (box: Box) => boolean, limit = Infinity): boolean {
  let at: Box | undefined = box
  for (let k = 0; at && k < limit; k++, at = at.up) if (passes(at)) return true
  return false
}

const minParagraph = 60
/** Blocks with a larger share of link text do not stay by chance alone. */
const maxLinks = 0.6
const mayStay = ({ length, link, tag }: Block) => length > 0 && (link < maxLinks * length || isHeading(tag))

/** Keeps everything between two kept paragraphs of one box. */
function keepBetween(blocks: readonly Block[], keep: Uint8Array): void {
  const last = new Map<Element, number>()
  blocks.forEach((block, i) => {
    if (!keep[i] || !isParagraph(block)) return
    const parent = (listOf(block) ? block.box.up?.up : block.box.up)?.element
    if (!parent) return
    for (let j = (last.get(parent) ?? i) + 1; j < i; j++)
      if (mayStay(blocks[j]!) && standsIn(blocks[j]!.box, parent)) keep[j] = 1
    last.set(parent, i)
  })
}

/** True if a box is within a few levels of `parent` with no menu, form or footer between. */
function standsIn(box: Box, parent: Element): boolean {
  let at: Box | undefined = box
  for (let k = 0; at && k < 4; k++, at = at.up) {
    if (at.element === parent) return true
    if (/^(?:nav|footer|form|dialog)$/.test(at.element.localName)) return false
  }
  return false
}

function isParagraph({ tag, length, link }: Block): boolean {
  return /^(?:p|pre|li|table)$/.test(tag) && length >= minParagraph && link < 0.5 * length
}

/**
 * Inside the page's declared main content, a block is dropped only below `leastWithin`, if at least `leastDeclared` of
 * that content is likely to be content.
 */
const leastWithin = 0.12
const leastDeclared = 0.7

/** Returns the page's declared main content if it likely contains little else. */
function declaredContent(
  blocks: readonly Block[],
  chances: Float32Array,
  around: Map<Box, Element | undefined>,
): Element | undefined {
  const places = new Map<Element, { length: number; likely: number }>()
  blocks.forEach(({ box, length }, i) => {
    const place = declaredAround(box, around)
    if (!place) return
    const sum = places.get(place) ?? { length: 0, likely: 0 }
    sum.length += length
    sum.likely += length * chances[i]!
    places.set(place, sum)
  })
  const [best] = [...places].sort(([, one], [, other]) => other.length - one.length)
  return best && best[1].likely >= leastDeclared * best[1].length ? best[0] : undefined
}

/** Returns the nearest main or article around a box unless a menu, footer or aside is between; cached per box. */
function declaredAround(box: Box | undefined, known: Map<Box, Element | undefined>): Element | undefined {
  if (!box || known.has(box)) return box && known.get(box)
  const { element, up } = box
  const isDeclared = /^(?:main|article)$/.test(element.localName) || element.getAttribute('role') === 'main'
  const isApart = /^(?:nav|footer|aside|form|dialog)$/.test(element.localName)
  const found = isDeclared ? element : isApart ? undefined : declaredAround(up, known)
  known.set(box, found)
  return found
}

/** Keeps a list with the line ending in a colon that introduces it. */
function keepAfterColon(blocks: readonly Block[], keep: Uint8Array): void {
  for (let i = 1; i < blocks.length; i++) {
    const before = blocks[i - 1]!
    const list = listOf(blocks[i]!)
    if (keep[i] || !list || !keep[i - 1] || listOf(before) === list || !endsWithColon(before)) continue
    if (list.parentNode !== before.box.up?.element && list.parentNode !== before.box.element) continue
    for (let j = i; j < blocks.length && list.contains(blocks[j]!.box.element); j++) keep[j] = 1
  }
}

/** Returns the table row of a cell if the row is written as one. */
function rowOf({ box, tag }: Block): Element | undefined {
  if (box.table === 0 || tag === 'table') return undefined
  let at: Box | undefined = box
  while (at && at.element.localName !== 'tr') at = at.up
  return at?.isRow ? at.element : undefined
}

/** Keeps the cells of a row together. */
function keepRows(blocks: readonly Block[], keep: Uint8Array): void {
  const kept = new Set<Element>()
  blocks.forEach((block, i) => {
    const row = keep[i] ? rowOf(block) : undefined
    if (row) kept.add(row)
  })
  if (kept.size > 0)
    blocks.forEach((block, i) => {
      const row = rowOf(block)
      if (row && kept.has(row)) keep[i] = 1
    })
}

/** Keeps headings of sections that stay. */
function keepHeadings(blocks: readonly Block[], keep: Uint8Array): void {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const heading = blocks[i]!
    if (keep[i] || !isHeading(heading.tag)) continue
    for (let j = i + 1; j < Math.min(blocks.length, i + maxSection); j++) {
      const block = blocks[j]!
      if (isHeading(block.tag) && block.tag <= heading.tag) break
      if (!keep[j] || !isInSection(heading, block)) continue
      keep[i] = 1
      break
    }
  }
}

/** Maximum number of blocks to check after a heading. */
const maxSection = 500

/** True if a block follows a heading in its box, or in the boxes around the one that the heading titles. */
function isInSection(heading: Block, other: Block): boolean {
  return (
    heading.box.up !== undefined && someBox(heading.box.up, ({ element }) => element.contains(other.box.element), 3)
  )
}

/** Keeps pictures whose surrounding text stays. */
function keepPictures(blocks: readonly Block[], keep: Uint8Array): void {
  blocks.forEach((block, i) => {
    if (block.length > 0) return
    someBox(block.box, ({ element }) => {
      const around = textAround(element, i)
      if (around.text > 0) keep[i] = around.kept >= 0.5 * around.text ? 1 : 0
      return around.text > 0
    })
  })

  function textAround(element: Element, from: number): { text: number; kept: number } {
    const sum = { text: 0, kept: 0 }
    const add = (j: number) => {
      const block = blocks[j]
      if (!block || !element.contains(block.box.element)) return false
      sum.text += block.length
      if (keep[j]) sum.kept += block.length
      return true
    }
    for (let j = from; from - j < maxNear && add(j); j--);
    for (let j = from + 1; j - from < maxNear && add(j); j++);
    return sum
  }
}

const maxNear = 200

/** Estimates the best expected F1; half of it is the optimal threshold (Lipton, Elkan and Naryanaswamy, 2014). */
export function likelyShare(blocks: readonly Block[], chances: Float32Array): number {
  const order = blocks.map((_, i) => i).sort((one, other) => chances[other]! - chances[one]!)
  const whole = blocks.reduce((sum, { length }, i) => sum + length * chances[i]!, 0) || 1
  let kept = 0
  let right = 0
  let best = 0
  for (const i of order) {
    kept += blocks[i]!.length
    right += blocks[i]!.length * chances[i]!
    best = Math.max(best, (2 * right) / (kept + whole))
  }
  return best
}

/** Weight of the section's mean in the chance of a block. */
const sectionShare = 0.2

/** Mixes the chance of each block with the mean of its section, so sections tend to stay or go as a whole. */
export function withSections(blocks: readonly Block[], chances: Float32Array): Float32Array {
  const sections = sectionsOf(blocks)
  const sums = new Float64Array(blocks.length + 1)
  const weights = new Float64Array(blocks.length + 1)
  blocks.forEach(({ length }, i) => {
    const weight = Math.min(length, 1000) + 15
    sums[sections[i]! + 1]! += weight * chances[i]!
    weights[sections[i]! + 1]! += weight
  })
  const meanOf = (i: number) => sums[sections[i]! + 1]! / weights[sections[i]! + 1]!
  return chances.map((own, i) => (1 - sectionShare) * own + sectionShare * meanOf(i))
}
