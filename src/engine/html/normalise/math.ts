import { classOf, closest, type DomNode, type Element, elementsIn, isElement, oneLine } from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import type { ContentIndex } from '../dom/element-index.ts'
import { ownValue } from '../../../util/json.ts'
import { parseFragment } from '../parse/parse-html.ts'

const rendered = /(?:^|\s)(?:katex|MathJax)(?:\s|$)/
const preview = /(?:^|\s)MathJax_Preview(?:\s|$)/
const sourceBox = /(?:^|\s)(?:math|arithmatex|MathJye)(?:\s|$)/
const delimited = /^\s*\\([([])([\s\S]+)\\[)\]]\s*$/
/** Images of formulas with TeX as alt text. */
const formulaImage = /(?:^|\s)(?:latex|tex|mwe-math-fallback-image-(?:inline|display))(?:\s|$)/

/** Turns rendered formulas (KaTeX, MathJax, MathML, images with TeX) into `<code data-math>` with their TeX source. */
export function normaliseMath(content: ContentIndex): void {
  for (const box of content.classed()) {
    const name = classOf(box)
    if (!/math|katex|tex/i.test(name)) continue
    if (preview.test(name)) box.remove()
    else if (rendered.test(name)) toFormula(box)
    else if (sourceBox.test(name)) fromDelimited(box)
    else if (box.localName === 'img' && formulaImage.test(name))
      replace(box, box.getAttribute('alt'), /display/.test(name))
  }
  for (const box of content.named('mjx-container', 'math')) if (content.root.contains(box)) toFormula(box)
}

const texAttributes = ['data-math', 'data-latex', 'data-tex']

/**
 * Shows a formula that would be lost as hidden: its TeX from an attribute, KaTeX without MathML, and the MathML that
 * MediaWiki hides with a style. Returns true if the element was one.
 */
export function showFormula(element: Element): boolean {
  const name = classOf(element)
  const tex = texIn(element, name)
  if (element.localName === 'math') element.parentNode?.removeAttribute('style')
  else if (tex && element.localName !== 'code' && !/^[a-z]{3,}$/i.test(tex))
    replace(element, tex, element.localName === 'div' || /display|block/.test(name) || isDisplayed(element))
  else if (/(?:^|\s)katex(?:\s|$)/.test(name) && isDrawnOnly(elementsIn(element)))
    replace(element, texOfKatex(element), isDisplayed(element))
  else return false
  return true
}

/** Returns the TeX in an attribute; Quill keeps it in `data-value`. */
function texIn(element: Element, name: string): string | null {
  for (const attribute of texAttributes) if (element.hasAttribute(attribute)) return element.getAttribute(attribute)
  return /(?:^|\s)ql-formula(?:\s|$)/.test(name) ? element.getAttribute('data-value') : null
}

const isDrawnOnly = (inner: readonly Element[]) =>
  inner.some((part) => /(?:^|\s)katex-html(?:\s|$)/.test(classOf(part))) &&
  !inner.some(({ localName }) => localName === 'math')

function toFormula(box: Element): void {
  const around = closest(box, (up) => /(?:^|\s)MathJax_Display(?:\s|$)/.test(classOf(up)), 3) ?? box
  const next = around.nextElementSibling
  // MathJax 2 stores the source in a script right after the rendered formula.
  if (next?.hasAttribute('data-script')) around.remove()
  else replace(box, texOf(box), isDisplayed(box))
}

function fromDelimited(box: Element): void {
  const [, bracket, tex] = (box.firstElementChild ? null : delimited.exec(box.textContent)) ?? []
  if (tex) replace(box, tex, bracket === '[')
}

function replace(box: Element, tex: string | null | undefined, isBlock: boolean): void {
  const source = tex?.trim().replace(/^\{\\displaystyle\s+(?!\s)([\s\S]*)\}$/, '$1')
  if (!source) return
  const code = createElement('code')
  code.setAttribute('data-math', isBlock ? 'block' : 'inline')
  code.textContent = source
  box.replaceWith(code)
}

function texOf(box: Element): string | null | undefined {
  const inner = elementsIn(box)
  const annotation = inner.find(
    (part) => part.localName === 'annotation' && /tex/i.test(part.getAttribute('encoding') ?? ''),
  )
  const math = box.localName === 'math' ? box : inner.find((part) => part.localName === 'math')
  const source = box.getAttribute('data-mathml')
  return (
    annotation?.textContent ??
    (math ? (math.getAttribute('alttext') ?? texOfMathMl(math)) : source && texOfMathMl(parseFragment(source)))
  )
}

function isDisplayed(box: Element): boolean {
  const math = [box, ...box.children].find((part) => isElement(part) && part.hasAttribute('display'))
  if (math && /^(?:block|true)$/.test(math.getAttribute('display') ?? '')) return true
  return closest(box, (up) => /(?:^|\s)katex-display(?:\s|$)/.test(classOf(up)), 4) !== undefined
}

const functions = new Set(
  'sin cos tan cot sec csc log ln exp lim max min sup inf det dim ker gcd arg sinh cosh tanh'.split(' '),
)
const operators: Readonly<Record<string, string>> = {
  '∑': String.raw`\sum`,
  '∏': String.raw`\prod`,
  '∫': String.raw`\int`,
  '∞': String.raw`\infty`,
  '×': String.raw`\times`,
  '⋅': String.raw`\cdot`,
  '≤': String.raw`\le`,
  '≥': String.raw`\ge`,
  '≠': String.raw`\ne`,
  '→': String.raw`\to`,
  '−': '-',
  '{': String.raw`\{`,
  '}': String.raw`\}`,
}
const accents: Readonly<Record<string, string>> = {
  '¯': 'bar',
  '‾': 'overline',
  '^': 'hat',
  '~': 'tilde',
  '→': 'vec',
  '˙': 'dot',
}
/** Apply function, invisible times, separator, plus, and the zero-width space of KaTeX. */
const invisible = /[\u2061-\u2064\u200B]/g

type MathParts = readonly [first: string, second: string, third: string, ...rest: string[]]

const mathWriters: Readonly<Record<string, (parts: MathParts, node: Element) => string>> = {
  mi: (_, node) => identifier(ownText(node)),
  mo: (_, node) => ownValue(operators, ownText(node)) ?? ownText(node),
  mtext: (_, node) => `\\text{${node.textContent.replace(/\s+/g, ' ')}}`,
  mspace: () => ' ',
  mfrac: ([above, below]) => `\\frac{${above}}{${below}}`,
  msqrt: (parts) => `\\sqrt{${joined(parts)}}`,
  mroot: ([radicand, degree]) => `\\sqrt[${degree}]{${radicand}}`,
  msub: ([base, below]) => `${grouped(base)}_${index(below)}`,
  munder: ([base, below]) => `${grouped(base)}_${index(below)}`,
  msup: ([base, above]) => `${grouped(base)}^${index(above)}`,
  mover: ([base, above]) => (accents[above] ? `\\${accents[above]}{${base}}` : `${grouped(base)}^${index(above)}`),
  msubsup: ([base, below, above]) => `${grouped(base)}_${index(below)}^${index(above)}`,
  munderover: ([base, below, above]) => `${grouped(base)}_${index(below)}^${index(above)}`,
  mfenced: (parts, node) =>
    `${node.getAttribute('open') ?? '('}${parts.filter(Boolean).join(', ')}${node.getAttribute('close') ?? ')'}`,
  mtable: (parts) => `\\begin{matrix}${parts.filter(Boolean).join(' \\\\ ')}\\end{matrix}`,
  mtr: (parts) => parts.filter(Boolean).join(' & '),
  semantics: ([shown]) => shown,
}

/** Converts presentation MathML (MathML Core) to TeX, for formulas without their source in the page. */
function texOfMathMl(node: Element): string {
  const [first = '', second = '', third = '', ...rest] = node.children.map((child) => texOfMathMl(child))
  const parts: MathParts = [first, second, third, ...rest]
  const form = Object.hasOwn(mathWriters, node.localName) ? mathWriters[node.localName] : undefined
  if (form) return form(parts, node)
  return node.firstElementChild ? joined(parts) : ownText(node)
}

const katexWriters: readonly [name: RegExp, write: (rows: string[], box: Element) => string][] = [
  [/(?:^|\s)mfrac(?:\s|$)/, (rows) => `\\frac{${rows[0]}}{${rows.at(-1)}}`],
  [/(?:^|\s)sqrt(?:\s|$)/, (rows) => `\\sqrt{${rows.join('')}}`],
  [
    /(?:^|\s)msupsub(?:\s|$)/,
    ([above = '', below], box) => (below ? `_${index(below)}^${index(above)}` : mark(box) + index(above)),
  ],
  [/(?:^|\s)op-limits(?:\s|$)/, limits],
]

/** Converts the boxes that KaTeX draws to TeX, for formulas without their source in the page. */
function texOfKatex(node: DomNode): string {
  const text = isElement(node) ? '' : ownText(node)
  if (!isElement(node)) return ownValue(operators, text) ?? identifier(text)
  const write = katexWriters.find(([pattern]) => pattern.test(classOf(node)))?.[1]
  return write ? write(rowsOf(node).filter(Boolean), node) : joined(node.childNodes.map(texOfKatex).filter(Boolean))
}

/** Returns what a box shows above each other, from top to bottom. */
function rowsOf(box: Element): string[] {
  const list = elementsIn(box).find((inner) => /(?:^|\s)vlist(?:\s|$)/.test(classOf(inner)))
  return (list?.children ?? []).toSorted((one, other) => topOf(one) - topOf(other)).map(texOfKatex)
}

const topOf = (row: Element) => Number.parseFloat(/top:\s*([-\d.]+)/.exec(row.getAttribute('style') ?? '')?.[1] ?? '0')

/** KaTeX gives a box that reaches below the line a second row. */
const mark = (box: Element) =>
  elementsIn(box).some((inner) => /(?:^|\s)vlist-t2(?:\s|$)/.test(classOf(inner))) ? '_' : '^'

function limits(rows: string[], box: Element): string {
  const sign = rows.length > 2 || mark(box) === '^' ? 1 : 0
  const [above, below] = [sign > 0 ? rows[0] : undefined, rows[sign + 1]]
  return `${rows[sign]}${below ? `_${index(below)}` : ''}${above ? `^${index(above)}` : ''}`
}

function ownText(node: DomNode): string {
  return oneLine(node.textContent.replace(invisible, ''))
}

function identifier(name: string): string {
  if (functions.has(name)) return `\\${name}`
  return /^\p{L}{2,}$/u.test(name) ? `\\mathrm{${name}}` : name
}

/** A command would absorb the letter after it, and an index would appear to, so a space separates them. */
function joined(parts: readonly string[]): string {
  const isApart = (part: string, i: number) =>
    /^\w/.test(part) && /(?:\\[a-z]+|[_^]\w)$/i.test((parts[i - 1] ?? '').slice(-12))
  return parts.map((part, i) => (isApart(part, i) ? ` ${part}` : part)).join('')
}

const index = (part: string) => (/^.$/u.test(part) ? part : `{${part}}`)
const grouped = (part: string) => (/^(?:.|\\[a-z]+|\d+|)$/iu.test(part) ? part : `{${part}}`)
