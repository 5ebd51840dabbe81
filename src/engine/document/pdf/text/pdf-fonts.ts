import type { PDFPageProxy } from 'unpdf/pdfjs'

/** Text style derived from the name and the descriptor of a font. */
export type Font = {
  name: string
  weight: 'normal' | 'bold'
  slant: 'upright' | 'italic'
  pitch: 'proportional' | 'fixed'
  symbols: Symbols
  isVertical: boolean
  /** Factor from width units of a glyph to fractions of the font size. */
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

/** Returns the fonts of a page by the names its operators use. Fonts are loaded together with the operators. */
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

/** Encoding of a symbol font, if the file does not define it. */
export type Symbols = 'none' | 'symbol' | 'dingbats' | 'wingdings'

function symbolsOf(fontName: string): Symbols {
  if (/zapf|dingbats(?!.*wing)/i.test(fontName) && !/wingding/i.test(fontName)) return 'dingbats'
  if (/wingding|webding|marlett|bullets/i.test(fontName)) return 'wingdings'
  return /symbol/i.test(fontName) ? 'symbol' : 'none'
}

/** Bullets and boxes, each after its code; other pictures of these fonts have no meaning in text. */
const marks: Readonly<Record<Symbols, ReadonlyMap<string, string>>> = {
  none: new Map(),
  symbol: pairs('·•¨◆'),
  dingbats: pairs('l●m○n■o❑p❑q❑r❑u◆v❖w●H★3✓4✓7✗8✗Ø➢ä➢Ô→'),
  wingdings: pairs('l●m○n■o❑p❑q❑r❑s◆t◆u◆v❖w◆§▪¨▫Ø➢à→ü✓þ☑û✗'),
}

function pairs(codesAndMarks: string): ReadonlyMap<string, string> {
  return new Map(codesAndMarks.match(/../gu)?.map((pair) => [pair.charAt(0), pair.charAt(1)]))
}

/** Symbol fonts often map their codes to the private use area of Unicode, from U+F000 on. */
export function symbolMark(unicode: string, symbols: Symbols): string | undefined {
  const code = unicode.charCodeAt(0)
  if (unicode.length !== 1) return undefined
  if (code < 0xf020 || code > 0xf0ff) return marks[symbols].get(unicode)
  const plain = String.fromCharCode(code - 0xf000)
  return marks[symbols].get(plain) ?? marks.wingdings.get(plain) ?? (plain === '·' ? '•' : undefined)
}
