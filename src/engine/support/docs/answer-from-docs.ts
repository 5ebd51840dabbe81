import { instructions } from '../../model/instructions.ts'
import { closed, numbersOf } from '../../model/page/page-model.ts'
import type { Ports, DocsHit, DocsSection } from '../../../contracts/ports.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { AppError } from '../../../kernel/error.ts'
import { isRecord } from '../../../util/json.ts'
import { codeReader } from '../../../util/markdown-blocks.ts'
import { relatedWords, termsOf, vagueWords } from './vocabulary.ts'

export type DocsAnswer = {
  answer: string
  /** Location, such as `crawl.md#L40-L58`, and the headings of the section. */
  evidence: { pathOrUrl: string; reason: string }[]
  usage: { inputTokens: number; outputTokens: number; totalTokens: number }
}

const notCovered = 'The documentation does not cover this.'

/** Share of the question's significant words that a page must contain to be relevant. */
export const minCoverage = 0.5
/** Maximum number of sections passed to a model. */
const maxSections = 8
const noUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** Answers a question from our own documentation: by a language model if one is set, otherwise by quoting the pages. */
export async function answerFromDocs(
  { model, docs }: Pick<Ports, 'model' | 'docs'>,
  question: string,
  ctx: Pick<Ctx, 'team' | 'signal' | 'warn'>,
): Promise<DocsAnswer> {
  const hits = (await docs.find(question)).filter(({ coverage }) => coverage >= minCoverage)
  if (hits.length === 0) return { answer: notCovered, evidence: [], usage: noUsage }
  if (!model.isSet()) return quoted(hits, question)
  try {
    return await byModel(model, hits.slice(0, maxSections), question, ctx)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !thrown.code.startsWith('MODEL_')) throw thrown
    ctx.warn(`The language model could not answer (${thrown.code}): the answer quotes the documentation.`)
    return quoted(hits, question)
  }
}

/** Answers by quoting the best sections of the best pages. */
function quoted(hits: readonly DocsHit[], question: string): DocsAnswer {
  const passages = bestPassages(hits, question)
  return {
    answer: passages.map(({ text }) => text).join('\n\n') || notCovered,
    evidence: passages.map(({ section }) => evidenceOf(section)),
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

/** Maximum number of quoted pages: the second one often contains what is missing in the first. */
const maxPages = 2
/** Maximum characters of a passage, unless its best block is longer. */
const maxPassage = 1000
/** Weight of a synonym or a vague word. */
const lesserWeight = 0.5

/** A paragraph, list item, table row or code block. */
type Block = {
  lines: string[]
  kind: 'text' | 'row' | 'code'
  /** Header of the table of a row. */
  head: readonly string[]
}

/**
 * Returns the passages that answer a question best: from the best section of each of the first pages, including all
 * parts that the section was split into. Skips sections without text.
 */
export function bestPassages(hits: readonly DocsHit[], question: string): { text: string; section: DocsSection }[] {
  const pages = Map.groupBy(hits, ({ section }) => section.path)
  return [...pages.values()].slice(0, maxPages).flatMap((ofPage) => {
    const [{ section } = { section: undefined }] = ofPage
    const parts = ofPage.map((hit) => hit.section).filter((part) => section && titleOf(part) === titleOf(section))
    const whole = parts.toSorted((one, other) => one.firstLine - other.firstLine).map(({ text }) => text)
    const text = passageOf(whole.join('\n'), question)
    return section && text !== '' ? [{ text: `**${titleOf(section)}** (${section.path})\n\n${text}`, section }] : []
  })
}

const titleOf = ({ headings }: DocsSection): string => headings.filter(Boolean).join(' > ')

/**
 * Returns the blocks of a section that match a question best, in their original order and as many as fit. A code block
 * is returned with the block before it, and a row with the header of its table. Empty if the section has only headings.
 */
export function passageOf(markdown: string, question: string): string {
  const blocks = blocksOf(markdown)
  const terms = [...new Set(termsOf(question))]
  const values = blocks.map((block) => {
    const present = new Set(termsOf([...block.head, ...block.lines].join(' ')))
    return terms.reduce((sum, term) => sum + shareOf(term, present), 0)
  })
  const best = Array.from(blocks.keys()).toSorted((one, other) => (values[other] ?? 0) - (values[one] ?? 0))
  const chosen = new Set<number>()
  let length = 0
  for (const at of best) {
    const together = withCode(blocks, at).filter((each) => !chosen.has(each))
    const added = together.reduce((sum, each) => sum + lengthOf(blocks[each]), 0)
    if (length > 0 && length + added > maxPassage) continue
    for (const each of together) chosen.add(each)
    length += added
  }
  return textOf(blocks.filter((_, at) => chosen.has(at)))
}

function shareOf(term: string, present: ReadonlySet<string>): number {
  const weight = vagueWords.has(term) ? lesserWeight : 1
  if (present.has(term)) return weight
  return [...(relatedWords.get(term) ?? [])].some((other) => present.has(other)) ? weight * lesserWeight : 0
}

/**
 * Returns the position of a block with that of the code block after it or, for a code block, of the block before it.
 */
function withCode(blocks: readonly Block[], at: number): number[] {
  if (blocks[at]?.kind === 'code' && at > 0) return [at - 1, at]
  return blocks[at + 1]?.kind === 'code' ? [at, at + 1] : [at]
}

const lengthOf = (block?: Block) => block?.lines.join('\n').length ?? 0

function textOf(blocks: readonly Block[]): string {
  const parts = blocks.map(({ lines, head, kind }, at) => {
    const before = blocks[at - 1]
    const isNext = kind === 'row' && before?.head === head
    return `${at === 0 ? '' : isNext ? '\n' : '\n\n'}${(isNext ? lines : [...head, ...lines]).join('\n')}`
  })
  return parts.join('')
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  let head: string[] = []
  const start = (kind: Block['kind'], line: string) => {
    open = { lines: [line], kind, head: kind === 'row' ? head : [] }
    blocks.push(open)
  }
  const lines = markdown.split('\n')
  const isCode = codeReader()
  for (const [at, line] of lines.entries()) {
    if (isCode(line)) {
      if (open?.kind === 'code') open.lines.push(line)
      else start('code', line)
    } else if (isRule.test(line)) head.push(line)
    else if (line.trimStart().startsWith('|')) {
      if (isRule.test(lines[at + 1] ?? '')) head = [line]
      else start('row', line)
      open = undefined
    } else if (/^(?:#|\s*$)/.test(line)) open = undefined
    else if (open?.kind === 'text' && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) open.lines.push(line)
    else start('text', line)
  }
  return blocks
}

/** Matches the line between the header and the rows of a table. */
const isRule = /^\s*\|[\s:|-]+$/
