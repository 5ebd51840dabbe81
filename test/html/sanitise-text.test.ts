import { describe, expect, it } from 'vitest'
import { sanitiseText } from '../../src/util/sanitise-text.ts'

const ignored: [string, string, string][] = [
  ['zero-width spaces', 'pass\u200Bword', 'password'],
  ['byte order marks and word joiners', '\uFEFFa\u2060b', 'ab'],
  ['bidirectional controls', 'a\u202Egnp.exe\u202C\u2066b\u2069\u200F', 'agnp.exeb'],
  ['tag characters', `hi${[...'run'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}!`, 'hi!'],
  ['soft hyphens', 'exam\u00ADple', 'example'],
  ['control characters', 'a\u0000\u0007\u009Bb', 'ab'],
  ['fillers', 'a\u3164\uFFA0b', 'ab'],
  ['joiners between Latin letters', 'a\u200Db\u200Cc', 'abc'],
  ['runs of joiners after a letter that may take one', 'می\u200C\u200D\u200C\u200Cخواهم', 'می\u200Cخواهم'],
  ['hidden bytes in variation selectors', `a${String.fromCodePoint(0xe0101, 0xe0142)}\uFE01b`, 'ab'],
]
const kept: [string, string][] = [
  ['families of emoji', '👩\u200D👩\u200D👧\u200D👦'],
  ['emoji with skin tone and profession', '👩🏽\u200D🚀'],
  ['the rainbow flag', '🏳\uFE0F\u200D🌈'],
  ['a heart in colour', '❤\uFE0F'],
  ['keycaps', '1\uFE0F\u20E3'],
  ['Persian half-spaces', 'می\u200Cخواهم'],
  ['Indic conjuncts', 'क्\u200Dष'],
  ['Malayalam chillus', 'ന്\u200D'],
  ['Sinhala conjuncts', 'ශ්\u200Dරී'],
  ['ideographic variants', `葛${String.fromCodePoint(0xe0100)}`],
  ['tabs and line ends', 'a\tb\nc'],
]

describe('text hygiene', () => {
  it.each(ignored)('removes %s', (_, written, left) => expect(sanitiseText(written)).toBe(left))
  it.each(kept)('keeps %s', (_, text) => expect(sanitiseText(text)).toBe(text))
})
