import { type Block, blocksOf } from './blocks.ts'
import { type Fit, rank } from '../../util/rank.ts'
import { countWords } from '../../util/words.ts'

/** Words after which an answer is long enough to end with the block. */
const enoughWords = 70
/** Of the question's words, what a passage must hold to count as about it. */
const leastCoverage = 0.5

export type Answer = { text: string; quotes: string[] }

/**
 * The passage of a page that answers a question, in the page's own words: the block that fits best, or what follows it
 * where that is a heading or a question. Undefined where nothing on the page is about it. The best
 * block alone is mostly the question itself.
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
  return { text: best.blocks.map(({ text }) => text).join('\n'), quotes: best.blocks.map(({ source }) => source) }
}

type Passage = { blocks: Block[]; value: number }
const valueOf = ({ score, coverage }: Fit) => score * (0.5 + coverage)

/** The places of the blocks that fit best. */
const candidatesOf = (fits: readonly Fit[]): number[] =>
  fits
    .map((fit, at) => ({ at, value: valueOf(fit), coverage: fit.coverage }))
    .filter(({ coverage }) => coverage >= leastCoverage)
    .toSorted((one, other) => other.value - one.value)
    .slice(0, 4)
    .map(({ at }) => at)

function passageAt(blocks: readonly Block[], fits: readonly Fit[], at: number, question: string): Passage {
  const found = blocks[at]
  const fit = fits[at]
  if (!found || !fit) return { blocks: [], value: 0 }
  const after = announces(found, fit, question) ? answerAfter(blocks, at) : []
  const taken = after.length > 0 ? after : [found]
  // Links and buttons under a heading answer nothing, nor does the question alone.
  const isShort = wordsOf(taken) < fewWords || (after.length === 0 && found.text.endsWith('?'))
  return { blocks: taken, value: valueOf(fit) * (isShort ? 0.3 : 1) }
}

const fewWords = 6
const wordsOf = (blocks: readonly Block[]) => blocks.reduce((sum, { text }) => sum + countWords(text), 0)

/** Whether a block names the subject rather than says something of it. */
const announces = ({ text, level }: Block, { coverage }: Fit, question: string) =>
  level > 0 || (coverage >= 0.6 && text.length < Math.max(160, question.length * 2) && !/[.!。]$/u.test(text))

/** What stands under a heading or a question, up to the next of its kind. */
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

/** Whether a block is the next heading or question rather than what stands under the one before. */
function ends(block: Block, { level, text }: Block, taken: number): boolean {
  const asks = block.text.endsWith('?')
  if (block.level > 0 && block.level <= level) return true
  if (asks && text.endsWith('?')) return true
  return taken > 0 && (asks || (block.level > 0 && level === 0))
}
