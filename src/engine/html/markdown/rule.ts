import type { Element } from '../dom/dom.ts'
import type { Blocks } from './blocks.ts'
import type { Paragraph } from './paragraph.ts'

/** What the rules write to. */
export type Writing = {
  paragraph: Paragraph
  blocks: Blocks
  /** Cells of the table row being written; undefined outside of tables. */
  cells: string[] | undefined
  /** The sign of the heading whose first line is not written yet, or ''. */
  heading: string
  keepsBase64: boolean
  /** Ends the paragraph; in a table cell, which is one line, it only sets the next word apart. */
  flush(): void
}

/** How an element is written. `enter` answers what is to be done when it ends, or 'skip' when its children are written already. */
export type Rule = {
  /** Stands on lines of its own: the paragraph before and its own last one are ended. */
  isBlock?: true
  /** Indents or marks all lines inside. */
  isContainer?: true
  enter?(writing: Writing, element: Element): (() => void) | 'skip' | undefined
}
