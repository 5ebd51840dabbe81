import { usableHref } from './inline-markup.ts'

const greekCapitals = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'
const greekSmalls = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'
const symbolFont = signs(
  '22∀ 24∃ 27∋ 2d− a3≤ a5∞ ab↔ ac← ad↑ ae→ af↓ b0° b1± b3≥ b4× b5∝ b6∂ b7• b8÷ b9≠ ba≡ bb≈ bc… c5⊕ c6∅ c7∩ c8∪ cc⊂ ce∈ cf∉ d0∠ d1∇ d5∏ d6√ d7· d8¬ d9∧ da∨ db⇔ de⇒ e5∑ f2∫',
)
const wingdings = signs('4a☺ 4c☹ 6c● 6e■ 6f☐ 71❑ 75◆ 76❖ 9f• a7▪ a8☐ d8➢ e0→ df← e8➔ f0⇨ fb✗ fc✓ fd☒ fe☑')

/** Parses a table in which each sign follows its code, two hexadecimal digits. */
function signs(table: string): ReadonlyMap<number, string> {
  return new Map(table.split(' ').map((pair) => [Number.parseInt(pair.slice(0, 2), 16), pair.slice(2)]))
}

/** Returns the Unicode equivalent of a symbol font's character; undefined if there is none. */
export function symbolOf(font: string, code: number): string | undefined {
  const low = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code
  if (/^wingdings/i.test(font)) return wingdings.get(low)
  if (!/^symbol/i.test(font)) return code < 0xe000 ? String.fromCodePoint(code) : undefined
  if (low >= 0x41 && low <= 0x5a) return greekCapitals[low - 0x41]
  if (low >= 0x61 && low <= 0x7a) return greekSmalls[low - 0x61]
  return symbolFont.get(low) ?? (low >= 0x20 && low < 0x7f ? String.fromCodePoint(low) : undefined)
}

const maxOpen = 20
const maxCode = 8000

export type Fields = ReturnType<typeof createFields>

/**
 * Tracks Word fields, which are marked between runs: begin, code, separator, result, end. They nest, and a table of
 * contents spans many paragraphs.
 */
export function createFields() {
  const open: { code: string; isResult: boolean }[] = []
  return {
    begin: () => void (open.length < maxOpen && open.push({ code: '', isResult: false })),
    code(text: string): void {
      const field = open.at(-1)
      if (field && !field.isResult && field.code.length < maxCode) field.code += text
    },
    separate(): void {
      const field = open.at(-1)
      if (field) field.isResult = true
    },
    end: () => void open.pop(),
    /** True if the text is an instruction, or a result that repeats other text. */
    isSilent: () => open.some(({ code, isResult }) => !isResult || isSilentCode(code)),
    href: () => hrefOf(open.findLast(({ code }) => hrefOf(code) !== undefined)?.code ?? ''),
  }
}

/** Matches tables of contents and indexes, whose text the document contains anyway, and page numbers. */
export const isSilentCode = (code: string) => /^\s*(?:TOC|INDEX|PAGE|NUMPAGES)\b/i.test(code)

/** Returns the URL in a HYPERLINK instruction, including its fragment; undefined for a place in the document itself. */
export function hrefOf(code: string): string | undefined {
  const [, quoted, bare] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]\S*))/i.exec(code) ?? []
  const place = /\s\\l\s+"([^"]*)"/i.exec(code)?.[1]
  return withPlace(usableHref(quoted?.replaceAll('\\\\', '\\') ?? bare), place)
}

export function withPlace(href: string | undefined, place: string | undefined): string | undefined {
  return href === undefined || !place || href.includes('#') ? href : `${href}#${place}`
}
