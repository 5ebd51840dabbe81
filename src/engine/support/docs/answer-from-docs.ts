import type { Ports, DocsHit, DocsSection } from '../../../contracts/ports.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { AppError } from '../../../kernel/error.ts'
import { isRecord } from '../../../util/json.ts'
import { plainLine, sentencesOf } from '../../../util/plain-markdown.ts'
import { termsOf, relatedWords, vagueWords } from './vocabulary.ts'

/** Maximum number of quoted sentences; fewer if they are long. */
const mostSentences = 3
const longEnough = 420
/** Weight of a synonym, and of a vague word. */
const lesser = 0.5
/** Bonus for the opening of a section, which says what the section is about. */
const openingShare = 0.2

/**
 * Returns the two or three consecutive sentences of a section that match a question best. Table rows count as
 * sentences; code is left out. Empty if the section has neither text nor tables.
 */
export function passageOf(markdown: string, question: string): string {
  const asked = [...new Set(termsOf(question))]
  const sentences = unitsOf(markdown).flatMap(sentencesOf).map(closed)
  const terms = sentences.map((sentence) => new Set(termsOf(sentence)))
  const windows = sentences.map((_, start) => {
    const end = endOf(sentences, start)
    const held = new Set(terms.slice(start, end).flatMap((each) => [...each]))
    const value = asked.reduce((sum, term) => sum + shareOf(term, held), start === 0 ? openingShare : 0)
    // A passage whose first sentence is off topic starts too early.
    const begins = asked.some((term) => shareOf(term, terms[start] ?? new Set()) > 0) ? 1 : 0.8
    return { start, end, value: value * begins }
  })
  const best = windows.reduce((one, other) => (other.value > one.value ? other : one), { start: 0, end: 0, value: -1 })
  return sentences.slice(best.start, best.end).join(' ')
}

function shareOf(term: string, held: ReadonlySet<string>): number {
  const weight = vagueWords.has(term) ? lesser : 1
  if (held.has(term)) return weight
  return [...(relatedWords.get(term) ?? [])].some((other) => held.has(other)) ? weight * lesser : 0
}

function endOf(sentences: readonly string[], start: number): number {
  let length = 0
  let end = start
  while (end < sentences.length && end - start < mostSentences && length < longEnough)
    length += sentences[end++]?.length ?? 0
  return end
}

const closed = (sentence: string) => (/[.!?:]$/.test(sentence) ? sentence.replace(/:$/, '.') : `${sentence}.`)

/** Returns paragraphs, list items and table rows, each on one line, without headings, table headers and code. */
function unitsOf(markdown: string): string[] {
  const units: string[] = []
  let isCode = false
  let isOpen = false
  const lines = markdown.split('\n')
  for (const [at, line] of lines.entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    const isRow = line.trimStart().startsWith('|')
    const isHead = isRow && /^\s*\|[\s:|-]+$/.test(lines[at + 1] ?? '')
    if (isFence || isCode || isHead || /^\s*(?:#|$|\|[\s:|-]+$)/.test(line)) isOpen = false
    else if (isOpen && !isRow && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) units.push(`${units.pop()} ${line.trim()}`)
    else {
      units.push(line)
      isOpen = !isRow
    }
  }
  return units.map(plainLine).filter((unit) => unit !== '')
}

export type DocsAnswer = {
  answer: string
  /** Location, such as `crawl.md#L40-L58`, and the headings of the section. */
  evidence: { pathOrUrl: string; reason: string }[]
  usage: { inputTokens: number; outputTokens: number; totalTokens: number }
}

const notCovered = 'The documentation does not cover this.'

/** Share of the question's significant words that a page must contain to be relevant. */
const leastCoverage = 0.5
const shownSections = 3
/** Maximum number of sections passed to a model. */
const readSections = 8
const noUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** Answers a question from our own documentation: by a language model if one is set, otherwise by quoting the pages. */
export async function answerFromDocs(
  { model, docs }: Pick<Ports, 'model' | 'docs'>,
  question: string,
  ctx: Pick<Ctx, 'team' | 'signal' | 'warn'>,
): Promise<DocsAnswer> {
  const hits = (await docs.find(question)).filter(({ coverage }) => coverage >= leastCoverage)
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

/** Quotes the best sentences of the best section, with a link to its page. */
function inTheirWords(hits: readonly DocsHit[], question: string): DocsAnswer {
  const sections = hits.slice(0, shownSections).map(({ section }) => section)
  const [best] = sections
  const passage = best && passageOf(best.text, question)
  return {
    answer: best && passage ? `${passage}\n\nMore: ${best.path}, "${titleOf(best)}".` : notCovered,
    evidence: sections.map(evidenceOf),
    usage: noUsage,
  }
}

const titleOf = ({ headings }: DocsSection) => headings.filter(Boolean).join(' > ')

const evidenceOf = (section: DocsSection) => ({
  pathOrUrl: `${section.path}#L${section.firstLine}-L${section.lastLine}`,
  reason: titleOf(section) || 'Opening of the page',
})

const answerSchema = {
  type: 'object',
  properties: {
    isCovered: { type: 'boolean', description: 'Whether the sections answer the question.' },
    answer: {
      type: 'string',
      description: 'Two to four sentences, with the exact names of fields, flags and settings.',
    },
    sections: { type: 'array', items: { type: 'integer' }, description: 'Numbers of the sections that say so.' },
  },
  required: ['isCovered', 'answer', 'sections'],
  additionalProperties: false,
}

const rules =
  'You answer a question about the program Gossamer from sections of its documentation, and from nothing else. If they do not answer it, say so.'

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
    system: rules,
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
