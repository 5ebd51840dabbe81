import { at, child, childrenOf, elementsOf, textOf, type XmlElement } from '../xml/xml-stream.ts'

const bigOperators = commands('∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint ⋃bigcup ⋂bigcap ⋁bigvee ⋀bigwedge')
/** Accents, which Office stores as combining marks. */
const accents = commands(
  '\u0300grave \u0301acute \u0302hat \u0303tilde \u0304bar \u0305overline \u0306breve \u0307dot \u0308ddot \u030Ccheck \u20D7vec',
)
const functions = /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|log|ln|exp|lim|max|min|sup|inf|det|gcd|arg|deg|dim|ker)$/

type Write = (element: XmlElement) => string

/** Maps each structure of Office MathML (ISO/IEC 29500-1, 22.1) to equivalent TeX. */
const writers: Readonly<Record<string, Write>> = {
  'm:r': (run) => escapeTex(childrenOf(run, 'm:t').map(textOf).join('')),
  'm:f': fraction,
  'm:sSup': (e) => `${base(e)}^${group(e, 'm:sup')}`,
  'm:sSub': (e) => `${base(e)}_${group(e, 'm:sub')}`,
  'm:sSubSup': (e) => `${base(e)}_${group(e, 'm:sub')}^${group(e, 'm:sup')}`,
  'm:sPre': (e) => `{}_${group(e, 'm:sub')}^${group(e, 'm:sup')}${part(e, 'm:e')}`,
  'm:rad': (e) => {
    const degree = part(e, 'm:deg')
    return `\\sqrt${degree && `[${degree}]`}${group(e, 'm:e')}`
  },
  'm:nary': nary,
  'm:d': fence,
  'm:func': (e) => `${functionName(part(e, 'm:fName'))} ${part(e, 'm:e')}`,
  'm:acc': (e) => `${accents.get(characterOf(e, 'm:accPr') ?? '\u0302') ?? '\\hat'}${group(e, 'm:e')}`,
  'm:bar': (e) =>
    `${at(e, 'm:barPr', 'm:pos')?.attributes['m:val'] === 'top' ? '\\overline' : '\\underline'}${group(e, 'm:e')}`,
  'm:groupChr': (e) => (characterOf(e, 'm:groupChrPr') === '⏞' ? '\\overbrace' : '\\underbrace') + group(e, 'm:e'),
  'm:limLow': (e) => `${functionName(part(e, 'm:e'))}_${group(e, 'm:lim')}`,
  'm:limUpp': (e) => `${functionName(part(e, 'm:e'))}^${group(e, 'm:lim')}`,
  'm:m': (e) =>
    grid(
      'matrix',
      childrenOf(e, 'm:mr').map((row) => childrenOf(row, 'm:e').map(inside).join(' & ')),
    ),
  'm:eqArr': (e) => grid('aligned', childrenOf(e, 'm:e').map(inside)),
}

/** Returns the TeX of a formula (`m:oMath`) or of anything inside one. */
export function texOf(element: XmlElement): string {
  const write = writers[element.name]
  if (write) return write(element)
  return /^m:(?:\w+Pr|ctrlPr)$/.test(element.name) ? '' : inside(element)
}

const inside: Write = (element) => elementsOf(element).map(texOf).join('')
const part = (element: XmlElement, name: string) => elementsOf(child(element, name)).map(texOf).join('')
const group = (element: XmlElement, name: string) => `{${part(element, name)}}`
const grid = (name: string, rows: readonly string[]) => `\\begin{${name}}${rows.join(' \\\\ ')}\\end{${name}}`

/** Returns the base of an index, in braces if it has more than one character. */
function base(element: XmlElement): string {
  const tex = part(element, 'm:e')
  return /^(?:\\[a-z]+|.)?$/iu.test(tex) ? tex : `{${tex}}`
}

function fraction(element: XmlElement): string {
  const kind = at(element, 'm:fPr', 'm:type')?.attributes['m:val']
  if (kind === 'lin' || kind === 'skw') return `${group(element, 'm:num')}/${group(element, 'm:den')}`
  return `${kind === 'noBar' ? '\\binom' : '\\frac'}${group(element, 'm:num')}${group(element, 'm:den')}`
}

function nary(element: XmlElement): string {
  const sign = characterOf(element, 'm:naryPr') ?? '∫'
  const [from, to] = [part(element, 'm:sub'), part(element, 'm:sup')]
  return `${bigOperators.get(sign) ?? sign}${from && `_{${from}}`}${to && `^{${to}}`} ${part(element, 'm:e')}`
}

function fence(element: XmlElement): string {
  const sign = (name: string) => at(element, 'm:dPr', name)?.attributes['m:val']
  const close = (written: string) => (written === '' ? '.' : escapeTex(written))
  const content = childrenOf(element, 'm:e')
    .map(inside)
    .join(sign('m:sepChr') ?? '|')
  const [open, end] = [sign('m:begChr') ?? '(', sign('m:endChr') ?? ')']
  const isTall = /\\(?:frac|sum|prod|int|begin|sqrt|binom)/.test(content)
  if (!isTall && open !== '' && end !== '') return escapeTex(open) + content + escapeTex(end)
  return `\\left${close(open)}${content}\\right${close(end)}`
}

const characterOf = (element: XmlElement, properties: string) => at(element, properties, 'm:chr')?.attributes['m:val']

function functionName(tex: string): string {
  return functions.test(tex) ? `\\${tex}` : tex
}

function escapeTex(text: string): string {
  return text.replace(/[\\{}#$%&_~^]/g, (sign) =>
    sign === '\\' ? '\\backslash ' : sign === '~' || sign === '^' ? sign : `\\${sign}`,
  )
}

/** Parses a table of signs, each followed by its command. */
function commands(table: string): ReadonlyMap<string, string> {
  return new Map(table.split(' ').map((pair) => [pair.slice(0, 1), `\\${pair.slice(1)}`]))
}
