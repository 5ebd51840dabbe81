import type { PageContent, ShownQuestion } from '../../contracts/page-content.ts'
import { type Answer, answerFrom } from './answer.ts'
import { blocksOf, unitsOf } from './blocks.ts'
import { highlightsFrom } from './highlights.ts'
import { rank } from '../../util/rank.ts'

type Page = Pick<PageContent, 'markdown' | 'text' | 'facts'>

/** How much of a question a question of the page must hold, and the other way round, to count as the same. */
const leastShared = { asked: 0.75, own: 0.6 }

/** The answer of the page to the same question, if it asks it itself, else the passage that answers it. */
export function answerOf({ markdown = '', facts }: Page, question: string): Answer | undefined {
  const own = sameQuestion(facts?.questions ?? [], question)
  return own ? { text: own.answer, quotes: [own.answer] } : answerFrom(markdown, question)
}

function sameQuestion(all: readonly ShownQuestion[], question: string): ShownQuestion | undefined {
  const fits = rank(
    all.map((each) => each.question),
    question,
  )
  const [best] = all
    .map((each, at) => ({ each, score: fits[at]?.score ?? 0, coverage: fits[at]?.coverage ?? 0 }))
    .filter(({ coverage }) => coverage >= leastShared.asked)
    .filter(({ each }) => (rank([question], each.question)[0]?.coverage ?? 0) >= leastShared.own)
    .toSorted((one, other) => other.score - one.score)
  return best?.each
}

/**
 * Lines of the whole page about a query: folds with answers are often missing in the main content. Lines that are in
 * it too keep its marks.
 */
export function highlightsOf({ markdown = '', text, facts }: Page, query: string): string[] {
  const own = sameQuestion(facts?.questions ?? [], query)
  if (own)
    return unitsOf(blocksOf(own.answer))
      .slice(0, most)
      .map(({ source }) => source)
  if (!text) return highlightsFrom(markdown, query)
  const marked = new Map(unitsOf(blocksOf(markdown)).map((unit) => [flat(unit.text), unit.source]))
  return highlightsFrom(text, query).map((line) => marked.get(flat(line)) ?? line)
}

const most = 8

/** Of an answer's start, what tells that it stands below its question. */
const telling = 40

/**
 * The text of a page with the questions it answers that are not there, or not above their answers: those of folds are
 * buttons, which the main content leaves out.
 */
export function withQuestions({ markdown = '', facts }: Page): string {
  const held = flat(markdown)
  const missing = (facts?.questions ?? []).filter(
    ({ question, answer }) => !held.includes(flat(question) + flat(answer).slice(0, telling)),
  )
  if (missing.length === 0) return markdown
  return [markdown, ...missing.map(({ question, answer }) => `### ${question}\n\n${answer}`)].join('\n\n')
}

const flat = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
