import { instructions } from '../instructions.ts'
import { isRecord } from '../../../util/json.ts'
import { type Block, blocksOf, codeReader, unitsOf } from '../../../util/markdown-blocks.ts'
import { rank } from '../../../util/rank.ts'
import { askParts, closed, numbersOf, type ModelAnswer, type PageModel, type PageQuestion } from './page-model.ts'
import type { Branding } from '../../../schema/scrape/branding-schema.ts'

const roles = ['primary', 'secondary', 'accent'] as const
const tones = ['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold'] as const
const energies = ['low', 'medium', 'high'] as const
const maxAudience = 200

/**
 * Adds what measuring cannot detect to the measured branding: the role of each colour, the tone and the audience. A
 * model chooses among the measured colours; any other is dropped.
 */
export async function brandingByModel(
  model: PageModel,
  measured: Branding,
  markdown: string,
): Promise<ModelAnswer<Branding>> {
  const colors = measuredColors(measured)
  const { value, ...how } = await model.object({
    task: 'branding',
    effort: 'fast',
    maxOutputTokens: 400,
    system: instructions.branding,
    page: markdown.slice(0, maxText),
    ask: `Measured: ${JSON.stringify({ colors: measured.colors, components: measured.components })}\nColours to choose from: ${colors.join(', ')}`,
    schema: schemaFor(colors),
  })
  return { ...how, isPartial: false, value: refined(measured, recordOf(value), colors) }
}

/** Maximum number of characters: the start of the text suffices to judge its tone. */
const maxText = 6000

function measuredColors({ colors = {}, components = {} }: Branding): string[] {
  const { buttonPrimary, buttonSecondary } = components
  const faces = [buttonPrimary?.background, buttonPrimary?.borderColor, buttonSecondary?.background]
  return [...new Set([...Object.values(colors), ...faces])].filter((color) => color !== undefined)
}

const schemaFor = (colors: readonly string[]) =>
  closed(
    {
      ...(colors.length > 0 && Object.fromEntries(roles.map((role) => [role, { type: 'string', enum: colors }]))),
      tone: { type: 'string', enum: tones },
      energy: { type: 'string', enum: energies },
      targetAudience: { type: 'string', description: 'Whom the page speaks to, in a few words.' },
    },
    [],
  )

function refined(measured: Branding, answer: Record<string, unknown>, known: readonly string[]): Branding {
  const { tone, energy, targetAudience = '', ...chosen } = answer as Record<string, string>
  const colors = Object.fromEntries(Object.entries(chosen).filter(([, color]) => known.includes(color)))
  const audience = targetAudience.trim().slice(0, maxAudience)
  return {
    ...measured,
    ...(Object.keys(colors).length > 0 && { colors: { ...measured.colors, ...colors } }),
    personality: {
      ...measured.personality,
      ...(tone && { tone }),
      ...(energy && { energy }),
      ...(audience !== '' && { targetAudience: audience }),
    } as Branding['personality'],
  }
}

/** Answer to a question that the page does not cover. */
export const notOnPage = 'The page does not answer this question.'

const answerSchema = closed(
  {
    isOnPage: { type: 'boolean', description: 'Whether the page answers the question.' },
    answer: { type: 'string', description: 'The answer, in the language of the question; empty if not on the page.' },
    lines: numbersOf('Numbers of the lines that prove the answer, at most 5.'),
  },
  ['isOnPage', 'answer'],
)

type PageAnswer = { text: string; quotes: string[] }

/**
 * Answers from the page alone, with the supporting lines quoted verbatim. A long page is read in parts; if several
 * parts answer, the lines that they name are read again together.
 */
export async function answerByModel(
  model: PageModel,
  markdown: string,
  question: string,
): Promise<ModelAnswer<PageAnswer>> {
  const units = numbered(markdown)
  const request = {
    task: 'question',
    effort: 'best' as const,
    maxOutputTokens: 1500,
    system: instructions.question,
    page: units.text,
    ask: `Question: ${question}`,
  }
  const ask = async (part: PageQuestion): Promise<ModelAnswer<PageAnswer | undefined>> => {
    const { value, ...how } = await model.object({ ...part, schema: answerSchema })
    const { isOnPage, answer, lines } = recordOf(value)
    const text = typeof answer === 'string' ? answer.trim() : ''
    return { ...how, value: isOnPage === true && text !== '' ? { text, quotes: units.at(lines, 5) } : undefined }
  }
  const { value: answers, calls = 1, ...how } = await askParts(model, request, question, ask)
  const [first = { text: notOnPage, quotes: [] }, ...others] = answers.filter((each) => each !== undefined)
  if (others.length === 0) return { ...how, value: first, calls }
  const named = new Set([first, ...others].flatMap(({ quotes }) => quotes))
  const together = await ask({ ...request, page: units.only(named) })
  return { ...how, value: together.value ?? first, calls: calls + 1 }
}

const linesSchema = closed({ lines: numbersOf('Numbers of the lines, in any order, at most 12.') })

/** Returns the lines relevant to a query. The model returns only their numbers, so it cannot invent any. */
export async function highlightsByModel(
  model: PageModel,
  markdown: string,
  query: string,
): Promise<ModelAnswer<string[]>> {
  const units = numbered(markdown)
  const request: PageQuestion = {
    task: 'highlights',
    effort: 'fast',
    maxOutputTokens: 500,
    system: instructions.highlights,
    page: units.text,
    ask: `Query: ${query}`,
  }
  const { value, ...how } = await askParts(model, request, query, (part) =>
    model.object({ ...part, schema: linesSchema }),
  )
  const lines = value.flatMap((each) => units.at(recordOf(each)['lines'], maxLines))
  const fits = rank(lines, query)
  const scored = lines.map((line, at) => ({ line, at, score: fits[at]?.score ?? 0 }))
  const best = scored.toSorted((one, other) => other.score - one.score).slice(0, maxLines)
  return { ...how, value: best.toSorted((one, other) => one.at - other.at).map(({ line }) => line) }
}

const maxLines = 12

/** Summarises a page. Of a long page, summarises the parts, and then their summaries. */
export async function summaryByModel(model: PageModel, markdown: string): Promise<ModelAnswer<string>> {
  const request: PageQuestion = {
    task: 'summary',
    effort: 'fast',
    maxOutputTokens: 800,
    system: instructions.summary,
    page: markdown,
  }
  const { value, calls = 1, ...how } = await askParts(model, request, '', (part) => model.text(part))
  if (value.length <= 1) return { ...how, calls, value: value[0] ?? '' }
  const whole = await model.text({ ...request, page: value.join('\n\n') })
  return { ...how, value: whole.value, calls: calls + 1 }
}

const dropSchema = closed({ drop: numbersOf('Numbers of the blocks to drop.') })

/** Returns the page without the blocks that a model names, so the model cannot add text. Code and tables stay. */
export async function cleanByModel(model: PageModel, markdown: string): Promise<ModelAnswer<string>> {
  const blocks = paragraphsOf(markdown)
  const question: PageQuestion = {
    task: 'clean',
    effort: 'fast',
    maxOutputTokens: 2000,
    system: instructions.clean,
    page: blocks.map((block, at) => `[${at + 1}] ${block}`).join('\n\n'),
  }
  const { value, ...how } = await askParts(model, question, '', (part) => model.object({ ...part, schema: dropSchema }))
  const dropped = new Set(value.flatMap((each) => recordOf(each)['drop'] ?? []))
  const rest = blocks.filter((block, at) => !dropped.has(at + 1) || isData(block))
  return { ...how, value: rest.join('\n\n') }
}

/** True for blocks with code or rows of a table. */
const isData = (block: string) => block.split('\n').some(codeReader()) || /^[\s>]*\|/m.test(block)

/** Splits at blank lines, except within code. */
function paragraphsOf(markdown: string): string[] {
  const isCode = codeReader()
  const blocks: string[][] = [[]]
  for (const line of markdown.split('\n')) {
    if (isCode(line) || line.trim() !== '') blocks.at(-1)?.push(line)
    else blocks.push([])
  }
  return blocks.filter((block) => block.length > 0).map((block) => block.join('\n'))
}

/** Numbers the lines of a page. */
export function numbered(markdown: string) {
  const units: Block[] = unitsOf(blocksOf(markdown))
  const lines = units.map(({ source }, at) => ({ source, text: `${at + 1} ${source}` }))
  const textOf = (chosen: typeof lines) => chosen.map(({ text }) => text).join('\n')
  return {
    text: textOf(lines),
    /** Returns the numbered text of these lines alone. */
    only: (named: ReadonlySet<string>) => textOf(lines.filter(({ source }) => named.has(source))),
    /** Returns the lines with these numbers in reading order. */
    at: (numbers: unknown, max: number): string[] =>
      [...new Set(Array.isArray(numbers) ? numbers : [])]
        .filter((number): number is number => Number.isInteger(number))
        .toSorted((one, other) => one - other)
        .flatMap((number) => units[number - 1]?.source ?? [])
        .slice(0, max),
  }
}

/** The client has validated the value against its schema; another type is a bug. */
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
