import { fieldsOf, missingFrom } from '../extract/fields.ts'
import { mergePages } from '../extract/merge.ts'
import { answerFrom } from '../understand/questions.ts'
import { rank } from '../../util/rank.ts'
import { type Answer, textAnswer } from './questions/answer.ts'
import { leavesOf } from './fields.ts'
import type { AgentJob } from './job.ts'
import { isRead, type ReadablePage } from './pages.ts'

/** Passages that make up an answer. */
const mostPassages = 5
/** Of the words of the task, what a page or passage must hold to be about it. */
const leastCoverage = 0.5
/** Of the best fit, what another passage or page must reach to count beside the best one; a page need not say everything. */
const shareOf = { passage: 0.6, page: 0.3 }

/** An answer without a language model: in the pages' own words, or what the built-in extraction finds for the schema. */
export function builtInAnswer({ input, pages }: Pick<AgentJob, 'input' | 'pages'>): Answer {
  const readable = pages.filter(isRead)
  return input.schema ? dataFrom(readable, input.prompt, input.schema) : passagesFrom(readable, input.prompt)
}

function passagesFrom(pages: readonly ReadablePage[], prompt: string): Answer {
  const found = pages.flatMap(({ url, markdown }) => {
    const best = answerFrom(markdown, prompt)
    return best ? [{ url, text: best.text, quote: best.quotes.join('\n') }] : []
  })
  const passages = nearest(
    byFit(found, ({ text }) => text, prompt),
    shareOf.passage,
  )
  const saidBy = Map.groupBy(passages, ({ text }) => text)
  return textAnswer(
    [...saidBy].slice(0, mostPassages).map(([text, cited]) => ({ text, cited })),
    [],
  )
}

/** The values that most sites give, of the pages that are about the task; where the pages differ, all of them are told. */
function dataFrom(pages: readonly ReadablePage[], prompt: string, schema: Record<string, unknown>): Answer {
  const near = nearest(
    byFit(pages, ({ title, markdown }) => `${title}\n${markdown}`, prompt),
    shareOf.page,
  )
  const { data = {}, sources, disputed } = mergePages(near.map(({ url, filled }) => ({ url, json: filled })))
  const said = near.map(({ url, filled }) => ({ url, leaves: leavesOf(filled) }))
  const statementsOf = (path: string) =>
    said.flatMap(({ url, leaves }) => {
      const leaf = leaves.find((each) => each.path === path)
      return leaf ? [{ says: String(leaf.value), url }] : []
    })
  return {
    data,
    sources,
    evidence: [],
    conflicts: disputed.map((path) => ({ about: path, statements: statementsOf(path) })),
    notFound: missingFrom(data, fieldsOf(schema)),
  }
}

const nearest = <T>(fits: readonly { item: T; score: number }[], share: number): T[] =>
  fits.filter(({ score }) => score >= (fits[0]?.score ?? 0) * share).map(({ item }) => item)

/** Those that are about the words, best first. */
function byFit<T>(items: readonly T[], textOf: (item: T) => string, words: string): { item: T; score: number }[] {
  const fits = rank(items.map(textOf), words)
  return items
    .map((item, at) => ({
      item,
      score: (fits[at]?.score ?? 0) * (fits[at]?.coverage ?? 0),
      coverage: fits[at]?.coverage ?? 0,
    }))
    .filter(({ coverage }) => coverage >= leastCoverage)
    .toSorted((one, other) => other.score - one.score)
}
