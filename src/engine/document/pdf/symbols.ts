/** Which codes a symbol font draws as which marks, when the file does not say. */
export type Symbols = 'none' | 'symbol' | 'dingbats' | 'wingdings'

export function symbolsOf(fontName: string): Symbols {
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
