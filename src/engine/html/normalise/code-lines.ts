import { classOf, type DomNode, type Element, elementsIn, isElement, isText } from '../dom/dom.ts'

const lineClass =
  /(?:^|\s)(?:line|token-line|code-line|ec-line|cm-line|view-line|ace_line|CodeMirror-line|react-code-line-contents|blob-code)(?:\s|$)/
const lineBox = /^(?:div|p|li|tr|pre)$/
const blockStyle = /display\s*:\s*(?:block|flex|grid)/i
/** Numbers beside the lines, and the buttons of highlighters. */
const notCode =
  /(?:^|\s)(?:lineno|linenos|line-number|line-numbers|line-numbers-rows|linenumber|react-syntax-highlighter-line-number|lnt|ln|gutter|hljs-ln-numbers|copy|copy-button|copybtn|copy-btn|clipboard-copy|code-copy|btn-clipboard|zeroclipboard-container|blob-num|CodeMirror-gutter-wrapper|CodeMirror-linenumber|toolbar)(?:\s|$)/

/** The text of code as lines, whether the highlighter sets them apart by newlines, breaks, or only by an element for each. */
export function codeText(root: Element): string {
  const lines = createLines()
  const open: { element: Element; leave: () => void }[] = []
  for (let at: DomNode | null = root.firstChild; at;) {
    const element = isElement(at) && !isNotCode(at) ? at : undefined
    if (isText(at)) lines.add(at.textContent)
    else if (element?.localName === 'br') lines.add('\n')
    else if (element && isLineElement(element)) open.push({ element, leave: lines.enter(element) })
    at =
      element?.firstChild ??
      after(at, root, (left) => (open.at(-1)?.element === left ? open.pop()?.leave() : undefined))
  }
  return lines.whole()
}

/** The next node that is not inside this one; every element that ends on the way is told. */
function after(node: DomNode, root: Element, leave: (left: DomNode) => void): DomNode | null {
  for (let at: DomNode | null = node; at && at !== root; at = at.parentNode) {
    leave(at)
    if (at.nextSibling) return at.nextSibling
  }
  return null
}

type Lines = {
  add(text: string): void
  /** Begins a line that ends when the answer is called. */
  enter(line: Element): () => void
  whole(): string
}

/** A line ends with a break that is owed until something follows, because most highlighters write it themselves. */
function createLines(): Lines {
  const parts: string[] = []
  let isOpen = false
  let owesBreak = false
  return {
    add(text) {
      if (text === '') return
      if (owesBreak && !/^\r?\n/.test(text)) parts.push('\n')
      parts.push(text)
      isOpen = !text.endsWith('\n')
      owesBreak = false
    },
    enter(line) {
      if (owesBreak || isOpen) parts.push('\n')
      owesBreak = false
      isOpen = false
      const from = parts.length
      const countsEmpty = lineClass.test(classOf(line))
      return () => {
        owesBreak ||= isOpen || (countsEmpty && parts.length === from)
        isOpen = false
      }
    },
    whole: () => parts.join(''),
  }
}

function isLineElement(element: Element): boolean {
  if (lineBox.test(element.localName) || lineClass.test(classOf(element))) return true
  return blockStyle.test(element.getAttribute('style') ?? '')
}

function isNotCode(element: Element): boolean {
  if (element.localName === 'button' || notCode.test(classOf(element))) return true
  const style = element.getAttribute('style')
  return style !== null && /user-select\s*:\s*none/i.test(style) && /^[\s\d]*$/.test(element.textContent)
}

const gutterCell =
  /(?:^|\s)(?:linenos|gutter|rouge-gutter|lineno|hljs-ln-numbers|blob-num|line-number|lines-number|diff-line-num)(?:\s|$)/

/** The tables among these cells' that hold code beside line numbers. */
export function numberedTables(cells: readonly Element[]): Set<Element> {
  const tables = new Set<Element>()
  for (const cell of cells) {
    if (!gutterCell.test(classOf(cell))) continue
    let up: Element | null = cell.parentNode
    while (up && up.localName !== 'table') up = up.parentNode
    if (up?.parentNode) tables.add(up)
  }
  return tables
}

/** Puts a pre in the place of a table that has line numbers beside code: one row with all lines, or a row for each. */
export function unwrapNumberedTable(table: Element): Element | undefined {
  const cells = elementsIn(table).filter(({ localName }) => localName === 'td')
  const code = cells.filter((cell) => !gutterCell.test(classOf(cell)))
  const pres = code.flatMap((cell) => elementsIn(cell)).filter(({ localName }) => localName === 'pre')
  if (pres.length === 1 && pres[0]) {
    table.replaceWith(pres[0])
    return undefined
  }
  const created = table.ownerDocument.createElement('pre')
  for (const name of ['class', 'data-lang', 'data-language']) {
    const value = table.getAttribute(name)
    if (value) created.setAttribute(name, value)
  }
  created.textContent = code.map((cell) => markerOf(cell) + codeText(cell).replace(/\n$/, '')).join('\n')
  table.replaceWith(created)
  return created
}

/** The + or - of a changed line, which some pages draw with CSS. */
function markerOf(cell: Element): string {
  const marked = [cell, ...elementsIn(cell)].find((inner) => inner.hasAttribute('data-code-marker'))
  return marked?.getAttribute('data-code-marker') ?? ''
}
