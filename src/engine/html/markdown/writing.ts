import type { Element } from '../dom/dom-tree.ts'
import type { Paragraph } from './paragraph.ts'

/** State of the markdown being written, shared by all rules. */
export type MarkdownWriter = {
  paragraph: Paragraph
  blocks: Blocks
  /** Cells of the current table row; undefined outside tables. */
  cells: string[] | undefined
  /** The `#` marks of the heading whose first line is not written yet, or ''. */
  heading: string
  keepsBase64: boolean
  keepsAllLines: boolean
  /** Ends the paragraph; in a table cell, which is one line, only separates the next word. */
  flush(): void
}

/**
 * Rule for writing an element. `enter` returns a function to call when the element ends, or 'skip' if its children are
 * done.
 */
export type Rule = {
  /** True for a block: ends the paragraph before it, and at its end its own last paragraph. */
  isBlock?: true
  /** Indents or prefixes all lines inside. */
  isContainer?: true
  enter?(writing: MarkdownWriter, element: Element): (() => void) | 'skip' | undefined
}

/** A quote or list item: `first` prefixes its first line, `rest` all others. */
type Container = { first: string; rest: string; isBegun: boolean }

type Gap = 'line' | 'item' | 'blank'

/** Writes blocks below each other, inside quotes and list items. */
type Blocks = {
  add(block: string): void
  /** Adds a rule, written only between two blocks and not under a heading or another rule. */
  addDivider(): void
  readonly last: () => string | undefined
  /**
   * Sets the gap before the next block, a blank line by default. After 'item', only another item follows without a
   * blank line.
   */
  setGap(gap: Gap): void
  /** Ends a run of items, so the next item follows a blank line. */
  endItems(): void
  enter(first: string, rest: string): void
  leave(): void
  readonly depth: () => number
  whole(): string
}

export const rule = '---'

export function createBlocks(): Blocks {
  const out: string[] = []
  const containers: Container[] = []
  let gap: Gap = 'blank'
  let last: string | undefined
  let owesDivider = false

  const gapText = () => {
    if (out.length === 0) return ''
    const isClose = gap === 'line' || (gap === 'item' && containers.at(-1)?.isBegun === false)
    return isClose
      ? '\n'
      : `\n${containers
          .map(({ isBegun, rest }) => (isBegun ? rest : ''))
          .join('')
          .trimEnd()}\n`
  }

  return {
    add(block) {
      if (owesDivider) out.push(gapText(), rule)
      owesDivider = false
      last = block
      const before = gapText()
      gap = 'blank'
      if (containers.length === 0) return void out.push(before, block)
      const first = containers.map((container) => (container.isBegun ? container.rest : container.first)).join('')
      const rest = containers.map((container) => container.rest).join('')
      const lines = block
        .split('\n')
        .map((line, index) => (index === 0 ? first : line === '' ? rest.trimEnd() : rest) + line)
      out.push(before, lines.join('\n'))
      for (const container of containers) container.isBegun = true
    },
    addDivider() {
      if (containers.length > 0 || last === undefined || /^(?:#{1,6} |---$)/.test(last)) return
      owesDivider = true
      gap = 'blank'
    },
    last: () => (owesDivider ? rule : last),
    setGap: (next) => {
      gap = next
    },
    endItems() {
      if (gap === 'item') gap = 'blank'
    },
    enter: (first, rest) => void containers.push({ first, rest, isBegun: false }),
    leave: () => void containers.pop(),
    depth: () => containers.length,
    whole: () => out.join(''),
  }
}
