import type { PDFPageProxy } from 'unpdf/pdfjs'

/** What the name and the descriptor of a font say about the look of its text. */
export type Font = {
  name: string
  weight: 'normal' | 'bold'
  slant: 'upright' | 'italic'
  pitch: 'proportional' | 'fixed'
  symbols: Symbols
  isVertical: boolean
  /** Width units of a glyph → parts of the font size. */
  unit: number
}

export const plainFont: Font = {
  name: '',
  weight: 'normal',
  slant: 'upright',
  pitch: 'proportional',
  symbols: 'none',
  isVertical: false,
  unit: 0.001,
}

const bold = /bold|black|heavy|demi|(?:^|[-+,])medi$|^cmb|^(?:sf|ec)bx|-?bd(?:$|it)/i
const italic = /ital|obli|slant|^cm(?:ti|sl|mi|bxti)|^(?:sf|ec)(?:ti|sl)|[-,](?:it|bi)$|bdit$/i
const fixed =
  /mono|courier|consol|typewriter|menlo|inconsolata|source ?code|^cm(?:tt|sltt|itt)|^(?:sf|ec)tt|lmtt|nimbusmon|andale|fixed|terminal/i

/** Fonts of a page by the names its operators use; they are there once the operators are. */
export async function fontsOf(page: PDFPageProxy, names: Iterable<string>): Promise<ReadonlyMap<string, Font>> {
  const fonts = new Map<string, Font>()
  for (const name of names) {
    const loaded = await new Promise<unknown>((resolve) => page.commonObjs.get(name, resolve))
    fonts.set(name, fontOf(loaded))
  }
  return fonts
}

type LoadedFont = {
  name?: string
  fallbackName?: string
  fontMatrix?: ArrayLike<number>
  isType3Font?: boolean
  vertical?: boolean
  bold?: boolean
  italic?: boolean
}

function fontOf(loaded: unknown): Font {
  if (typeof loaded !== 'object' || loaded === null || loaded instanceof Error) return plainFont
  const facts = loaded as LoadedFont
  const name = (facts.name ?? '').replace(/^[A-Z]{6}\+/, '')
  return {
    name,
    weight: facts.bold || bold.test(name) ? 'bold' : 'normal',
    slant: facts.italic || italic.test(name) ? 'italic' : 'upright',
    pitch: facts.fallbackName === 'monospace' || fixed.test(name) ? 'fixed' : 'proportional',
    symbols: symbolsOf(name),
    isVertical: facts.vertical === true,
    unit: Math.abs(facts.fontMatrix?.[0] || 0.001),
  }
}

/** Which codes a symbol font draws as which marks, when the file does not say. */
export type Symbols = 'none' | 'symbol' | 'dingbats' | 'wingdings'

function symbolsOf(fontName: string): Symbols {
  if (/zapf|dingbats(?!.*wing)/i.test(fontName) && !/wingding/i.test(fontName)) return 'dingbats'
  if (/wingding|webding|marlett|bullets/i.test(fontName)) return 'wingdings'
  return /symbol/i.test(fontName) ? 'symbol' : 'none'
}

/** Marks of lists and boxes only, each after its code: other pictures of these fonts have no meaning in text. */
const marks: Readonly<Record<Symbols, ReadonlyMap<string, string>>> = {
  none: new Map(),
  symbol: pairs('·•¨◆'),
  dingbats: pairs('l●m○n■o❑p❑q❑r❑u◆v❖w●H★3✓4✓7✗8✗Ø➢ä➢Ô→'),
  wingdings: pairs('l●m○n■o❑p❑q❑r❑s◆t◆u◆v❖w◆§▪¨▫Ø➢à→ü✓þ☑û✗'),
}

function pairs(codesAndMarks: string): ReadonlyMap<string, string> {
  return new Map(codesAndMarks.match(/../gu)?.map((pair) => [pair.charAt(0), pair.charAt(1)]))
}

/** Fonts of symbols often put their codes into the private area of Unicode, from U+F000 on. */
export function symbolMark(unicode: string, symbols: Symbols): string | undefined {
  const code = unicode.charCodeAt(0)
  if (unicode.length !== 1) return undefined
  if (code < 0xf020 || code > 0xf0ff) return marks[symbols].get(unicode)
  const plain = String.fromCharCode(code - 0xf000)
  return marks[symbols].get(plain) ?? marks.wingdings.get(plain) ?? (plain === '·' ? '•' : undefined)
}
