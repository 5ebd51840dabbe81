import { type Element, exceedsSize, isElement, oneLine } from '../dom/dom-tree.ts'
import { plainWordsIn } from '../../../util/words.ts'
import { codeSpan, escapeInline, fencedCode, linkDestination, linkTitle } from './escape.ts'
import type { Mark, Paragraph } from './paragraph.ts'
import { type MarkdownWriter, rule, type Rule } from './writing.ts'

/** Undefined for elements without markdown of their own; only their contents are written. */
export const ruleFor = (name: string): Rule | undefined => rules.get(name)

export const base64Placeholder = '<Base64-Image-Removed>'

const marked = (mark: Mark): Rule & { enter: NonNullable<Rule['enter']> } => ({
  enter({ paragraph }) {
    // A nested mark of the same kind would end the outer one.
    if (paragraph.isInside(mark.name)) return undefined
    paragraph.open(mark)
    return paragraph.close
  },
})

const strong = marked({ name: 'strong', open: '**', close: '**' })
const emphasis = marked({ name: 'emphasis', open: '_', close: '_' })
const deleted = marked({ name: 'deleted', open: '~~', close: '~~' })
const superscript: Mark = { name: 'raised', open: '^', close: '' }
const superscriptTerm: Mark = { name: 'raised', open: '^(', close: ')' }
const subscript: Mark = { name: 'lowered', open: '_', close: '' }
const subscriptTerm: Mark = { name: 'lowered', open: '_(', close: ')' }

const link: Rule = {
  enter({ paragraph }, element) {
    const href = element.getAttribute('href')
    if (!href || paragraph.isInside('link')) return undefined
    const target = `(${linkDestination(href)}${titleBeside(element, element.textContent)})`
    paragraph.open({ name: 'link', open: '[', close: `]${target}` })
    return paragraph.close
  },
}

/** Returns the title of a link or picture, unless it repeats the text or adds little to it. */
function titleBeside(element: Element, text: string): string {
  const title = element.getAttribute('title')
  if (title === null) return ''
  const [titleWords, words] = [wordsOf(title), wordsOf(text)]
  const isRepeated = oneLine(title) === oneLine(text) || (words !== '  ' && titleWords.includes(words))
  return isRepeated && titleWords.length <= words.length + maxAround ? '' : linkTitle(title)
}

const wordsOf = (text: string) => ` ${plainWordsIn(text).join(' ')} `

/** A title longer than the text by more than this many characters adds information. */
const maxAround = 30

const image: Rule = {
  enter({ paragraph, keepsBase64 }, element) {
    const source = element.getAttribute('src') ?? ''
    const alt = escapeInline((element.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim())
    if (source.startsWith('data:') && !keepsBase64) paragraph.add(`![${alt}](${base64Placeholder})`)
    else if (source)
      paragraph.add(`![${alt}](${linkDestination(source)}${titleBeside(element, element.getAttribute('alt') ?? '')})`)
    return 'skip'
  },
}

const code: Rule = {
  enter({ paragraph, blocks, cells, heading }, element) {
    const math = element.getAttribute('data-math')
    const text = element.textContent
    if (element.hasAttribute('data-line')) paragraph.add(codeSpan(text.trimEnd()))
    else if (math === null) addCode(paragraph, text)
    else if (math === 'inline' || cells || heading) paragraph.add(`$${text.replace(/\s+/g, ' ').trim()}$`)
    else {
      const before = paragraph.take()
      if (before) blocks.add(before)
      blocks.add(`$$\n${text.trim()}\n$$`)
    }
    return 'skip'
  },
}

/** White space at the edges of code is written outside it, as for any mark. */
function addCode(paragraph: Paragraph, text: string): void {
  if (/^\s/.test(text)) paragraph.text(' ')
  paragraph.add(codeSpan(text.replace(/[ \t\r\n\f]+/g, ' ').trim()))
  if (/\s$/.test(text)) paragraph.text(' ')
}

/**
 * Maximum size of a subscript or superscript; nested ones around a whole page would otherwise each read all of its
 * text.
 */
const maxScript = { nodes: 100, characters: 400 }

/**
 * Superscripts are marked if they would otherwise read as part of the number or word before: `10^6`, `m^2`, `e^(-x)`,
 * `word^1`, not `1st`.
 */
const raised: Rule = {
  enter({ paragraph }, element) {
    const note = element.getAttribute('data-footnote')
    if (note !== null) {
      paragraph.add(`[^${note}]`)
      return 'skip'
    }
    const mark = exceedsSize(element, maxScript.nodes, maxScript.characters) ? undefined : raisedMark(element)
    return mark && script(paragraph, mark)
  },
}

/** A superscript that is a link needs no mark: the brackets of the link set it apart. */
const isAllOfLink = ({ firstElementChild, parentNode, previousSibling }: Element) =>
  firstElementChild?.localName === 'a' || (parentNode?.localName === 'a' && !previousSibling)

function raisedMark(element: Element): Mark | undefined {
  const text = element.textContent.trim()
  const before = element.previousSibling?.textContent ?? ''
  const { firstElementChild: first } = element
  if (isNumber.test(text)) return isAllOfLink(element) ? undefined : superscript
  const isTerm = isFormula.test(text) && /(?:^|[^\p{L}])\p{L}$|[\d)]$/u.test(before)
  if (isTerm || isList.test(text)) return superscriptTerm
  const isVariable = /^\p{L}$/u.test(text) && first && /\p{L}$/u.test(before)
  // A letter after one letter or a number is part of an abbreviation or ordinal.
  const isNote = /^\p{Ll}$/u.test(text) && /(?:\p{Ll}{2}|[^\p{L}\p{N}\s[(])$/u.test(before)
  return isVariable || isNote ? superscript : undefined
}

/** Writes `x_i` and `V_out` if the plain text would be another word or number; H2O is unchanged. */
const lowered: Rule = {
  enter({ paragraph }, element) {
    if (exceedsSize(element, maxScript.nodes, maxScript.characters)) return undefined
    const text = element.textContent.trim()
    const before = element.previousSibling?.textContent ?? ''
    if (isFormula.test(text)) return /[\p{L}\d)]$/u.test(before) ? script(paragraph, subscriptTerm) : undefined
    const isIndex = /^\p{L}[\p{L}\d,]*$/u.test(text)
      ? /[\p{L}\d)]$/u.test(before)
      : /^\d/.test(text) && /\d$/.test(before)
    return isIndex ? script(paragraph, subscript) : undefined
  },
}

const isNumber = /^[-−+]?\d{1,3}$/
const isList = /^[\p{L}\d]{1,3}(?:\s*[,–]\s*[\p{L}\d]{1,3})+$/u
const isFormula = /^(?=.*[-−+*/=])[-−+]?[\p{L}\d]{1,4}(?:\s*[-−+*/=]\s*[\p{L}\d]{1,4}){0,6}$/u

function script(paragraph: Paragraph, mark: Mark): () => void {
  paragraph.open(mark)
  return paragraph.close
}

/** Old pages separate paragraphs with two consecutive breaks. */
const lineBreak: Rule = {
  enter({ paragraph, cells, heading, flush }) {
    if (cells) paragraph.breakLine('<br>')
    else if (paragraph.endsInBreak() && !heading) flush()
    else paragraph.breakLine('  \n')
    return 'skip'
  },
}

/** Browsers draw these quotation marks. */
const quotation: Rule = {
  enter({ paragraph }) {
    paragraph.text('"')
    return () => paragraph.text('"')
  },
}

const taskBox: Rule = {
  enter({ paragraph }, element) {
    if (isElement(element.parentNode)) paragraph.add(element.hasAttribute('checked') ? '[x] ' : '[ ] ')
    return 'skip'
  },
}

/** Adjacent controls are visually separate even without white space. */
const control: Rule = {
  enter({ paragraph }) {
    paragraph.text(' ')
    return () => paragraph.text(' ')
  },
}

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
    const classes = element.firstElementChild?.getAttribute('class') ?? ''
    const language = /language-(\S+)/.exec(classes)?.[1] ?? ''
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

const blockRules: Readonly<Record<string, Rule>> = {
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

const rules: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    ...blockRules,
    strong,
    b: strong,
    em: emphasis,
    i: emphasis,
    del: deleted,
    s: deleted,
    strike: deleted,
    a: link,
    img: image,
    code,
    kbd: code,
    samp: code,
    tt: code,
    q: quotation,
    button: control,
    label: control,
    sub: lowered,
    sup: raised,
    br: lineBreak,
    input: taskBox,
  }),
)
