import type { PDFPageProxy } from 'unpdf/pdfjs'
import { symbolsOf, type Symbols } from './symbols.ts'

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
