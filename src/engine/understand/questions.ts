import type { PageContent, ShownQuestion } from '../../contracts/page-content.ts'
import { blocksOf, unitsOf, type Block } from '../../util/markdown-blocks.ts'
import { rank, type Fit } from '../../util/rank.ts'
import { countWords } from '../../util/words.ts'

const maxHighlights = 5
/** Minimum score of a sentence, as a share of the best one. */
const minShare = 0.64
/** Number of sentences after a heading that inherit its relevance, and the loss per sentence. */
const reach = 4
const decay = 0.15

/** Returns the sentences of a page relevant to a query, verbatim and in reading order. */
export function highlightsFrom(markdown: string, query: string): string[] {
  const units = unitsOf(blocksOf(markdown))
  const fits = rank(
    units.map(({ text }) => text),
    query,
  )
  const values = units.map((unit, at) => worthOfUnit(unit, at, units, fits))
  const best = Math.max(0, ...values)
  if (best === 0) return []
  return values
    .map((value, at) => ({ value, at }))
    .filter(({ value }) => value >= best * minShare)
    .toSorted((one, other) => other.value - one.value)
    .reduce<number[]>((chosen, { at }) => (isNew(at, chosen, units) ? [...chosen, at] : chosen), [])
    .toSorted((one, other) => one - other)
    .flatMap((at) => units[at]?.source ?? [])
}

/** False for a repetition of a chosen sentence, such as the teaser of a later section. */
const isNew = (at: number, chosen: readonly number[], units: readonly Block[]) =>
  chosen.length < maxHighlights && !chosen.some((better) => isSameText(units[better], units[at]))

const isSameText = (one: Block | undefined, other: Block | undefined) =>
  one !== undefined && other !== undefined && (one.text.includes(other.text) || other.text.includes(one.text))

/** Scores a sentence by its own words, or by the heading or question above it; single words and questions score low. */
function worthOfUnit({ text, level }: Block, at: number, units: readonly Block[], fits: readonly Fit[]): number {
  const own = fits[at] ? fits[at].score * (0.4 + 0.6 * fits[at].coverage) : 0
  const value = Math.max(own, inherited(at, units, fits))
  const isShort = countWords(text) < 4
  return value * (isShort ? 0.3 : 1) * (text.endsWith('?') || level > 0 ? 0.3 : 1)
}

function inherited(at: number, units: readonly Block[], fits: readonly Fit[]): number {
  let value = 0
  for (let step = 1; step <= reach && step <= at; step++) {
    const above = units[at - step]
    const fit = fits[at - step]
    if (!above || !fit) break
    if (above.text.length < 140 && fit.coverage >= 0.5)
      value = Math.max(value, fit.score * fit.coverage * (1 - decay * step))
    // Another question is between this heading and the sentence.
    if (above.text.endsWith('?') && fit.coverage < 0.5) break
  }
  return value
}

/** Number of words after which an answer is long enough to end with the block. */
const enoughWords = 70
/** Minimum share of the question's words in a passage for it to be relevant. */
const minCoverage = 0.5

/** `share`: share of the question's words, by rarity on the page, that the answer and its heading contain. */
type Answer = { text: string; quotes: string[]; share: number }

/**
 * Returns the passage of a page that answers a question, in the page's own words: the best matching block, or what
 * follows it if that is a heading or a question, because the best block alone is usually the question itself. Undefined
 * if nothing on the page is relevant.
 */
export function answerFrom(markdown: string, question: string): Answer | undefined {
  const blocks = blocksOf(markdown)
  const fits = rank(
    blocks.map(({ text }) => text),
    question,
  )
  const best = candidatesOf(fits)
    .map((at) => passageAt(blocks, fits, at, question))
    .reduce<Passage | undefined>((one, other) => (one && one.value >= other.value ? one : other), undefined)
  if (!best) return undefined
  const { blocks: quoted, about } = best
  const share = rank([...blocks.map(({ text }) => text), about], question).at(-1)?.share ?? 0
  return { text: quoted.map(({ text }) => text).join('\n'), quotes: quoted.map(({ source }) => source), share }
}

/** `about`: the passage with the heading or question above it. */
type Passage = { blocks: Block[]; value: number; about: string }
const valueOf = ({ score, coverage }: Fit) => score * (0.5 + coverage)

/** Returns the indexes of the best matching blocks. */
const candidatesOf = (fits: readonly Fit[]): number[] =>
  fits
    .map((fit, at) => ({ at, value: valueOf(fit), coverage: fit.coverage }))
    .filter(({ coverage }) => coverage >= minCoverage)
    .toSorted((one, other) => other.value - one.value)
    .slice(0, 4)
    .map(({ at }) => at)

function passageAt(blocks: readonly Block[], fits: readonly Fit[], at: number, question: string): Passage {
  const found = blocks[at]
  const fit = fits[at]
  if (!found || !fit) return { blocks: [], value: 0, about: '' }
  const after = announces(found, fit, question) ? answerAfter(blocks, at) : []
  const taken = after.length > 0 ? after : [found]
  // Links and buttons under a heading are not an answer, and neither is the question alone.
  const isShort = wordsOf(taken) < fewWords || (after.length === 0 && found.text.endsWith('?'))
  return {
    blocks: taken,
    value: valueOf(fit) * (isShort ? 0.3 : 1),
    about: [found, ...after].map(({ text }) => text).join('\n'),
  }
}

const fewWords = 6
const wordsOf = (blocks: readonly Block[]) => blocks.reduce((sum, { text }) => sum + countWords(text), 0)

/** True if a block names the subject rather than stating something about it. */
const announces = ({ text, level }: Block, { coverage }: Fit, question: string) =>
  level > 0 || (coverage >= 0.6 && text.length < Math.max(160, question.length * 2) && !/[.!。]$/u.test(text))

/** Returns the blocks under a heading or a question, up to the next one of its kind. */
function answerAfter(blocks: readonly Block[], at: number): Block[] {
  const head = blocks[at]
  if (!head) return []
  const taken: Block[] = []
  let words = 0
  for (const block of blocks.slice(at + 1)) {
    if (words >= enoughWords || ends(block, head, taken.length)) break
    taken.push(block)
    words += wordsOf([block])
  }
  return taken
}

/** True if a block is the next heading or question rather than part of the current answer. */
function ends(block: Block, { level, text }: Block, taken: number): boolean {
  const asks = block.text.endsWith('?')
  if (block.level > 0 && block.level <= level) return true
  if (asks && text.endsWith('?')) return true
  return taken > 0 && (asks || (block.level > 0 && level === 0))
}

type Page = Pick<PageContent, 'markdown' | 'text' | 'facts'>

/** Minimum shares of common words for a question and a question on the page to count as the same. */
const minShared = { question: 0.75, shown: 0.6 }

/** Returns the page's answer to the same question, if the page asks it; otherwise the passage that answers it. */
export function answerOf({ markdown = '', facts }: Page, question: string): Answer | undefined {
  const own = sameQuestion(facts?.questions ?? [], question)
  return own ? { text: own.answer, quotes: [own.answer], share: 1 } : answerFrom(markdown, question)
}

/**
 * Returns the page's answer if it is clear enough to be shown although a language model found none: with its heading,
 * it contains three quarters of the question's words, weighted by rarity.
 */
export function clearAnswerOf(page: Page, question: string): Answer | undefined {
  const answer = answerOf(page, question)
  return answer && answer.share >= minShared.question ? answer : undefined
}

function sameQuestion(all: readonly ShownQuestion[], question: string): ShownQuestion | undefined {
  const fits = rank(
    all.map((each) => each.question),
    question,
  )
  const [best] = all
    .map((each, at) => ({ each, score: fits[at]?.score ?? 0, coverage: fits[at]?.coverage ?? 0 }))
    .filter(({ coverage }) => coverage >= minShared.question)
    .filter(({ each }) => (rank([question], each.question)[0]?.coverage ?? 0) >= minShared.shown)
    .toSorted((one, other) => other.score - one.score)
  return best?.each
}

/**
 * Returns lines about a query from the whole page, because the main content often lacks collapsed answers. Lines that
 * are also in the main content are returned with their markup.
 */
export function highlightsOf({ markdown = '', text, facts }: Page, query: string): string[] {
  const own = sameQuestion(facts?.questions ?? [], query)
  if (own)
    return unitsOf(blocksOf(own.answer))
      .slice(0, maxFoldLines)
      .map(({ source }) => source)
  if (!text) return highlightsFrom(markdown, query)
  const marked = new Map(unitsOf(blocksOf(markdown)).map((unit) => [flat(unit.text), unit.source]))
  return highlightsFrom(text, query).map((line) => marked.get(flat(line)) ?? line)
}

const maxFoldLines = 8

/** Number of characters from the start of an answer by which the answer is found below its question. */
const startOfAnswer = 40

/**
 * Returns the text of a page, including answered questions that are missing or not above their answers: questions of
 * folds are buttons, which the main content drops.
 */
export function withQuestions({ markdown = '', facts }: Page): string {
  const written = flat(markdown)
  const missing = (facts?.questions ?? []).filter(
    ({ question, answer }) => !written.includes(flat(question) + flat(answer).slice(0, startOfAnswer)),
  )
  if (missing.length === 0) return markdown
  return [markdown, ...missing.map(({ question, answer }) => `### ${question}\n\n${answer}`)].join('\n\n')
}

const flat = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
