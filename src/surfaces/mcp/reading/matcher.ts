import { fail } from '../../../kernel/error.ts'
import { tellingWords, wordsIn } from '../../../util/words.ts'

/** How well each thing that is looked for is met by a text (0: not at all), and where the first one stands. */
export type Hit = { scores: readonly number[]; at: number; isPhrase: boolean }
export type Matcher = {
  /** Number of things looked for. */
  count: number
  hit(text: string): Hit | undefined
}

/** Size of a program from which on linear is not soon: its time is that of the text, times this. */
const maxProgram = 1000

/** What `find` means: words, or an expression between slashes. Fails with BAD_REQUEST where the expression is none. */
export async function matcherOf(find: string): Promise<Matcher> {
  const [, pattern, flags = ''] = /^\/(.+)\/([gimsuy]*)$/s.exec(find.trim()) ?? []
  return pattern === undefined ? wordMatcher(find) : expressionMatcher(pattern, flags)
}

/** RE2 takes time linear in the text, whatever the expression. */
async function expressionMatcher(pattern: string, flags: string): Promise<Matcher> {
  const { RE2JS } = await import('re2js')
  const asked =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0)
  const compile = () => {
    try {
      return RE2JS.compile(RE2JS.translateRegExp(pattern), asked)
    } catch {
      return refuse('it is not valid, or uses look-around or back-references')
    }
  }
  const expression = compile()
  if (expression.programSize() > maxProgram) refuse('it is too large')
  return {
    count: 1,
    hit(text) {
      const matcher = expression.matcher(text)
      return matcher.find() ? { scores: [1], at: matcher.start(), isPhrase: true } : undefined
    },
  }
}

function refuse(reason: string): never {
  const message = `The expression in find cannot be used: ${reason}. Expected: words, or /expression/ of RE2.`
  return fail('BAD_REQUEST', { message, details: [{ path: ['find'], message, code: 'invalid_pattern' }] })
}

/** More make it slow and tell nothing. */
const mostWords = 20

function wordMatcher(find: string): Matcher {
  const phrase = folded(find).trim().replace(/\s+/g, ' ')
  const all = [...new Set(phrase.split(' ').filter((word) => word !== ''))]
  const words = tellingWords(all)
    .slice(0, mostWords)
    .map((word) => ({ word, stem: stemFor(word) }))
  return {
    count: words.length,
    hit(text) {
      const lower = folded(text)
      const found = words.map((each) => wordHit(lower, each))
      const first = found.reduce((least, { at }) => (at !== -1 && (least === -1 || at < least) ? at : least), -1)
      if (first === -1) return undefined
      const whole = lower.indexOf(phrase)
      return {
        scores: found.map(({ score }) => score),
        at: whole === -1 ? first : whole,
        isPhrase: whole !== -1,
      }
    },
  }
}

/** What is left of a word once its ending is off; the word itself where that would not find it. */
function stemFor(word: string): string {
  const [stem = ''] = wordsIn(word).length === 1 ? wordsIn(word) : []
  const bare = stem.replace(/i$/, '')
  return bare.length > 2 && word.startsWith(bare) ? bare : word
}

const wordScores = { whole: 3, begun: 2, within: 1 }

/** Whole words count more than words that only begin so, and these more than parts of words. */
function wordHit(text: string, { word, stem }: { word: string; stem: string }): { score: number; at: number } {
  const any = text.indexOf(stem)
  if (any === -1) return { score: 0, at: -1 }
  const whole = placeOf(text, word, isApart)
  if (whole !== -1) return { score: wordScores.whole, at: whole }
  const begun = placeOf(text, stem, (from) => !isLetter(text, from - 1))
  return begun === -1 ? { score: wordScores.within, at: any } : { score: wordScores.begun, at: begun }

  function isApart(from: number): boolean {
    return !isLetter(text, from - 1) && !isLetter(text, from + word.length)
  }
}

function placeOf(text: string, sought: string, fits: (at: number) => boolean): number {
  let at = text.indexOf(sought)
  while (at !== -1 && !fits(at)) at = text.indexOf(sought, at + 1)
  return at
}

const isLetter = (text: string, at: number): boolean => at >= 0 && /[\p{L}\p{N}_]/u.test(text.charAt(at))

/** Without regard to case, accents and escapes of markdown, which move what follows by little. */
function folded(text: string): string {
  const lower = text.toLowerCase().replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  if (/^[\n\r\t\x20-\x7e]*$/.test(lower)) return lower
  return lower.replace(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => letter.normalize('NFD').charAt(0))
}
