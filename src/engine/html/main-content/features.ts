import type { Element } from '../dom/dom-tree.ts'
import { type Block, type Box, isHeading, sectionsOf } from './text-block.ts'
import type { Measures, TextStats } from './measure.ts'
import type { PageKind } from './page-kind.ts'

/** Facts about a page that suggest where its main content is. */
export type PageSigns = {
  kind: PageKind
  title: string
  description: string
  h1: Element | undefined
  body: Element
  /** Element marked as the main content. */
  root: Element
  posts: ReadonlySet<Element>
  host: string
}

/** `Math.log1p` of small counts; computing them each time took much of the time of all features. */
const logs = Float64Array.from({ length: 4096 }, (_, count) => Math.log1p(count))
const log = (count: number) => logs[count] ?? Math.log1p(count)
const flag = (test: boolean) => (test ? 1 : 0)
const share = (part: number, whole: number) => part / (whole || 1)
const sentenceEnds = new Set([...'.!?"”。:…'].map((each) => each.charCodeAt(0)))
const isProse = ({ length, link, marks, commas }: Block) => length >= 80 && link < 0.3 * length && marks + commas > 0

/**
 * Computes the features of each block as numbers, independent of language: one row of `featureCount` after another. The
 * model is trained on this order; `bench/content/train/README.md` describes how to retrain it.
 */
export function featuresOf(blocks: readonly Block[], measures: Measures, page: PageSigns): Float32Array {
  const facts = factsOf(blocks)
  const common = Float32Array.from(commonOf(blocks, facts, measures, page))
  const places = placesOf(blocks, page)
  const best = findCentre(blocks)
  const rows = new Float32Array(blocks.length * featureCount)
  const total = measures.of(page.body).text || 1
  let at = 0
  blocks.forEach((block, i) => {
    const { box } = block
    at = addOwn(rows, at, block)
    at = addPosition(rows, at, blocks, i, facts)
    at = addBox(rows, at, box, page)
    for (let up = box, level = 0; level <= 4; up = up.up ?? up, level++)
      if (level !== 3) at = addAround(rows, at, measures.of(up.element), total)
    for (const step of neighbours) at = addNeighbour(rows, at, blocks[i + step])
    at = addPlace(rows, at, i, places)
    at = addRepeats(rows, at, block, facts)
    at = addMentions(rows, at, block, page)
    rows[at++] = facts.before[i]!
    rows[at++] = facts.after[i]!
    rows[at++] = share(facts.proseBefore[i]!, facts.prose)
    rows.set(common, at)
    at += common.length
    rows[at++] = share(block.inner, block.links)
    rows[at++] = share(block.outer, block.links)
    rows[at++] = flag(block.digits > 3 && /\b(?:19|20)\d\d\b/.test(block.text))
    rows[at++] = flag(block.text.includes('©'))
    at = addCentre(rows, at, box, best)
    rows[at++] = flag(page.posts.size > 0)
  })
  return rows
}

export const featureCount = 114
/** Rows of features. Each `add…` function writes from index `at` on, and returns the index after its last feature. */
type Rows = Float32Array
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

type Sum = { count: number; length: number; link: number; chosen: number }

/** Sums up blocks by a key; `chosen` is the length of those that pass. */
function sumBy<Key>(
  blocks: readonly Block[],
  keyOf: (block: Block, i: number) => Key,
  passes: (block: Block) => boolean = () => false,
): Map<Key, Sum> {
  const sums = new Map<Key, Sum>()
  blocks.forEach((block, i) => {
    const key = keyOf(block, i)
    let sum = sums.get(key)
    if (!sum) sums.set(key, (sum = { count: 0, length: 0, link: 0, chosen: 0 }))
    sum.count++
    sum.length += block.length
    sum.link += block.link
    if (passes(block)) sum.chosen += block.length
  })
  return sums
}

function addOwn(rows: Rows, at: number, block: Block): number {
  const { tag, length } = block
  const size = length || 1
  rows[at++] = log(length)
  rows[at++] = block.link / size
  rows[at++] = Math.min(20, block.links)
  rows[at++] = block.bold / size
  rows[at++] = block.control / size
  rows[at++] = block.marks / size
  rows[at++] = block.commas / size
  rows[at++] = flag(sentenceEnds.has(block.last))
  rows[at++] = block.capitals / size
  rows[at++] = block.digits / size
  rows[at++] = block.signs / size
  rows[at++] = length / (block.spaces + 1)
  rows[at++] = Math.min(9, block.images)
  rows[at++] = flag(tag === 'p')
  rows[at++] = flag(tag === 'li')
  rows[at++] = rankOf(block)
  rows[at++] = flag(tag === 'table')
  rows[at++] = flag(tag === 'pre')
  rows[at++] = flag(tag === 'figure' || tag === 'figcaption')
  rows[at++] = flag(tag === 'dt' || tag === 'dd')
  rows[at++] = flag(tag === 'div')
  rows[at++] = flag(tag === 'td')
  return at
}

const rankOf = ({ tag }: Block) => (isHeading(tag) ? Number(tag[1]) : 0)

function addPosition(rows: Rows, at: number, blocks: readonly Block[], i: number, facts: Facts): number {
  const { starts, text } = facts
  const all = text || 1
  const count = blocks.length
  const start = starts[i]!
  rows[at++] = blocks[i]!.box.depth
  rows[at++] = i / count
  rows[at++] = start / all
  rows[at++] = log(i)
  rows[at++] = log(count - i)
  rows[at++] = log(all - start)
  return at
}

function addBox(rows: Rows, at: number, box: Box, page: PageSigns): number {
  const { kinds } = box
  rows[at++] = kinds.main
  rows[at++] = kinds.article
  rows[at++] = kinds.nav
  rows[at++] = kinds.header
  rows[at++] = kinds.footer
  rows[at++] = kinds.aside
  rows[at++] = kinds.form
  rows[at++] = kinds.list
  rows[at++] = kinds.table
  rows[at++] = kinds.section
  rows[at++] = kinds.quote
  rows[at++] = kinds.overlay
  rows[at++] = flag(page.root.contains(box.element))
  for (const worth of box.names) rows[at++] = worth
  return at
}

/** Adds the shares of link text, prose and images in a box. */
function addAround(rows: Rows, at: number, around: TextStats, total: number): number {
  const { text, linkText, proseText, elements, images } = around
  rows[at++] = text / total
  rows[at++] = share(linkText, text)
  rows[at++] = share(proseText, text)
  rows[at++] = log(elements)
  rows[at++] = share(images, elements)
  return at
}

const neighbours = [-1, 1, -2, 2]

function addNeighbour(rows: Rows, at: number, block: Block | undefined): number {
  rows[at++] = block ? log(block.length) : -1
  rows[at++] = block ? share(block.link, block.length) : -1
  return at
}

type Places = ReturnType<typeof placesOf>

/** Finds the sections of blocks, and the title. */
function placesOf(blocks: readonly Block[], { h1 }: PageSigns) {
  const sections = sectionsOf(blocks)
  const ranks = sections.map((section) => (section < 0 ? 0 : rankOf(blocks[section]!)))
  const parts = sumBy(blocks, (_, i) => sections[i]!, isProse)
  const title = h1 ? blocks.findIndex(({ box }) => h1.contains(box.element)) : -1
  const kinds = blocks[title]?.box.kinds
  return { sections, ranks, parts, title, isDeclared: kinds !== undefined && kinds.main + kinds.article > 0 }
}

/** Adds the features of a block's section and its distance from the title. */
function addPlace(rows: Rows, at: number, i: number, places: Places): number {
  const { sections, ranks, parts, title, isDeclared } = places
  const section = sections[i]!
  const part = parts.get(section)!
  rows[at++] = i - section
  rows[at++] = ranks[i]!
  rows[at++] = log(part.length)
  rows[at++] = share(part.link, part.length)
  rows[at++] = share(part.chosen, part.length)
  rows[at++] = log(part.count)
  rows[at++] = title < 0 ? -300 : Math.max(-200, Math.min(200, i - title))
  rows[at++] = flag(isDeclared)
  return at
}

function addRepeats(rows: Rows, at: number, block: Block, { groups, copies }: Facts): number {
  const group = groups.get(block.box.path)!
  rows[at++] = log(group.count)
  rows[at++] = group.length / group.count
  rows[at++] = share(group.link, group.length)
  rows[at++] = copies.get(block.hash)!
  return at
}

/** Adds whether the title or the description contains the text. Only texts of a fitting length are converted. */
function addMentions(rows: Rows, at: number, { text }: Block, { title, description }: PageSigns): number {
  const isInTitle = text.length > 8 && text.length <= title.length && title.includes(text.toLowerCase())
  const mayBeInDescription = text.length > 20 && description !== ''
  const low = mayBeInDescription ? text.toLowerCase() : ''
  const isInDescription = mayBeInDescription && description.includes(low.slice(0, 60))
  const holdsDescription = mayBeInDescription && description.length > 40 && low.includes(description.slice(0, 40))
  rows[at++] = flag(isInTitle)
  rows[at++] = flag(isInDescription || holdsDescription)
  return at
}

function commonOf(blocks: readonly Block[], facts: Facts, measures: Measures, page: PageSigns): number[] {
  const { kind, root, body } = page
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
 * Finds the box around most of the prose. Stores on boxes how much prose is near, and their number of levels above that
 * box.
 */
function findCentre(blocks: readonly Block[]): Box | undefined {
  let best: Box | undefined
  for (const block of blocks) {
    if (!isProse(block)) continue
    let box = block.box.up
    for (let k = 1; box && k <= 3; k++, box = box.up) {
      box.prose += (block.length - block.link) / k
      if (!best || box.prose > best.prose) best = box
    }
  }
  for (let box = best, k = 0; box; box = box.up, k++) box.level = k
  return best
}

/** Adds the distance of a box from the centre: the levels from both up to the nearest box around them. */
function addCentre(rows: Rows, at: number, own: Box, best: Box | undefined): number {
  let steps = 0
  let box: Box | undefined = best && own
  for (; box && box.level < 0; box = box.up) steps++
  rows[at++] = box ? box.level : -1
  rows[at++] = box ? steps : -1
  rows[at++] = box ? (own.up ?? own).prose / best!.prose : -1
  return at
}
