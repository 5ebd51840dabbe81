import type { Element } from '../dom/dom-tree.ts'
import { type Block, type Box, endsSentence, isHeading, sectionsOf, sumBy } from './text-block.ts'
import type { Measures, PageKind } from './measure.ts'

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
 * Computes the features of each block as numbers, independent of language. The model is trained on this order;
 * README.md describes how to retrain it.
 */
export function featuresOf(blocks: readonly Block[], measures: Measures, page: PageSigns): Float32Array[] {
  const body = bodyOf(blocks)
  const facts = factsOf(blocks)
  const common = commonOf(blocks, facts, measures, page, body)
  const places = placesOf(blocks, page)
  const aroundOf = boxReader(measures, measures.of(body).text || 1)
  const centre = centreOf(blocks)
  const sizes = blocks.map(({ length, link }) => [log(length), share(link, length)] as const)
  return blocks.map((block, i) => {
    const row = new Float32Array(featureCount)
    let at = 0
    // Setting so few numbers by the method of the array takes longer.
    const add = (numbers: readonly number[]) => {
      for (let k = 0; k < numbers.length; k++) row[at++] = numbers[k]!
    }
    add(ownOf(block))
    add(placeOf(blocks, i, facts))
    add(boxFeatures(block.box, page))
    for (const up of [0, 1, 2, 4]) add(aroundOf(block.box, up))
    for (const step of [-1, 1, -2, 2]) add(sizes[i + step] ?? noBlock)
    add(places(i))
    add(repeatsOf(block, facts))
    add(saidOf(block, page))
    add([facts.before[i]!, facts.after[i]!, share(facts.proseBefore[i]!, facts.prose)])
    add(common)
    add([share(block.inner, block.links), share(block.outer, block.links)])
    add([flag(block.digits > 3 && /\b(?:19|20)\d\d\b/.test(block.text)), flag(block.text.includes('©'))])
    add(centre(block.box))
    add([flag(page.posts.size > 0)])
    return row
  })
}

const featureCount = 114
/** Size and share of links where no block is. */
const noBlock = [-1, -1]

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

function ownOf(block: Block): number[] {
  const { tag, length } = block
  const size = length || 1
  return [
    log(length),
    block.link / size,
    Math.min(20, block.links),
    block.bold / size,
    block.control / size,
    block.marks / size,
    block.commas / size,
    flag(endsSentence(block)),
    block.capitals / size,
    block.digits / size,
    block.signs / size,
    length / (block.spaces + 1),
    Math.min(9, block.images),
    flag(tag === 'p'),
    flag(tag === 'li'),
    rankOf(block),
    flag(tag === 'table'),
    flag(tag === 'pre'),
    flag(tag === 'figure' || tag === 'figcaption'),
    flag(tag === 'dt' || tag === 'dd'),
    flag(tag === 'div'),
    flag(tag === 'td'),
  ]
}

const rankOf = ({ tag }: Block) => (isHeading(tag) ? Number(tag[1]) : 0)

function placeOf(blocks: readonly Block[], i: number, { starts, text }: Facts): number[] {
  const all = text || 1
  const count = blocks.length
  const start = starts[i]!
  return [blocks[i]!.box.depth, i / count, start / all, log(i), log(count - i), log(all - start)]
}

function boxFeatures(box: Box, page: PageSigns): number[] {
  return [
    box.main,
    box.article,
    box.nav,
    box.header,
    box.footer,
    box.aside,
    box.form,
    box.list,
    box.table,
    box.section,
    box.quote,
    box.overlay,
    flag(page.root.contains(box.element)),
    ...box.names,
  ]
}

/** Returns the shares of the box some levels up, cached per box. */
function boxReader(measures: Measures, total: number): (box: Box, levels: number) => readonly number[] {
  const known = new Map<Box, readonly number[]>()
  return (box, levels) => {
    let at = box
    for (let k = 0; k < levels && at.up; k++) at = at.up
    const found = known.get(at)
    if (found) return found
    const { text, linkText, proseText, elements, images } = measures.of(at.element)
    const shares = [text / total, share(linkText, text), share(proseText, text), log(elements), share(images, elements)]
    known.set(at, shares)
    return shares
  }
}

/** Returns the features of a block's section and its distance from the title. */
function placesOf(blocks: readonly Block[], page: PageSigns): (i: number) => number[] {
  const sections = sectionsOf(blocks)
  const parts = sumBy(blocks, (_, i) => sections[i]!, isProse)
  const { h1 } = page
  const at = h1 ? blocks.findIndex(({ box }) => h1.contains(box.element)) : -1
  const isDeclared = at >= 0 && blocks[at]!.box.main + blocks[at]!.box.article > 0
  return (i) => {
    const section = sections[i]!
    const part = parts.get(section)!
    const rank = section < 0 ? 0 : rankOf(blocks[section]!)
    return [
      i - section,
      rank,
      log(part.length),
      share(part.link, part.length),
      share(part.chosen, part.length),
      log(part.count),
      at < 0 ? -300 : Math.max(-200, Math.min(200, i - at)),
      flag(isDeclared),
    ]
  }
}

function repeatsOf(block: Block, { groups, copies }: Facts): number[] {
  const group = groups.get(block.box.path)!
  return [log(group.count), group.length / group.count, share(group.link, group.length), copies.get(block.hash)!]
}

function saidOf({ text }: Block, { title, description }: PageSigns): number[] {
  const low = text.toLowerCase()
  const isSaid = low.length > 20 && description.includes(low.slice(0, 60))
  const says = low.length > 20 && description.length > 40 && low.includes(description.slice(0, 40))
  return [flag(low.length > 8 && title.includes(low)), flag(isSaid || says)]
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
 * Returns the distance of a box from the box around most of the prose: levels to their nearest common box, from both
 * sides.
 */
function centreOf(blocks: readonly Block[]): (box: Box) => [number, number, number] {
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
  return (own) => {
    let steps = 0
    for (let box: Box | undefined = best && own; box; box = box.up, steps++) {
      const level = levels.get(box)
      if (level !== undefined) return [level, steps, (scores.get(own.up ?? own) ?? 0) / scores.get(best!)!]
    }
    return [-1, -1, -1]
  }
}

function bodyOf(blocks: readonly Block[]): Element {
  let { box } = blocks[0]!
  while (box.up) box = box.up
  return box.element
}
