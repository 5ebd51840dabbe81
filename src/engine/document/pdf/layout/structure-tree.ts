import type { RulingLine } from '../content-stream/page-graphics.ts'
import { isMostlyRtl } from '../text/pdf-inline.ts'
import { type Cell, type TextLine, lineOf, isCodeLine } from '../text/text-lines.ts'
import type { Word } from '../text/pdf-words.ts'
import { layout, linesAndGrids, mirrored } from './page-layout.ts'
import { type Block, blocksOf, type Item, markerOf, type Typewriter } from './pdf-blocks.ts'

/** Structure tree of a page as returned by pdf.js: elements with a role, and leaves that name marked content. */
export type StructureNode = { role?: string; type?: string; id?: string; children?: readonly StructureNode[] }
type TaggedContent = {
  words: ReadonlyMap<Word['tag'], readonly Word[]>
  rules: readonly RulingLine[]
  typewriter: Typewriter
}

const maxDepth = 60
const structural = /^(?:H[1-6]?|Title|L|Table)$/

/**
 * Returns blocks by the tags of the file (ISO 32000-1, 14.8), which are more reliable than the page's appearance.
 * Undefined if they mark only paragraphs, or omit text.
 */
export function taggedBlocks(
  root: StructureNode | null,
  words: readonly Word[],
  rules: readonly RulingLine[],
  typewriter: Typewriter,
): Block[] | undefined {
  if (!root || !hasNode(root, ({ role }) => role !== undefined && structural.test(role), 0)) return undefined
  const named = new Set<Word['tag']>(contentOf(root, 0))
  const byTag = Map.groupBy(words, ({ tag }) => tag)
  const left = words.filter(({ tag }) => !named.has(tag))
  if (lengthOf(left) > lengthOf(words) * 0.03) return undefined
  const blocks = blocksIn(root, { words: byTag, rules, typewriter }, 0)
  return left.length > 0 ? [...blocks, ...blocksOf(linesInOrder(left), typewriter)] : blocks
}

const lengthOf = (words: readonly Word[]) => words.reduce((sum, { drawn }) => sum + drawn.length, 0)

function hasNode(node: StructureNode, test: (node: StructureNode) => boolean, depth: number): boolean {
  return test(node) || (depth < maxDepth && (node.children ?? []).some((child) => hasNode(child, test, depth + 1)))
}

/** Returns the numbers of the marked content in an element, in order. */
function contentOf(node: StructureNode, depth: number): number[] {
  if (node.type === 'content') return [Number(/_mc(\d+)$/.exec(node.id ?? '')?.[1] ?? -1)]
  return depth < maxDepth ? (node.children ?? []).flatMap((child) => contentOf(child, depth + 1)) : []
}

/** Returns lines of words in reading order, which may jump up to the next column. */
function linesInOrder(words: readonly Word[]): TextLine[] {
  const lines: Word[][] = []
  for (const word of words) {
    const last = lines.at(-1)
    const main = last?.reduce((best, other) => (other.size > best.size ? other : best))
    if (last && main && Math.abs(word.baseline - main.baseline) < Math.max(main.size, word.size) * 0.6) last.push(word)
    else lines.push([word])
  }
  return lines.map((line) => lineOf([...line].sort((one, other) => one.left - other.left)))
}

const wordsIn = (node: StructureNode, { words }: TaggedContent, depth: number): Word[] =>
  contentOf(node, depth).flatMap((tag) => words.get(tag) ?? [])

const linesIn = (node: StructureNode, tagged: TaggedContent, depth: number): TextLine[] =>
  linesInOrder(wordsIn(node, tagged, depth))

/** Lays out content by its position, because its tags do not describe its arrangement. */
const placedBlocks = (words: readonly Word[], { rules, typewriter }: TaggedContent): Block[] =>
  layout(linesAndGrids(words, rules), rules, typewriter)

function blocksIn(node: StructureNode, tagged: TaggedContent, depth: number): Block[] {
  const { role = '', children = [] } = node
  if (depth > maxDepth) return []
  if (role === 'L') return listOf(node, tagged, depth)
  if (role === 'Table') return tableOf(node, tagged, depth)
  const level = role === 'Title' ? 1 : /^H[1-6]?$/.test(role) ? Number(role.slice(1) || 2) : undefined
  if (level !== undefined) return ofLines(linesIn(node, tagged, depth), (lines) => ({ kind: 'heading', level, lines }))
  // Code in a paragraph is a part of its sentence.
  const isBlock = ({ role: inner = '' }: StructureNode) => isBlockRole(inner) && !(role === 'P' && inner === 'Code')
  const isBox = children.some((child) => hasNode(child, isBlock, depth))
  if (isBox) return mixedBlocks(children, tagged, depth)
  const lines = linesIn(node, tagged, depth)
  if (role === 'P' && !lines.every((line) => isCodeLine(line, tagged.typewriter)))
    return ofLines(lines, (own) => ({ kind: 'text', lines: own }))
  return lines.length > 0 ? blocksOf(lines, tagged.typewriter) : []
}

const ofLines = (lines: TextLine[], toBlock: (lines: TextLine[]) => Block): Block[] =>
  lines.length > 0 ? [toBlock(lines)] : []

const isBlockRole = (role: string) =>
  structural.test(role) || /^(?:P|Sect|Div|Art|Part|BlockQuote|Caption|TOC|TOCI|Note|Code|Figure|LI)$/.test(role)

/** Separates children that are blocks from runs of bare text between them. */
function mixedBlocks(children: readonly StructureNode[], tagged: TaggedContent, depth: number): Block[] {
  const runs: StructureNode[][] = []
  let isRun = false
  for (const child of children) {
    const isBlock = hasNode(child, ({ role = '' }) => isBlockRole(role), depth)
    if (!isBlock && isRun) runs.at(-1)?.push(child)
    else runs.push([child])
    isRun = !isBlock
  }
  return runs.flatMap((run) =>
    run.length === 1
      ? blocksIn(run[0]!, tagged, depth + 1)
      : placedBlocks(wordsIn({ children: run }, tagged, depth + 1), tagged),
  )
}

function listOf(list: StructureNode, tagged: TaggedContent, depth: number): Block[] {
  const items: Item[] = []
  addItems(items, list, tagged, depth, 0)
  return items.length > 0 ? [{ kind: 'list', items }] : []
}

function addItems(items: Item[], list: StructureNode, tagged: TaggedContent, depth: number, level: number): void {
  if (depth > maxDepth) return
  for (const child of list.children ?? []) {
    if (child.role === 'L') addItems(items, child, tagged, depth + 1, level + 1)
    else addItem(items, child, tagged, depth, level)
  }
}

function addItem(items: Item[], node: StructureNode, tagged: TaggedContent, depth: number, level: number): void {
  const lists: StructureNode[] = []
  const own = withoutLists(node, lists, depth)
  const lines = linesIn(own, tagged, depth)
  const [start, ...rest] = lines
  if (start) {
    const first = isMostlyRtl(start.words) ? mirrored(start) : start
    const marker = markerOf(first)
    items.push({
      depth: level,
      number: marker?.number,
      left: first.left,
      lines: marker ? [marker.rest, ...rest] : lines,
    })
  }
  for (const list of lists) addItems(items, list, tagged, depth + 1, level + 1)
}

function withoutLists(node: StructureNode, lists: StructureNode[], depth: number): StructureNode {
  if (depth > maxDepth) return {}
  const children = (node.children ?? []).filter((child) => {
    if (child.role === 'L') lists.push(child)
    return child.role !== 'L'
  })
  return { ...node, children: children.map((child) => withoutLists(child, lists, depth + 1)) }
}

function tableOf(table: StructureNode, tagged: TaggedContent, depth: number): Block[] {
  const groups = (table.children ?? []).flatMap((child) =>
    /^T(?:Head|Body|Foot)$/.test(child.role ?? '') ? (child.children ?? []) : [child],
  )
  const rows = groups.filter(({ role }) => role === 'TR').map((row) => cellsOf(row, tagged, depth))
  const full = rows.filter((row) => row.some(({ lines }) => lines.length > 0))
  if (!isRegular(rows) || hasMore(table, rows, tagged, depth)) {
    const placed = placedBlocks(wordsIn(table, tagged, depth), tagged)
    if (placed.some(({ kind }) => kind === 'table')) return placed
  }
  const before = groups
    .filter(({ role }) => role === 'Caption')
    .flatMap((caption) => blocksIn(caption, tagged, depth + 1))
  if (Math.max(0, ...full.map((row) => row.length)) < 2)
    return [
      ...before,
      ...full.flatMap((row) =>
        row.flatMap(({ lines }) => ofLines([...lines], (own) => ({ kind: 'text', lines: own }))),
      ),
    ]
  return [
    ...before,
    {
      kind: 'table',
      table: {
        rows: full.map((row, index) => (index === 0 ? row.map((cell): Cell => ({ ...cell, kind: 'header' })) : row)),
      },
    },
  ]
}

/** False for rows of different lengths: pdf.js does not report which cells span others, and omits empty cells. */
const isRegular = (rows: readonly (readonly Cell[])[]): boolean => new Set(rows.map(({ length }) => length)).size < 2

/** True if a table has words outside its cells. */
function hasMore(
  table: StructureNode,
  rows: readonly (readonly Cell[])[],
  tagged: TaggedContent,
  depth: number,
): boolean {
  const inCells = rows.flat().flatMap(({ lines }) => lines.flatMap(({ words }) => words)).length
  const children = (table.children ?? []).filter(({ role }) => role !== 'Caption')
  return wordsIn({ children }, tagged, depth).length > inCells
}

function cellsOf(row: StructureNode, tagged: TaggedContent, depth: number): Cell[] {
  return (row.children ?? [])
    .filter(({ role }) => role === 'TH' || role === 'TD')
    .map((cell) => ({
      lines: linesIn(cell, tagged, depth),
      colspan: 1,
      rowspan: 1,
      kind: cell.role === 'TH' ? 'header' : 'data',
    }))
}
