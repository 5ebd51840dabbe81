/** Letters that Unicode does not decompose, with their spelling on keyboards that lack them. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const letterToFold = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')
/** Accents, which are removed in these scripts only: in others, a combining mark changes the letter. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{Mn}*)\p{Mn}+/gu
/** Scripts that do not reliably separate words by spaces. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー`
const runs = new RegExp(`[${unspaced}][${unspaced}\\p{M}]*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
/** Runs of text in scripts without spaces between words. */
export const unspacedRuns = new RegExp(`[${unspaced}][${unspaced}\\p{M}]*`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/**
 * Returns the words of a text, normalised for comparison: in lower case, without accents, and with English words
 * reduced to their stems. For text in scripts without spaces, the words are pairs of adjacent characters.
 */
export function wordsIn(text: string): string[] {
  return isPlain.test(text) ? plainWords(text) : otherWords(text)
}

/** Matches ASCII, which nearly all URLs are, and which can be split into words faster. */
const isPlain = /^[\n\x20-\x7e]*$/

function plainWords(text: string): string[] {
  const spaced = text.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase()
  const words = spaced.replace(/([a-z])'s?(?![a-z])/g, '$1').match(/[a-z0-9]+/g)
  return words?.map(stemOf) ?? []
}

function otherWords(text: string): string[] {
  const spaced = text.normalize('NFKD').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
  const folded = spaced
    .toLowerCase()
    .replace(accents, '')
    .replace(letterToFold, (letter) => plainLetters[letter] ?? letter)
    .replace(/(?<=\p{L})['’]s?(?!\p{L})/gu, '')
    .normalize('NFC')
  return Array.from(folded.matchAll(runs)).flatMap(([run]) => (isUnspaced.test(run) ? pairsOf(run) : stemOf(run)))
}

/** Returns the words of a text in lower case, with accents and endings. */
export const plainWordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.length === 1 ? characters : characters.slice(1).map((next, at) => `${characters[at]}${next}`)
}

/** Estimates the number of words. In scripts without spaces, two characters count as one word. */
export function countWords(text: string): number {
  const unspacedLength = (text.match(unspacedRuns) ?? []).reduce((sum, run) => sum + run.length, 0)
  return text.split(/\s+/).length + Math.floor(unspacedLength / 2)
}

/**
 * Light stemmer: removes plurals, the most common endings of English verbs and nouns, and a final `e`, so that price,
 * prices and pricing are equal. The stem need not be a word.
 */
export function stemOf(word: string): string {
  if (word.length < 4 || word === 'news' || !/^[a-z]+$/.test(word)) return word
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/([^su])s$/, '$1')
  const bare = singular.replace(/(?:ations?|ating|ated|ings?|ed|ly)$/, (end, at: number) => (at >= 4 ? '' : end))
  const short = bare.length > 4 ? bare.replace(/([b-df-hj-np-tv-z])\1$/, '$1') : bare
  return short.length > 3 ? short.replace(/e$/, '').replace(/y$/, 'i') : short
}

/** English words that do not describe the topic of a page: the Snowball stop word list without contractions. */
export const stopWords: ReadonlySet<string> = new Set(
  `i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them
  their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing
  would should could ought a an the and but if or because as until while of at by for with about against between into through during before
  after above below to from up down in out on off over under again further then once here there when where why how all any both each few more
  most other some such no nor not only own same so than too very can will`.split(/\s+/),
)

/** Returns the words without stop words; all words if they are only stop words. */
export function significantWords(words: readonly string[]): readonly string[] {
  const significant = words.filter((word) => !stopWords.has(word.toLowerCase()))
  return significant.length > 0 ? significant : words
}

/** Returns the edit distance: the number of letters to insert, delete, replace or swap. */
export function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const [above = 0, diagonal = 0, left = 0] = [last[column], last[column - 1], next[column - 1]]
      const plain = Math.min(above + 1, left + 1, diagonal + (isSame ? 0 : 1))
      next.push(row > 1 && isSwap ? Math.min(plain, (before[column - 2] ?? 0) + 1) : plain)
    }
    before = last
    last = next
  }
  return last.at(-1) ?? 0
}

/** Returns the only candidate with this prefix, otherwise the closest one within a third of the length. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const matching = candidates.filter((candidate) => typed.length > 1 && candidate.startsWith(typed))
  if (matching.length === 1) return matching[0]
  const most = Math.max(1, Math.floor(typed.length / 3))
  const near = candidates
    .map((candidate) => ({ candidate, far: distance(typed, candidate) }))
    .filter(({ far }) => far <= most && far < typed.length)
  return near.toSorted((one, other) => one.far - other.far)[0]?.candidate
}

/** Returns ` Did you mean X?`, or an empty string. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = closest(word, candidates)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Decodes a part of a URL; returns it unchanged if an escape is invalid. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
