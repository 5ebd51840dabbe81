import { instructions } from '../../model/instructions.ts'
import { closed, numbersOf } from '../../model/page/page-model.ts'
import type { Ports, DocsHit, DocsSection } from '../../../contracts/ports.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { AppError } from '../../../kernel/error.ts'
import { isRecord } from '../../../util/json.ts'
import { bestPassages, titleOf } from './passage.ts'

export type DocsAnswer = {
  answer: string
  /** Location, such as `crawl.md#L40-L58`, and the headings of the section. */
  evidence: { pathOrUrl: string; reason: string }[]
  usage: { inputTokens: number; outputTokens: number; totalTokens: number }
}

const notCovered = 'The documentation does not cover this.'

/** Share of the question's significant words that a page must contain to be relevant. */
const minCoverage = 0.5
/** Maximum number of sections passed to a model. */
const readSections = 8
const noUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** Answers a question from our own documentation: by a language model if one is set, otherwise by quoting the pages. */
export async function answerFromDocs(
  { model, docs }: Pick<Ports, 'model' | 'docs'>,
  question: string,
  ctx: Pick<Ctx, 'team' | 'signal' | 'warn'>,
): Promise<DocsAnswer> {
  const hits = (await docs.find(question)).filter(({ coverage }) => coverage >= minCoverage)
  if (hits.length === 0) return { answer: notCovered, evidence: [], usage: noUsage }
  if (!model.isSet()) return inTheirWords(hits, question)
  try {
    return await byModel(model, hits.slice(0, readSections), question, ctx)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !thrown.code.startsWith('MODEL_')) throw thrown
    ctx.warn(`The language model could not answer (${thrown.code}): the answer is in the words of the documentation.`)
    return inTheirWords(hits, question)
  }
}

/** Quotes the best sections of the best pages. */
function inTheirWords(hits: readonly DocsHit[], question: string): DocsAnswer {
  const passages = bestPassages(hits, question)
  return {
    answer: passages.map(({ text }) => text).join('\n\n') || notCovered,
    evidence: passages.map(({ of }) => evidenceOf(of)),
    usage: noUsage,
  }
}

const evidenceOf = (section: DocsSection) => ({
  pathOrUrl: `${section.path}#L${section.firstLine}-L${section.lastLine}`,
  reason: titleOf(section) || 'Opening of the page',
})

const answerSchema = closed({
  isCovered: { type: 'boolean', description: 'Whether the sections answer the question.' },
  answer: { type: 'string', description: 'Two to four sentences, with the exact names of fields, flags and settings.' },
  sections: numbersOf('Numbers of the sections that say so.'),
})

async function byModel(
  model: Ports['model'],
  hits: readonly DocsHit[],
  question: string,
  { team, signal }: Pick<Ctx, 'team' | 'signal'>,
): Promise<DocsAnswer> {
  const shown = hits.map(({ section }, at) => `[${at + 1}] ${section.path}: ${titleOf(section)}\n${section.text}`)
  const { value, usage } = await model.object({
    task: 'docs',
    effort: 'fast',
    maxOutputTokens: 800,
    timeoutMs: 30_000,
    system: instructions.docs,
    input: [{ role: 'user', text: `${shown.join('\n\n')}\n\nQuestion: ${question}` }],
    schema: answerSchema,
    teamId: team.id,
    keyName: team.key,
    signal,
  })
  const { isCovered, answer, sections } = isRecord(value) ? value : {}
  const named = Array.isArray(sections) ? sections : []
  const isAnswered = isCovered === true && typeof answer === 'string' && answer.trim() !== ''
  return {
    answer: isAnswered ? answer.trim() : notCovered,
    evidence: isAnswered
      ? hits.filter((_, at) => named.includes(at + 1)).map(({ section }) => evidenceOf(section))
      : [],
    usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens },
  }
}
