import { type Element, isElement } from '../dom/dom-tree.ts'
import { fencedCode } from './escape.ts'
import { type MarkdownWriter, rule, type Rule } from './writing.ts'

const boxes = `address article aside body caption center dir fieldset figcaption figure footer form frameset header
  hgroup html legend listing main nav noframes noscript optgroup output plaintext section summary details th xmp`

const heading = (level: number): Rule => ({
  isBlock: true,
  enter(writing) {
    if (writing.cells) return undefined
    writing.heading = '#'.repeat(level)
    return () => {
      writing.flush()
      writing.heading = ''
    }
  },
})

function enterContainer({ blocks, flush }: MarkdownWriter, first: string, rest: string): () => void {
  blocks.enter(first, rest)
  return () => {
    flush()
    blocks.leave()
  }
}

const quote: Rule = {
  isBlock: true,
  isContainer: true,
  enter: (writing) => enterContainer(writing, '> ', '> '),
}

/** A nested list directly follows the text of its item; other lists follow a blank line. */
const list: Rule = {
  isBlock: true,
  enter({ blocks, flush }, element) {
    const parent = element.parentNode
    if (isElement(parent) && parent.localName === 'li') blocks.setGap('line')
    else if (parent?.localName !== 'ul') blocks.endItems()
    return () => {
      flush()
      blocks.setGap('blank')
    }
  },
}

const item: Rule = {
  isBlock: true,
  isContainer: true,
  enter(writing, element) {
    const number = element.parentNode?.localName === 'ol' ? element.getAttribute('data-number') : null
    const marker = number === null ? '- ' : `${number}. `
    const leave = enterContainer(writing, marker, ' '.repeat(marker.length))
    return () => {
      leave()
      writing.blocks.setGap('item')
    }
  },
}

const definition: Rule = {
  isBlock: true,
  isContainer: true,
  enter(writing, element) {
    if (!element.hasAttribute('data-alone')) writing.blocks.setGap('line')
    return enterContainer(writing, ': ', '  ')
  },
}

const preformatted: Rule = {
  isBlock: true,
  enter({ blocks }, element) {
    const code = element.firstElementChild
    const language = /language-(\S+)/.exec(code?.getAttribute('class') ?? '')?.[1] ?? ''
    const text = element.textContent
    if (text.trim() !== '') blocks.add(fencedCode(text.replace(/^(?:[ \t]*\n)+/, ''), language))
    return 'skip'
  },
}

/** Consecutive terms of one definition are not separated. */
const term: Rule = {
  isBlock: true,
  enter({ blocks }, element) {
    if (element.hasAttribute('data-term')) blocks.setGap('line')
    return undefined
  },
}

/** Further blocks of a footnote are indented to stay part of it. */
const footnote: Rule = {
  isBlock: true,
  enter(writing, element) {
    const label = element.getAttribute('data-footnote')
    return label === null || writing.cells ? undefined : enterContainer(writing, `[^${label}]: `, '    ')
  },
}

/**
 * Tables are full grids here; the row with `data-align` is the header. Each row is written when it ends, so the cost is
 * linear.
 */
const row: Rule = {
  isBlock: true,
  enter(writing, element) {
    const isHeader = element.hasAttribute('data-align')
    writing.cells = []
    return () => {
      const { cells = [], blocks } = writing
      writing.cells = undefined
      if (!isHeader) blocks.setGap('line')
      blocks.add(`|${cells.map((cell) => (cell ? ` ${cell} |` : '  |')).join('')}${isHeader ? ruleLine(element) : ''}`)
    }
  },
}

const ruleLine = (header: Element) =>
  `\n|${(header.getAttribute('data-align') ?? '').split(' ').map(alignment).join('')}`

function alignment(align: string): string {
  if (align === 'left') return ' :-- |'
  if (align === 'right') return ' --: |'
  return align === 'center' ? ' :-: |' : ' --- |'
}

const cell: Rule = {
  isBlock: true,
  enter: (writing) => () => endCell(writing),
}

function endCell({ paragraph: text, cells }: MarkdownWriter): void {
  cells?.push(
    text
      .take()
      .replace(/(?<!\s)\s*\n\s*/g, ' ')
      .replace(/\\?\|/g, '\\|'),
  )
}

const box: Rule = { isBlock: true }

export const blockRules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(boxes.split(/\s+/).map((name) => [name, box])),
  p: box,
  div: footnote,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)])),
  blockquote: quote,
  menu: list,
  ul: list,
  ol: list,
  li: item,
  dl: box,
  dt: term,
  dd: definition,
  pre: preformatted,
  hr: {
    isBlock: true,
    enter({ blocks, keepsAllLines }) {
      if (keepsAllLines) blocks.add(rule)
      else blocks.addDivider()
      return 'skip'
    },
  },
  table: box,
  tr: row,
  td: cell,
}
