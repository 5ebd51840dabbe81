import {
  classOf,
  closest,
  type DomNode,
  type Element,
  elementsIn,
  exceedsSize,
  isElement,
  isText,
  nodeAfter,
  previousElement,
  unwrap,
} from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import type { ContentIndex } from '../dom/element-index.ts'

/**
 * Classes of the line containers of in-page editors (CodeMirror 5 and 6, Monaco, Ace), and of the box around an editor.
 */
const editorLines = /(?:^|\s)(?:cm-content|CodeMirror-code|view-lines|ace_text-layer)(?:\s|$)/
const editor = /(?:^|\s)(?:cm-editor|CodeMirror|monaco-editor|ace_editor)(?:\s|$)/

/** Turns every pre into one code element with its language and plain text lines. */
export function normaliseCode(content: ContentIndex): void {
  const pres = new Set(content.named('pre'))
  for (const box of content.classed())
    if (editorLines.test(classOf(box)) && content.root.contains(box)) pres.add(editorAsPre(box))
  for (const table of numberedTables(content.named('td'))) {
    const pre = unwrapNumberedTable(table)
    if (pre) pres.add(pre)
  }
  for (const code of content.named('code', 'samp', 'kbd', 'tt')) {
    const pre = code.firstElementChild || keepsLines(code) ? blockOf(code) : undefined
    if (pre) pres.add(pre)
  }
  for (const pre of pres) {
    dropCodeButtons(pre)
    dropNumbersBeside(pre)
  }
  for (const pre of pres) if (content.root.contains(pre)) normalisePre(pre)
}

/** Maximum number of characters of a button next to code; three times as many other words may be in its box. */
const maxLabel = 30

/** Removes buttons that copy or run a listing from the boxes that contain little else. */
function dropCodeButtons(pre: Element): void {
  let box = pre.parentNode
  for (let k = 0; box && k < 3 && box.localName === 'div'; k++, box = box.parentNode) {
    if (box.textContent.length > pre.textContent.length + 3 * maxLabel) return
    const buttons = elementsIn(box).filter((each) => isCodeButton(each) && !pre.contains(each))
    for (const button of buttons) if (!button.contains(pre)) button.remove()
  }
}

/** Removes a box of line numbers before a listing of as many lines. */
function dropNumbersBeside(pre: Element): void {
  for (let up = pre; up.parentNode && up.localName !== 'body'; up = up.parentNode) {
    const before = previousElement(up)
    const numbers = before && mayNumber.test(before.localName) ? numbersIn(before) : []
    if (before && numbers.length > 1 && numbers.length === countLines(pre)) return before.remove()
    if (before || !/^(?:pre|div|td)$/.test(up.localName)) return
  }
}

const countLines = (pre: Element) => pre.textContent.replace(/^\n/, '').trimEnd().split('\n').length

/** Boxes of line numbers; lists and paragraphs of numbers are text. */
const mayNumber = /^(?:div|pre|span|td)$/
/** Maximum number of nodes around line numbers. */
const maxNumberNodes = 20_000

/** Returns the words of a box if they are numbers that count up by one. */
function numbersIn(box: Element): string[] {
  const numbers: string[] = []
  if (exceedsSize(box, maxNumberNodes)) return numbers
  for (let at: DomNode | null = box.firstChild; at; at = at.firstChild ?? nodeAfter(at, box))
    if (isText(at) && /\S/.test(at.textContent)) {
      if (!/^[\s\d]+$/.test(at.textContent)) return []
      numbers.push(...at.textContent.trim().split(/\s+/))
    }
  return countsUp(numbers) ? numbers : []
}

/** Buttons, and elements of a page's own that copy code. */
const buttonName = /^(?:button$|\w+-.*copy|\w*copy\w*-)/

const isCodeButton = (element: Element) =>
  (buttonName.test(element.localName) || buttonBox.test(classOf(element))) &&
  element.textContent.trim().length <= maxLabel &&
  !element.hasAttribute('role') &&
  !element.hasAttribute('aria-expanded') &&
  !closest(element, ({ localName }) => /^(?:h[1-6]|summary)$/.test(localName), 3)

function editorAsPre(lines: Element): Element {
  const pre = createElement('pre')
  const language = lines.getAttribute('data-language')
  if (language) pre.setAttribute('data-language', language)
  pre.textContent = codeText(lines).replace(/\u00A0/g, ' ')
  const box = closest(lines, (up) => editor.test(classOf(up)), 12) ?? lines
  box.replaceWith(pre)
  return pre
}

/**
 * Treats code with lines of its own as a block even outside a pre, except in a cell or heading. Code that is entirely a
 * link becomes a link on code.
 */
function blockOf(code: Element): Element | undefined {
  const [only] = code.children
  if (only?.localName === 'a' && only.textContent.trim() === code.textContent.trim()) swap(code, only)
  const inner = elementsIn(code)
  const hasLines = keepsLines(code) && !isInSentence(code) && code.textContent.trim().includes('\n')
  if (!hasLines && !inner.some(({ localName }) => /^(?:br|pre|div)$/.test(localName))) return undefined
  const place = closest(code, ({ localName }) => /^(?:pre|td|th|h[1-6])$/.test(localName), 30)
  if (place || code.localName !== 'code') {
    const breaks = place?.localName === 'pre' ? [] : inner.filter(({ localName }) => localName === 'br')
    for (const each of breaks) each.replaceWith(' ')
    return undefined
  }
  if (inner.some(({ localName }) => localName === 'pre')) {
    unwrap(code)
    return undefined
  }
  const pre = createElement('pre')
  code.replaceWith(pre)
  pre.append(code)
  return pre
}

/** True for an element whose inline style shows its newlines. */
export const keepsLines = (element: Element) =>
  /white-space\s*:\s*(?:pre|break-spaces)/i.test(element.getAttribute('style') ?? '')

function swap(code: Element, link: Element): void {
  code.replaceWith(link)
  const text = link.textContent
  link.textContent = ''
  code.textContent = text
  link.append(code)
}

function normalisePre(pre: Element): void {
  const label = pre.previousSibling
  if (isElement(label) && label.localName === 'span' && classOf(label) === 'lang') label.remove()
  const language = languageOf(pre).toLowerCase()
  dropLanguageName(pre, language)
  dropCountingNumbers(pre)
  const code = createElement('code')
  if (language) code.setAttribute('class', `language-${language}`)
  code.textContent = codeText(pre)
  pre.textContent = ''
  pre.append(code)
}

/** Removes the name of the language and the buttons that are in a listing but outside its code. */
function dropLanguageName(pre: Element, language: string): void {
  const codes = elementsIn(pre).filter(({ localName }) => localName === 'code')
  const [code] = codes
  if (!code || codes.length > 1 || language === '') return
  const around = elementsIn(pre).filter((element) => !code.contains(element) && !element.contains(code))
  for (const element of around) if (element.localName === 'button') element.remove()
  for (const element of around) if (element.textContent.trim().toLowerCase() === language) element.remove()
}

const languageClass =
  /^(?:language|(?:[a-z]+-)*lang|highlight-source|highlight|brush|sourcecode|hljs|syntax)[-:]([a-z0-9+#_-]+)$/i
/** Class names followed by the language as the next class. */
const languageFollows = /^(?:hljs|sourceCode|brush:|prettyprint|literal-block)$/i
const noLanguage =
  /^(?:text|plain|plaintext|none|nohighlight|wrapper|block|container|toolbar|box|area|example|copy|highlight|line|lines|numbers|default|table|snippet|content|hljs|picker|selector|switcher|tabs?|js-file-line.*)$/i
const languageAttributes = ['data-lang', 'data-language', 'data-code-language', 'lang-name', 'syntax']
/** Classes of boxes around code; on other boxes the attributes may name the natural language instead. */
const holdsCode = /code|highlight|snippet|shiki|prism|language/i

/**
 * Returns the programming language of a code block from the class names and attributes of common highlighters; '' if
 * none names it.
 */
function languageOf(pre: Element): string {
  const code = elementsIn(pre).find((inner) => inner.localName === 'code')
  const names = (up: Element) => holdsCode.test(classOf(up)) && languageNamedBy(up) !== undefined
  const box = pre.parentNode && closest(pre.parentNode, names, 4)
  return languageNamedBy(pre) ?? (code && languageNamedBy(code)) ?? (box && languageNamedBy(box)) ?? ''
}

/** True for code between words, where a style such as `pre-wrap` only lets long code wrap. */
const isInSentence = (code: Element) =>
  /white-space\s*:\s*(?:pre-|break)/i.test(code.getAttribute('style') ?? '') &&
  [code.previousSibling, code.nextSibling].some((node) => node && node.textContent.trim() !== '')

function languageNamedBy(element: Element): string | undefined {
  for (const name of languageAttributes) {
    const value = element.getAttribute(name)
    if (value && /^[\w+#.-]{1,30}$/.test(value) && !noLanguage.test(value)) return value
  }
  const words = classOf(element)
    .replace(/^code (\S+) literal-block$/, 'literal-block $1')
    .replace(/^highlight (\w+)$/, 'highlight-$1')
    .split(/[\s;]+/)
  const named = words.map((word) => languageClass.exec(word)?.[1])
  const following = words.map((word, i) => (languageFollows.test(word) ? words[i + 1] : undefined))
  return [...named, ...following].find((word) => word && /^[\w+#-]{1,30}$/.test(word) && !noLanguage.test(word))
}

const lineClass =
  /(?:^|\s)(?:line|token-line|code-line|ec-line|cm-line|view-line|ace_line|CodeMirror-line|react-code-line-contents|blob-code)(?:\s|$)/
const lineBox = /^(?:div|p|li|tr|pre)$/
export const blockStyle = /display\s*:\s*(?:block|flex|grid)/i
/** Line numbers of highlighters, and the boxes of their buttons. */
const lineNumber =
  /(?:^|\s)(?:lineno|linenos|line-number|line-numbers|linenumber|react-syntax-highlighter-line-number|lnt|ln|gutter|hljs-ln-numbers|blob-num|CodeMirror-gutter-wrapper|CodeMirror-linenumber)(?:\s|$)/
const buttonBox =
  /(?:^|\s)(?:copy|copy-button|copybtn|copy-btn|clipboard-copy|code-copy|btn-clipboard|zeroclipboard-container|toolbar)(?:\s|$)/

/** True if all children are code; the first of them is no prompt, such as `$ `, before a command. */
function isCodePerLine({ childNodes }: Element): boolean {
  return (
    childNodes.length > 1 &&
    childNodes.every((node) => isElement(node) && node.localName === 'code') &&
    !/^[^\p{L}\p{N}]* $/u.test(childNodes[0]!.textContent)
  )
}

/** Returns the text of code as lines, separated in the page by newlines, breaks, or only by one element per line. */
function codeText(root: Element): string {
  const lines = createLines()
  const hasCodePerLine = isCodePerLine(root)
  const open: { element: Element; leave: () => void }[] = []
  for (let at: DomNode | null = root.firstChild; at;) {
    const element = isElement(at) && !isNotCode(at) ? at : undefined
    if (isText(at)) lines.add(at.textContent)
    else if (element?.localName === 'br') lines.add('\n')
    else if (element && (isLineElement(element) || (hasCodePerLine && element.parentNode === root)))
      open.push({ element, leave: lines.enter(element) })
    at =
      element?.firstChild ??
      nodeAfter(at, root, (left) => (open.at(-1)?.element === left ? open.pop()?.leave() : undefined))
  }
  return lines.whole()
}

type Lines = {
  add(text: string): void
  /** Starts a line, which ends when the returned function is called. */
  enter(line: Element): () => void
  whole(): string
}

/** A line break is written only if text follows, because most highlighters include it themselves. */
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

/** True for buttons and line numbers; words of the code itself stay, because highlighters give them any class. */
function isNotCode(element: Element): boolean {
  if (buttonName.test(element.localName)) return true
  const name = classOf(element)
  if (buttonBox.test(name) && !closest(element, ({ localName }) => localName === 'code')) return true
  const isNumber = lineNumber.test(name) || /user-select\s*:\s*none/i.test(element.getAttribute('style') ?? '')
  return isNumber && /^[\s\d]*$/.test(element.textContent)
}

/** Removes line numbers: one element before each line, all of one class that the code does not use otherwise. */
function dropCountingNumbers(root: Element): void {
  const leaves = elementsIn(root).filter((element) => !element.firstElementChild && classOf(element) !== '')
  const groups = [...Map.groupBy(leaves, classOf).values()]
  const counting = groups.filter((group) => group.length > 1 && countsUp(group.map((leaf) => leaf.textContent)))
  if (counting.length === 0) return
  const lines = codeText(root).trimEnd().split('\n')
  for (const group of counting) {
    const isBeforeEach = group.every((leaf, i) => lines[i]?.trimStart().startsWith(leaf.textContent.trim()))
    const holdMore = lines.some((line) => /\D/.test(line.trim()))
    if (lines.length !== group.length || !isBeforeEach || !holdMore) continue
    const isSpaced = group.every(({ nextSibling }) => nextSibling?.textContent.startsWith(' '))
    for (const leaf of group) {
      const { nextSibling } = leaf
      if (isSpaced && nextSibling && isText(nextSibling)) nextSibling.textContent = nextSibling.textContent.slice(1)
      leaf.remove()
    }
  }
}

const countsUp = (texts: readonly string[]) =>
  texts.every((text, i) => /^\s*\d{1,6}\s*$/.test(text) && Number(text) === Number(texts[0]) + i)

const gutterCell =
  /(?:^|\s)(?:linenos|gutter|rouge-gutter|lineno|hljs-ln-numbers|blob-num|line-number|lines-number|diff-line-num)(?:\s|$)/

function isGutter(cell: Element): boolean {
  const next = cell.nextElementSibling
  return (
    gutterCell.test(classOf(cell)) || (next !== null && holdsCode.test(classOf(next)) && numbersIn(cell).length > 1)
  )
}

/** Returns the tables around these cells that show code next to line numbers. */
function numberedTables(cells: readonly Element[]): Set<Element> {
  const tables = new Set<Element>()
  for (const cell of cells) {
    if (!isGutter(cell)) continue
    const table = closest(cell, ({ localName }) => localName === 'table')
    if (table?.parentNode) tables.add(table)
  }
  return tables
}

/** Replaces a table of line numbers and code with a pre; the table has one row with all lines, or one row per line. */
function unwrapNumberedTable(table: Element): Element | undefined {
  const cells = elementsIn(table).filter(({ localName }) => localName === 'td')
  const code = cells.filter((cell) => !isGutter(cell))
  const pres = code.flatMap((cell) => elementsIn(cell)).filter(({ localName }) => localName === 'pre')
  if (pres.length === 1 && pres[0]) {
    table.replaceWith(pres[0])
    return undefined
  }
  const created = createElement('pre')
  for (const name of ['class', 'data-lang', 'data-language']) {
    const value = table.getAttribute(name)
    if (value) created.setAttribute(name, value)
  }
  created.textContent = code.map((cell) => markerOf(cell) + codeText(cell).replace(/\n$/, '')).join('\n')
  table.replaceWith(created)
  return created
}

/** Returns the + or - of a changed line, which some pages draw with CSS. */
function markerOf(cell: Element): string {
  const marked = [cell, ...elementsIn(cell)].find((inner) => inner.hasAttribute('data-code-marker'))
  return marked?.getAttribute('data-code-marker') ?? ''
}
