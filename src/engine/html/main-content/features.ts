import type { Element } from '../dom/dom-tree.ts'
import { type Block, type Box, endsSentence, isHeading, sectionsOf, sumBy } from './text-block.ts'
import type { Measures, PageKind, TextStats } from './measure.ts'

/** Page-level hints at where the main content may be. */
export type PageSigns = {
  kind: PageKind
  title: string
  description: string
  h1: Element | undefined
  /** Element marked as the main content. */
  root: Element
  posts: ReadonlySet<Element>
  host: string
}

/** `Math.log1p` of small counts, which takes much of the time of all features when it is computed. */
const logs = Float64Array.from({ length: 4096 }, (_, count) => Math.log1p(count))
const log = (count: number) => logs[count] ?? Math.log1p(count)
const flag = (test: boolean) => (test ? 1 : 0)
const share = (part: number, whole: number) => part / (whole || 1)
const isProse = ({ length, link, marks, commas }: Block) => length >= 80 && link < 0.3 * length && marks + commas > 0

/**
 * Computes the features of each block as numbers, independent of language: one row of `featureCount` after another. The
 * model is trained on this order; README.md describes how to retrain it.
 */
export function featuresOf(blocks: readonly Block[], measures: Measures, page: PageSigns): Float32Array {
  const body = bodyOf(blocks)
  const facts = factsOf(blocks)
  const common = commonOf(blocks, facts, measures, page, body)
  const addPlace = placeWriter(blocks, page)
  const addCentre = centreWriter(blocks)
  const rows = new Float32Array(blocks.length * featureCount)
  const total = measures.of(body).text || 1
  let at = 0
  const add: Add = (number) => {
    rows[at++] = number
  }
  blocks.forEach((block, i) => {
    addOwn(add, block)
    addPosition(add, blocks, i, facts)
    addBox(add, block.box, page)
    for (const up of [0, 1, 2, 4]) addAround(add, measures.of(boxAbove(block.box, up).element), total)
    for (const step of [-1, 1, -2, 2]) addNeighbour(add, blocks[i + step])
    addPlace(add, i)
    addRepeats(add, block, facts)
    addSaid(add, block, page)
    add(facts.before[i]!)
    add(facts.after[i]!)
    add(share(facts.proseBefore[i]!, facts.prose))
    for (const number of common) add(number)
    add(share(block.inner, block.links))
    add(share(block.outer, block.links))
    add(flag(block.digits > 3 && /\b(?:19|20)\d\d\b/.test(block.text)))
    add(flag(block.text.includes('©')))
    addCentre(add, block.box)
    add(flag(page.posts.size > 0))
  })
  return rows
}

export const featureCount = 114
/** Adds a number to the row. */
type Add = (number: number) => void

type Facts = ReturnType<typeof factsOf>

function factsOf(blocks: readonly Block[]) {
  const count = blocks.length
  const [starts, proseBefore] = [new Float64Array(count), new Float64Array(count)]
  const copies = new Map<number, number>()
  const sums = { text: 0, prose: 0, proses: 0, headings: 0, images: 0 }
  blocks.forEach((block, i) => {
    starts[i] = sums.text
    proseBefore[i] = sums.prose
    sums.text += block.length
    sums.images += block.images
    if (isHeading(block.tag)) sums.headings++
    if (isProse(block)) {
      sums.prose += block.length
      sums.proses++
    }
    copies.set(block.hash, (copies.get(block.hash) ?? 0) + 1)
  })
  const [before, after] = [new Int32Array(count), new Int32Array(count)]
  for (let i = 0, last = -60; i < count; i++) {
    before[i] = Math.min(50, i - last)
    if (isProse(blocks[i]!)) last = i
  }
  for (let i = count - 1, next = count + 60; i >= 0; i--) {
    after[i] = Math.min(50, next - i)
    if (isProse(blocks[i]!)) next = i
  }
  const groups = sumBy(blocks, ({ box }) => box.path)
  return { ...sums, starts, proseBefore, copies, before, after, groups }
}

function addOwn(add: Add, block: Block): void {
  const { tag, length } = block
  const size = length || 1
  add(log(length))
  add(block.link / size)
  add(Math.min(20, block.links))
  add(block.bold / size)
  add(block.control / size)
  add(block.marks / size)
  add(block.commas / size)
  add(flag(endsSentence(block)))
  add(block.capitals / size)
  add(block.digits / size)
  add(block.signs / size)
  add(length / (block.spaces + 1))
  add(Math.min(9, block.images))
  add(flag(tag === 'p'))
  add(flag(tag === 'li'))
  add(rankOf(block))
  add(flag(tag === 'table'))
  add(flag(tag === 'pre'))
  add(flag(tag === 'figure' || tag === 'figcaption'))
  add(flag(tag === 'dt' || tag === 'dd'))
  add(flag(tag === 'div'))
  add(flag(tag === 'td'))
}

const rankOf = ({ tag }: Block) => (isHeading(tag) ? Number(tag[1]) : 0)

function addPosition(add: Add, blocks: readonly Block[], i: number, { starts, text }: Facts): void {
  const all = text || 1
  const count = blocks.length
  const start = starts[i]!
  add(blocks[i]!.box.depth)
  add(i / count)
  add(start / all)
  add(log(i))
  add(log(count - i))
  add(log(all - start))
}

function addBox(add: Add, box: Box, page: PageSigns): void {
  add(box.main)
  add(box.article)
  add(box.nav)
  add(box.header)
  add(box.footer)
  add(box.aside)
  add(box.form)
  add(box.list)
  add(box.table)
  add(box.section)
  add(box.quote)
  add(box.overlay)
  add(flag(page.root.contains(box.element)))
  for (const worth of box.names) add(worth)
}

function boxAbove(box: Box, levels: number): Box {
  let at = box
  for (let k = 0; k < levels && at.up; k++) at = at.up
  return at
}

/** Adds the shares of a box. */
function addAround(add: Add, { text, linkText, proseText, elements, images }: TextStats, total: number): void {
  add(text / total)
  add(share(linkText, text))
  add(share(proseText, text))
  add(log(elements))
  add(share(images, elements))
}

function addNeighbour(add: Add, block: Block | undefined): void {
  add(block ? log(block.length) : -1)
  add(block ? share(block.link, block.length) : -1)
}

/** Adds the features of a block's section and its distance from the title. */
function placeWriter(blocks: readonly Block[], page: PageSigns): (add: Add, i: number) => void {
  const sections = sectionsOf(blocks)
  const parts = sumBy(blocks, (_, i) => sections[i]!, isProse)
  const { h1 } = page
  const at = h1 ? blocks.findIndex(({ box }) => h1.contains(box.element)) : -1
  const isDeclared = at >= 0 && blocks[at]!.box.main + blocks[at]!.box.article > 0
  return (add, i) => {
    const section = sections[i]!
    const part = parts.get(section)!
    const rank = section < 0 ? 0 : rankOf(blocks[section]!)
    add(i - section)
    add(rank)
    add(log(part.length))
    add(share(part.link, part.length))
    add(share(part.chosen, part.length))
    add(log(part.count))
    add(at < 0 ? -300 : Math.max(-200, Math.min(200, i - at)))
    add(flag(isDeclared))
  }
}

function addRepeats(add: Add, block: Block, { groups, copies }: Facts): void {
  const group = groups.get(block.box.path)!
  add(log(group.count))
  add(group.length / group.count)
  add(share(group.link, group.length))
  add(copies.get(block.hash)!)
}

function addSaid(add: Add, { text }: Block, { title, description }: PageSigns): void {
  const low = text.toLowerCase()
  const isSaid = low.length > 20 && description.includes(low.slice(0, 60))
  const says = low.length > 20 && description.length > 40 && low.includes(description.slice(0, 40))
  add(flag(low.length > 8 && title.includes(low)))
  add(flag(isSaid || says))
}

function commonOf(
  blocks: readonly Block[],
  facts: Facts,
  measures: Measures,
  { kind, root }: PageSigns,
  body: Element,
): number[] {
  const count = blocks.length
  const { text, linkText, proseText } = measures.of(body)
  const total = text || 1
  return [
    flag(kind.forum),
    flag(kind.article),
    flag(kind.articleData),
    flag(kind.isDeclared),
    flag(kind.product),
    log(total),
    linkText / total,
    proseText / total,
    log(count),
    log(facts.proses),
    share(facts.prose, facts.text),
    facts.headings / count,
    facts.images / count,
    measures.of(root).text / total,
    flag(root.localName !== 'body'),
  ]
}

/**
 * Adds the distance of a box from the box around most of the prose: levels to their nearest common box, from both
 * sides.
 */
function centreWriter(blocks: readonly Block[]): (add: Add, own: Box) => void {
  const scores = new Map<Box, number>()
  let best: Box | undefined
  for (const block of blocks) {
    if (!isProse(block)) continue
    let box = block.box.up
    for (let k = 1; box && k <= 3; k++, box = box.up) {
      const score = (scores.get(box) ?? 0) + (block.length - block.link) / k
      scores.set(box, score)
      if (!best || score > scores.get(best)!) best = box
    }
  }
  const levels = new Map<Box, number>()
  for (let box = best, k = 0; box; box = box.up, k++) levels.set(box, k)
  return (add, own) => {
    let steps = 0
    let box: Box | undefined = best && own
    for (; box && !levels.has(box); box = box.up) steps++
    add(box ? levels.get(box)! : -1)
    add(box ? steps : -1)
    add(box ? (scores.get(own.up ?? own) ?? 0) / scores.get(best!)! : -1)
  }
}

function bodyOf(blocks: readonly Block[]): Element {
  let { box } = blocks[0]!
  while (box.up) box = box.up
  return box.element
}
