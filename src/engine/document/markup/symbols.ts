const greekCapitals = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'
const greekSmalls = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'
const symbolFont = signs(
  '22∀ 24∃ 27∋ 2d− a3≤ a5∞ ab↔ ac← ad↑ ae→ af↓ b0° b1± b3≥ b4× b5∝ b6∂ b7• b8÷ b9≠ ba≡ bb≈ bc… c5⊕ c6∅ c7∩ c8∪ cc⊂ ce∈ cf∉ d0∠ d1∇ d5∏ d6√ d7· d8¬ d9∧ da∨ db⇔ de⇒ e5∑ f2∫',
)
const wingdings = signs('4a☺ 4c☹ 6c● 6e■ 6f☐ 71❑ 75◆ 76❖ 9f• a7▪ a8☐ d8➢ e0→ df← e8➔ f0⇨ fb✗ fc✓ fd☒ fe☑')

/** Each sign follows its code, two hexadecimal digits. */
function signs(table: string): ReadonlyMap<number, string> {
  return new Map(table.split(' ').map((pair) => [Number.parseInt(pair.slice(0, 2), 16), pair.slice(2)]))
}

/** What a character of a symbol font shows, as Unicode; undefined where no character is like it. */
export function symbolOf(font: string, code: number): string | undefined {
  const low = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code
  if (/^wingdings/i.test(font)) return wingdings.get(low)
  if (!/^symbol/i.test(font)) return code < 0xe000 ? String.fromCodePoint(code) : undefined
  if (low >= 0x41 && low <= 0x5a) return greekCapitals[low - 0x41]
  if (low >= 0x61 && low <= 0x7a) return greekSmalls[low - 0x61]
  return symbolFont.get(low) ?? (low >= 0x20 && low < 0x7f ? String.fromCodePoint(low) : undefined)
}
