import { type Element, isElement, oneLine, exceedsSize } from '../dom/dom-tree.ts'
import { plainWordsIn } from '../../../util/words.ts'
import { blockRules } from './block-rules.ts'
import { codeSpan, escapeInline, linkDestination, linkTitle } from './escape.ts'
import type { Mark, Paragraph } from './paragraph.ts'
import type { Rule } from './writing.ts'

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

/** Larger elements are neither an index nor a power; nested boxes around a whole page would each read all of it. */
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

/** The brackets of a link set it apart. */
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
