import type { SearchQuery } from '../../../../contracts/search-port.ts'
import { isMarkOnly, plainLine, sentencesOf } from '../../../../util/plain-markdown.ts'
import { rarity } from '../../../../util/rank.ts'
import { significantWords, wordsIn } from '../../../../util/words.ts'

const maxLength = 300
/** Text beyond this position is not searched. */
const maxSearched = 50_000
const maxLine = 2000
/** Weight of heading words for the text below, because a heading describes it. */
const headingShare = 0.4
const phraseWeight = 2

/** Words and phrases to find in a page, tokenized by `wordsIn`. */
export type Needles = { words: readonly string[]; phrases: readonly (readonly string[])[] }

export function needlesOf({ terms, phrases, inTitle, related }: SearchQuery): Needles {
  const typed = [...terms, ...phrases, ...inTitle].flatMap((text) => text.split(/\s+/))
  const words = new Set(significantWords(typed).flatMap(wordsIn))
  return {
    words: related === undefined ? [...words] : [],
    phrases: phrases.map(wordsIn).filter(({ length }) => length > 1),
  }
}

type Window = { text: string; score: number }

/**
 * Returns the best passage of at most 300 characters: ranges of whole sentences are scored by the words they cover,
 * rare words counting more. Undefined if the page contains none of the words.
 */
export function passageOf(markdown: string, needles: Needles): string | undefined {
  if (needles.words.length === 0) return undefined
  const blocks = blocksOf(markdown, needles)
  const weights = weightsOf(blocks, needles)
  let best: Window | undefined
  for (const { sentences, context } of blocks)
    for (let at = 0; at < sentences.length; at++) {
      const window = windowAt(sentences, at, { weights, needles, context })
      if (window.score > (best?.score ?? 0)) best = window
    }
  return best?.text
}

type Sentence = { text: string; words: readonly string[] }
/** A block of text. `context`: words of the heading above it. */
type Read = { sentences: Sentence[]; context: ReadonlySet<string> }

/** Returns blocks that contain a searched word, in reading order. Most do not, and are skipped by a substring check. */
function blocksOf(markdown: string, needles: Needles): Read[] {
  const found: Read[] = []
  const hints = needles.words.map(hintOf)
  let heading: ReadonlySet<string> = new Set()
  for (const line of linesOf(markdown)) {
    const isHeading = line.startsWith('#')
    if (!isHeading && !mayHold(line, hints)) continue
    if (isMarkOnly(line)) continue
    const block = blockOf(line)
    const sentences = sentencesFrom(block, hints)
    const matched = sentences.flatMap(({ words }) => words).filter((word) => needles.words.includes(word))
    if (block.isHeading) heading = new Set(matched)
    if (matched.length > 0) found.push({ sentences, context: block.isHeading ? new Set() : heading })
  }
  return found
}

/** Splits long lines, because removing markup may take time quadratic in the line length. */
const linesOf = (markdown: string): string[] =>
  markdown
    .slice(0, maxSearched)
    .split('\n')
    .flatMap((line) => (line.length <= maxLine ? [line] : (line.match(linePieces) ?? [])))
const linePieces = new RegExp(`[^]{1,${maxLine}}(?=\\s|$)|[^]{1,${maxLine}}`, 'gu')

/**
 * Returns a prefix that other forms of the word probably share. The page may write it with other letters, such as
 * accented ones, so `mayHold` accepts every line with non-ASCII letters.
 */
const hintOf = (word: string) => (/^[a-z]+$/.test(word) ? word.slice(0, Math.max(3, word.length - 1)) : word)
const mayHold = (line: string, hints: readonly string[]) => {
  if (/[\u00a1-\u1fff\u2070-\uffff]/.test(line)) return true
  const text = line.toLowerCase()
  return hints.some((hint) => text.includes(hint))
}

/** Tokenizes only sentences that may contain a searched word. */
const sentencesFrom = ({ text }: Block, hints: readonly string[]): Sentence[] =>
  sentencesOf(text)
    .flatMap(cut)
    .map((part) => ({ text: part, words: mayHold(part, hints) ? wordsIn(part) : [] }))

/** Splits a sentence that is too long for a passage, at spaces if possible. */
function cut(sentence: string): string[] {
  const text = sentence.trim()
  if (text.length <= maxLength) return [text]
  const space = text.lastIndexOf(' ', maxLength - 1)
  const end = space > maxLength / 2 ? space : maxLength - 2
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
  const at = isHalf ? end - 1 : end
  return [`${text.slice(0, at).trimEnd()}…`, ...cut(text.slice(at))]
}

/** Returns the weight of each word: its inverse document frequency over the sentences that contain any of the words. */
function weightsOf(blocks: readonly Read[], { words }: Needles): ReadonlyMap<string, number> {
  const sentences = blocks.flatMap((block) => block.sentences)
  return new Map(
    words.map((word) => {
      const spread = sentences.filter((sentence) => sentence.words.includes(word)).length
      return [word, rarity(spread, sentences.length) + 0.1]
    }),
  )
}

type Scoring = { weights: ReadonlyMap<string, number>; needles: Needles; context: ReadonlySet<string> }

/** Returns the longest passage that starts with a sentence; only whole sentences are added. */
function windowAt(sentences: readonly Sentence[], at: number, scoring: Scoring): Window {
  const first = sentences[at]
  if (!first || !first.words.some((word) => scoring.weights.has(word))) return { text: '', score: 0 }
  let { text } = first
  const words = [...first.words]
  for (const next of sentences.slice(at + 1)) {
    const longer = `${text}${/[。！？]$/u.test(text) ? '' : ' '}${next.text}`
    if (longer.length > maxLength) break
    text = longer
    words.push(...next.words)
  }
  // A single word in a list or table is less useful than a sentence about it.
  return { text, score: scoreOf(words, scoring) * Math.min(1, 0.4 + text.length / 120) }
}

function scoreOf(words: readonly string[], { weights, needles, context }: Scoring): number {
  const counts = new Map<string, number>()
  for (const word of words) if (weights.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const covered = [...weights].reduce((sum, [word, weight]) => {
    const count = counts.get(word) ?? 0
    return sum + weight * (count > 0 ? 1 + 0.1 * Math.min(count - 1, 3) : context.has(word) ? headingShare : 0)
  }, 0)
  const phrases = needles.phrases.filter((phrase) => holdsInTurn(words, phrase)).length
  return covered + phrases * phraseWeight
}

const holdsInTurn = (words: readonly string[], phrase: readonly string[]) =>
  words.some((_, at) => phrase.every((word, nth) => words[at + nth] === word))

/** One line of a page as plain text, without markdown. */
type Block = { text: string; isHeading: boolean }

/** Converts a line of markdown to plain text: no markup, URLs or table borders. */
const blockOf = (line: string): Block => ({
  text: plainLine(line),
  isHeading: /^\s{0,3}#{1,6}\s/.test(line),
})
