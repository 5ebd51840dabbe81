/**
 * Invisible characters, which can carry text hidden from the reader: controls, bidirectional controls, zero-width
 * characters, fillers, tag characters, noncharacters and lone surrogates (which some clients cannot decode). Sources:
 * Unicode 17 Default_Ignorable_Code_Point and UTS #39.
 */
const invisible = new RegExp(
  `[${[
    String.raw`\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E`,
    String.raw`\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB`,
    String.raw`\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}`,
    String.raw`\p{Noncharacter_Code_Point}\p{Surrogate}`,
  ].join('')}]+`,
  'gu',
)
/** Joiners and variation selectors: part of the spelling in some contexts, a way to hide text in all others. */
const contextual = String.raw`[\u{180B}-\u{180D}\u{180F}\u{200C}\u{200D}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]`
const anyContextual = new RegExp(contextual, 'u')
const runOfContextual = new RegExp(`${contextual}+`, 'gu')

const emojiBefore = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})$/u
const emojiAfter = /^\p{Extended_Pictographic}/u
const joiningLetter =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Adlam}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Inherited}]$/u
/**
 * Variation selectors, and the characters after which they are valid. If they were allowed after any letter, each letter
 * could carry a hidden byte. Source: StandardizedVariants and emoji-variation-sequences of Unicode 17.
 */
const variationRules: readonly (readonly [selectors: RegExp, after: RegExp])[] = [
  [/[\uFE0E\uFE0F]/, /(?![\d#*])\p{Emoji}$/u],
  [/[\uFE00-\uFE02]/, /[\p{Sm}0\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\u3000-\u303F\uFF00-\uFFEF]$/u],
  [/[\u180B-\u180D\u180F]/, /\p{Script=Mongolian}$/u],
  [/[\u{E0100}-\u{E011F}]/u, /\p{Script=Han}$/u],
]
const keycap = '\uFE0F\u20E3'

/** Matches all characters that may be removed, and some others, faster than the exact rules. */
const suspicious = new RegExp(
  `[${[
    String.raw`\0-\x08\x0B-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E`,
    String.raw`\u2060-\u206F\u3164\uD800-\uDFFF\uFDD0-\uFDEF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFF`,
  ].join('')}]`,
)

/**
 * Removes invisible characters and normalises line ends to LF; keeps joiners needed by emoji, Arabic and Indic scripts.
 */
export function sanitiseText(text: string): string {
  if (!suspicious.test(text)) return text
  const plain = text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(invisible, '')
  if (!anyContextual.test(plain)) return plain
  return plain.replace(runOfContextual, (run, at: number) => meaningfulMarks(run, plain, at))
}

/** Sanitises a text and joins its lines, for names, titles and messages. */
export const sanitiseLine = (text: string): string => sanitiseText(text).replace(/\s+/g, ' ').trim()

/** Reduces a run of joiners and selectors to one selector and one joiner valid after the preceding character. */
function meaningfulMarks(run: string, text: string, at: number): string {
  const before = lastCharacter(text, at)
  const marks = [...run]
  const selector = marks[0] && (maySelect(before, marks[0]) || text.startsWith(keycap, at)) ? marks[0] : ''
  const joiner = marks[selector ? 1 : 0]
  const after = text.slice(at + run.length, at + run.length + 2)
  return selector + (joiner && mayJoin(joiner, before, after) ? joiner : '')
}

function lastCharacter(text: string, end: number): string {
  return Array.from(text.slice(Math.max(0, end - 2), end)).at(-1) ?? ''
}

function maySelect(before: string, selector: string): boolean {
  return variationRules.some(([selectors, after]) => selectors.test(selector) && after.test(before))
}

function mayJoin(joiner: string, before: string, after: string): boolean {
  if (joiner !== '\u200C' && joiner !== '\u200D') return false
  if (joiner === '\u200D' && emojiBefore.test(before)) return emojiAfter.test(after)
  return joiningLetter.test(before)
}
