import type { DocsHit, DocsSection } from '../../../contracts/ports.ts'
import { codeReader } from '../../../util/markdown-blocks.ts'
import { termsOf, relatedWords, vagueWords } from './vocabulary.ts'

/** The best section of the second page often contains what is missing in the first. */
const maxPages = 2
/** Longest passage, in characters, unless a single block of the section is longer. */
const longEnough = 1000
/** Weight of a synonym, and of a vague word. */
const lesser = 0.5

/** A paragraph, list item, table row or code block. */
type Block = {
  lines: string[]
  kind: 'text' | 'row' | 'code'
  /** Header of the table of a row. */
  head: readonly string[]
}

/**
 * Returns the passages that answer a question best: from the best section of each of the first pages, under its
 * headings, including all parts it was split into. Skips sections without text.
 */
export function bestPassages(hits: readonly DocsHit[], question: string): { text: string; of: DocsSection }[] {
  const pages = Map.groupBy(hits, ({ section }) => section.path)
  return [...pages.values()].slice(0, maxPages).flatMap((ofPage) => {
    const [{ section: of } = { section: undefined }] = ofPage
    const parts = ofPage.map(({ section }) => section).filter((part) => of && titleOf(part) === titleOf(of))
    const whole = parts.toSorted((one, other) => one.firstLine - other.firstLine).map(({ text }) => text)
    const text = passageOf(whole.join('\n'), question)
    return of && text !== '' ? [{ text: `**${titleOf(of)}** (${of.path})\n\n${text}`, of }] : []
  })
}

export const titleOf = ({ headings }: DocsSection): string => headings.filter(Boolean).join(' > ')

/**
 * Returns the blocks of a section that match a question best, in their order: all of a short section, otherwise as many
 * as fit. A code block is returned with the block before it, and a row with the header of its table. Empty if the
 * section has only headings.
 */
export function passageOf(markdown: string, question: string): string {
  const blocks = blocksOf(markdown)
  const asked = [...new Set(termsOf(question))]
  const values = blocks.map((block) => {
    const held = new Set(termsOf([...block.head, ...block.lines].join(' ')))
    return asked.reduce((sum, term) => sum + shareOf(term, held), 0)
  })
  const best = Array.from(blocks.keys()).toSorted((one, other) => (values[other] ?? 0) - (values[one] ?? 0))
  const chosen = new Set<number>()
  let length = 0
  for (const at of best) {
    const together = withCode(blocks, at).filter((each) => !chosen.has(each))
    const added = together.reduce((sum, each) => sum + lengthOf(blocks[each]), 0)
    if (length > 0 && length + added > longEnough) continue
    for (const each of together) chosen.add(each)
    length += added
  }
  return textOf(blocks.filter((_, at) => chosen.has(at)))
}

function shareOf(term: string, held: ReadonlySet<string>): number {
  const weight = vagueWords.has(term) ? lesser : 1
  if (held.has(term)) return weight
  return [...(relatedWords.get(term) ?? [])].some((other) => held.has(other)) ? weight * lesser : 0
}

/** A code block and the text that introduces it belong together. */
function withCode(blocks: readonly Block[], at: number): number[] {
  if (blocks[at]?.kind === 'code' && at > 0) return [at - 1, at]
  return blocks[at + 1]?.kind === 'code' ? [at, at + 1] : [at]
}

const lengthOf = (block?: Block) => block?.lines.join('\n').length ?? 0

function textOf(blocks: readonly Block[]): string {
  const parts = blocks.map(({ lines, head, kind }, at) => {
    const before = blocks[at - 1]
    const isNext = kind === 'row' && before?.head === head
    return `${at === 0 ? '' : isNext ? '\n' : '\n\n'}${(isNext ? lines : [...head, ...lines]).join('\n')}`
  })
  return parts.join('')
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  let head: string[] = []
  const begin = (kind: Block['kind'], line: string) => {
    open = { lines: [line], kind, head: kind === 'row' ? head : [] }
    blocks.push(open)
  }
  const lines = markdown.split('\n')
  const isCode = codeReader()
  for (const [at, line] of lines.entries()) {
    if (isCode(line)) {
      if (open?.kind === 'code') open.lines.push(line)
      else begin('code', line)
    } else if (isRule.test(line)) head.push(line)
    else if (line.trimStart().startsWith('|')) {
      if (isRule.test(lines[at + 1] ?? '')) head = [line]
      else begin('row', line)
      open = undefined
    } else if (/^(?:#|\s*$)/.test(line)) open = undefined
    else if (open?.kind === 'text' && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) open.lines.push(line)
    else begin('text', line)
  }
  return blocks
}

/** Line between the header and the rows of a table. */
const isRule = /^\s*\|[\s:|-]+$/
