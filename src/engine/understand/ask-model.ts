import { isRecord } from '../../util/json.ts'
import { type Block, blocksOf, unitsOf } from './markdown-blocks.ts'
import type { ModelAnswer, PageModel } from './page-model.ts'
import type { Branding } from '../../schema/scrape/branding-schema.ts'

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
    system:
      'You judge the brand of a web site by its text and by the colours that were measured on it. Choose colours from the list only. Keep a role as measured unless another colour clearly fits it better.',
    page: markdown.slice(0, maxText),
    ask: `Measured: ${JSON.stringify({ colors: measured.colors, components: measured.components })}\nColours to choose from: ${colors.join(', ')}`,
    schema: schemaFor(colors),
  })
  return { ...how, isPartial: false, value: refined(measured, isRecord(value) ? value : {}, colors) }
}

/** Maximum number of characters: the start of the text suffices to judge its tone. */
const maxText = 6000

function measuredColors({ colors = {}, components = {} }: Branding): string[] {
  const { buttonPrimary, buttonSecondary } = components
  const faces = [buttonPrimary?.background, buttonPrimary?.borderColor, buttonSecondary?.background]
  return [...new Set([...Object.values(colors), ...faces])].filter((color) => color !== undefined)
}

const schemaFor = (colors: readonly string[]) => ({
  type: 'object',
  properties: {
    ...(colors.length > 0 && Object.fromEntries(roles.map((role) => [role, { type: 'string', enum: colors }]))),
    tone: { type: 'string', enum: tones },
    energy: { type: 'string', enum: energies },
    targetAudience: { type: 'string', description: 'Whom the page speaks to, in a few words.' },
  },
  required: ['tone', 'energy', 'targetAudience'],
})

function refined(measured: Branding, answer: Record<string, unknown>, colors: readonly string[]): Branding {
  const chosen = roles.flatMap((role) => {
    const color = colors.find((each) => each === answer[role])
    return color === undefined ? [] : [[role, color] as const]
  })
  const audience = typeof answer['targetAudience'] === 'string' ? answer['targetAudience'].trim() : ''
  const tone = tones.find((each) => each === answer['tone'])
  const energy = energies.find((each) => each === answer['energy'])
  return {
    ...measured,
    ...(chosen.length > 0 && { colors: { ...measured.colors, ...Object.fromEntries(chosen) } }),
    personality: {
      ...measured.personality,
      ...(tone && { tone }),
      ...(energy && { energy }),
      ...(audience !== '' && { targetAudience: audience.slice(0, maxAudience) }),
    },
  }
}

/** Answer to a question that the page does not cover. */
export const notOnPage = 'The page does not answer this question.'

const answerSchema = {
  type: 'object',
  properties: {
    isOnPage: { type: 'boolean', description: 'Whether the page answers the question.' },
    answer: { type: 'string', description: 'The answer, in the language of the question; empty if not on the page.' },
    lines: {
      type: 'array',
      items: { type: 'integer' },
      description: 'Numbers of the lines that prove the answer, at most 5.',
    },
  },
  required: ['isOnPage', 'answer', 'lines'],
  additionalProperties: false,
}

/** Answers from the page alone, with the supporting lines quoted verbatim. */
export async function answerByModel(
  model: PageModel,
  markdown: string,
  question: string,
): Promise<ModelAnswer<{ text: string; quotes: string[] }>> {
  const units = numbered(markdown)
  const { value, ...how } = await model.object({
    task: 'question',
    effort: 'best',
    maxOutputTokens: 1500,
    system:
      'You answer a question from one web page, and from nothing else: no knowledge of your own. The lines of the page are numbered. If the page does not answer it, say so.',
    page: units.text,
    ask: `Question: ${question}`,
    schema: answerSchema,
  })
  const { isOnPage, answer, lines } = recordOf(value)
  const text = typeof answer === 'string' ? answer.trim() : ''
  if (isOnPage !== true || text === '') return { ...how, value: { text: notOnPage, quotes: [] } }
  return { ...how, value: { text, quotes: units.at(lines, 5) } }
}

const linesSchema = {
  type: 'object',
  properties: {
    lines: {
      type: 'array',
      items: { type: 'integer' },
      description: 'Numbers of the lines, in any order, at most 12.',
    },
  },
  required: ['lines'],
  additionalProperties: false,
}

/** Returns the lines relevant to a query. The model returns only their numbers, so it cannot invent any. */
export async function highlightsByModel(
  model: PageModel,
  markdown: string,
  query: string,
): Promise<ModelAnswer<string[]>> {
  const units = numbered(markdown)
  const { value, ...how } = await model.object({
    task: 'highlights',
    effort: 'fast',
    maxOutputTokens: 500,
    system:
      'You choose the lines of a web page that are about a query. The lines are numbered. Choose few, and none if none is.',
    page: units.text,
    ask: `Query: ${query}`,
    schema: linesSchema,
  })
  return { ...how, value: units.at(recordOf(value)['lines'], 12) }
}

export async function summaryByModel(model: PageModel, markdown: string): Promise<ModelAnswer<string>> {
  return model.text({
    task: 'summary',
    effort: 'fast',
    maxOutputTokens: 800,
    system:
      'You summarise a web page in three to six sentences, in its own language: what it is, and what a reader would want to know of it. Plain text, no preamble, nothing that the page does not say.',
    page: markdown,
  })
}

/** Numbers the page line by line; `at` returns the lines of given numbers in reading order. */
export function numbered(markdown: string): { text: string; at(numbers: unknown, most: number): string[] } {
  const units: Block[] = unitsOf(blocksOf(markdown))
  return {
    text: units.map(({ source }, at) => `${at + 1} ${source}`).join('\n'),
    at: (numbers, most) =>
      [...new Set(Array.isArray(numbers) ? numbers : [])]
        .filter((number): number is number => Number.isInteger(number))
        .toSorted((one, other) => one - other)
        .flatMap((number) => units[number - 1]?.source ?? [])
        .slice(0, most),
  }
}

/** The client has validated the value against its schema; another type is a bug. */
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
