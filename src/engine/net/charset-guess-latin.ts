/** Letters beyond ASCII that languages write, by the charsets their old pages are in. */
const alphabets: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': [
    'àâæçéèêëîïôœùûüÿ',
    'äöüßé',
    'áéíóúüñ',
    'áâãàçéêíóôõú',
    'àèéìòùî',
    'åäöæøé',
    'áéíóúýþæöð',
    'àçèéíïòóúü',
    'éëïóöüèê',
  ],
  'windows-1250': central(),
  'iso-8859-2': central(),
  'windows-1254': ['çğıöşüâîû'],
  'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž'],
}

/** Polish, Czech, Slovak, Hungarian, Croatian and Slovene, Romanian. */
function central(): readonly string[] {
  return ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ']
}

const usual = 'windows-1252'
const minLetters = 4
const minShare = 0.95
/** How much better than in the usual charset the letters must fit. */
const minLead = 0.1
/** Whatever stands at a letter: in the wrong charset, letters turn into signs and controls in the middle of words. */
const atLetters = /(?<=\p{L})[^\0-\x7f]|[^\0-\x7f](?=[a-z])/gu
/** Signs that stand at letters in every language. */
const punctuation = /[\u2010-\u2026\u00a0\u00ab\u00bb\u00a9\u00ae\u2122\u00b0\u00b7\u20ac]/

/**
 * A charset for text in Latin letters whose accents would be none of a language of Western Europe, but all of one
 * language further east or south; undefined for Western Europe and where too little speaks for another.
 */
export function guessLatin(sample: Uint8Array): string | undefined {
  const ranked = Object.entries(alphabets)
    .map(([charset, languages]) => ({ charset, share: bestShare(sample, charset, languages) }))
    .toSorted((one, other) => other.share - one.share)
  const [best] = ranked
  const usualShare = ranked.find(({ charset }) => charset === usual)?.share ?? 0
  return best && best.share >= minShare && best.share - usualShare >= minLead ? best.charset : undefined
}

/** The share of the letters that belong to one language, of the language they fit best. */
function bestShare(sample: Uint8Array, charset: string, languages: readonly string[]): number {
  const text = new TextDecoder(charset).decode(sample, { stream: true }).toLowerCase()
  const letters = (text.match(atLetters) ?? []).filter((letter) => !punctuation.test(letter))
  if (letters.length < minLetters) return 0
  const counts = languages.map((alphabet) => letters.filter((letter) => alphabet.includes(letter)).length)
  return Math.max(...counts) / letters.length
}
