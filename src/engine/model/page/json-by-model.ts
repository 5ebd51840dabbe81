import { instructions } from '../instructions.ts'
import { isRecord } from '../../../util/json.ts'
import { askParts, closed, type ModelAnswer, type PageModel, type PageQuestion } from './page-model.ts'
import { relaxed } from '../json/schema-forms.ts'
import { AppError } from '../../../kernel/error.ts'
import { unspacedRuns } from '../../../util/words.ts'
import { type Block, blocksOf, unitsOf } from '../../../util/markdown-blocks.ts'

/** Origin of a fact: the page's data or its visible text. */
export type FactSource = 'json-ld' | 'microdata' | 'meta' | 'product data' | 'html' | 'text' | 'table'
/** Verbatim quote from a page with its location: a selector, the name of a tag or property, or the heading above. */
export type Evidence = { quote: string; source: FactSource; where?: string }

/**
 * Maximum number of values for which the model is asked for quotes; further values are only searched for on the page.
 */
const maxAsked = 60
const minSearched = 3

const quotesSchema = closed({
  quotes: {
    type: 'array',
    items: closed({
      path: { type: 'string', description: 'Path of the value, as it was given.' },
      quote: { type: 'string', description: 'The words of the page that say it, copied exactly, at most 40.' },
    }),
  },
})

/**
 * Returns the quote for each value that a model took from the page. The model names the words; quotes that are not on
 * the page are dropped, and a value without a quote is searched for literally.
 */
export async function quotesByModel(
  model: PageModel,
  markdown: string,
  data: unknown,
): Promise<Record<string, Evidence>> {
  const leaves = leavesOf(data).filter(({ value }) => typeof value !== 'boolean')
  if (leaves.length === 0) return {}
  const named = await namedQuotes(model, markdown, leaves.slice(0, maxAsked))
  const lines = linesOf(markdown)
  const entries = leaves.flatMap(({ path, value: leaf }) => {
    const evidence = evidenceFor(lines, named.get(path) ?? '') ?? evidenceFor(lines, String(leaf))
    return evidence ? [[path, evidence] as const] : []
  })
  return Object.fromEntries(entries)
}

/** The data is already extracted, so a model failure at this point costs only its quotes. */
async function namedQuotes(model: PageModel, page: string, leaves: readonly Leaf[]): Promise<Map<string, string>> {
  const listed = leaves.map(({ path, value }) => `${path}: ${JSON.stringify(value)}`)
  try {
    const { value } = await model.object({
      task: 'json',
      effort: 'fast',
      maxOutputTokens: 3000,
      system: instructions.quotes,
      page,
      ask: `Values:\n${listed.join('\n')}`,
      schema: quotesSchema,
    })
    return new Map(pairsIn(value))
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code.startsWith('MODEL_')) return new Map()
    throw thrown
  }
}

/** One value of an object, with its path, such as `offers[0].price`. */
export type Leaf = { path: string; value: string | number | boolean }

/** Returns the strings, numbers and booleans of a value. */
export function leavesOf(value: unknown, path = ''): Leaf[] {
  if (isLeaf(value)) return [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((each, at) => leavesOf(each, `${path}[${at}]`))
  return isRecord(value) ? Object.entries(value).flatMap(([key, each]) => leavesOf(each, within(path, key))) : []
}

export const isLeaf = (value: unknown): value is Leaf['value'] =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || typeof value === 'boolean'

/** Returns the path of a field. */
export const within = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

function pairsIn(answer: unknown): [string, string][] {
  const quotes = isRecord(answer) && Array.isArray(answer['quotes']) ? answer['quotes'] : []
  return quotes
    .filter(isRecord)
    .flatMap(({ path, quote }) =>
      typeof path === 'string' && typeof quote === 'string' ? [[path, quote] as [string, string]] : [],
    )
}

type Line = { text: string; heading: string | undefined }

function linesOf(markdown: string): Line[] {
  let heading: string | undefined
  return unitsOf(blocksOf(markdown)).map(({ text, level }: Block) => {
    if (level > 0) heading = text
    return { text: oneLine(text), heading }
  })
}

/** Finds a complete quote on the page, with the heading above it; not as part of a longer word or number. */
function evidenceFor(lines: readonly Line[], quote: string): Evidence | undefined {
  const words = oneLine(quote)
  if (words.length < minSearched) return undefined
  const line = lines.find(({ text }) => containsWords(text, words))
  if (!line) return undefined
  return { quote: words, source: 'text', ...(line.heading !== undefined && { where: line.heading }) }
}

/** True if a text contains the words, not as part of a longer word or number. */
export function containsWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + words.length)]
    if (!isJoined(before, words) && !isJoined(words, after)) return true
  }
  return false
}

/** True if the end of one text and the start of the next form one word. Some scripts do not separate words. */
function isJoined(one: string, other: string): boolean {
  const ends = [...(one.match(/[\p{L}\p{N}]$/u) ?? []), ...(other.match(/^[\p{L}\p{N}]/u) ?? [])]
  return ends.length === 2 && ends.every((end) => !end.match(unspacedRuns))
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

const maxOutputTokens = 4000

/**
 * Extracts data from a page by a schema, a prompt or both. A page too long for one request is read in parts, whose
 * results are merged.
 */
export async function jsonByModel(
  model: PageModel,
  page: string,
  { schema, prompt }: { schema?: object | undefined; prompt?: string | undefined },
): Promise<ModelAnswer<unknown>> {
  const question: PageQuestion = {
    task: 'json',
    effort: 'best',
    maxOutputTokens,
    system: instructions.json,
    page,
    ask: prompt === undefined ? undefined : `What to extract: ${prompt}`,
  }
  const answerSchema = relaxed({ ...(schema ?? { type: 'object' }) })
  const words = `${prompt ?? ''} ${JSON.stringify(schema ?? {})}`
  const { value: answers, ...how } = await askParts(model, question, words, (part) =>
    model.object({ ...part, schema: answerSchema }),
  )
  const value = answers.reduce(merged, undefined)
  const filled = new Set(leavesOf(value).map(({ path }) => path))
  return { ...how, value, unreadable: how.unreadable?.filter((path) => !filled.has(path)) ?? [] }
}

/** Merges two parts: the earlier value takes precedence; lists are concatenated without duplicates. */
export function merged(one: unknown, other: unknown): unknown {
  if (isEmpty(one)) return other
  if (Array.isArray(one) && Array.isArray(other)) {
    const known = new Set(one.map((each) => JSON.stringify(each)))
    return [...one, ...other.filter((each) => !known.has(JSON.stringify(each)))]
  }
  if (!isRecord(one) || !isRecord(other)) return one
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return Object.fromEntries(keys.map((key) => [key, merged(one[key], other[key])]))
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
