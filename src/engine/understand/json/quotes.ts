import { AppError } from '../../../kernel/error.ts'
import { isRecord } from '../../../util/json.ts'
import { unspacedRuns } from '../../../util/words.ts'
import { type Block, blocksOf, unitsOf } from '../blocks.ts'
import type { PageModel } from '../page-model.ts'
import type { Evidence } from './facts.ts'

/** Values of which proofs are asked for at most; the rest is searched for alone. */
const maxAsked = 60
const minSearched = 3

const quotesSchema = {
  type: 'object',
  properties: {
    quotes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Path of the value, as it was given.' },
          quote: { type: 'string', description: 'The words of the page that say it, copied exactly, at most 40.' },
        },
        required: ['path', 'quote'],
        additionalProperties: false,
      },
    },
  },
  required: ['quotes'],
  additionalProperties: false,
}

/**
 * Where the page says each value that a model took from it. The model names the words; those that do not stand on the
 * page are dropped, and a value that was given none is searched for as it is.
 */
export async function quotesByModel(
  model: PageModel,
  markdown: string,
  data: unknown,
): Promise<Record<string, Evidence>> {
  const leaves = [...leavesOf(data)]
  if (leaves.length === 0) return {}
  const named = await namedQuotes(model, markdown, leaves.slice(0, maxAsked))
  const lines = linesOf(markdown)
  const proofs = leaves.flatMap(([path, leaf]) => {
    const proof = proofOf(lines, named.get(path) ?? '') ?? proofOf(lines, String(leaf))
    return proof ? [[path, proof] as const] : []
  })
  return Object.fromEntries(proofs)
}

/** The data is there already, so a model that fails now costs only its quotes. */
async function namedQuotes(model: PageModel, page: string, leaves: readonly Leaf[]): Promise<Map<string, string>> {
  const listed = leaves.map(([path, value]) => `${path}: ${JSON.stringify(value)}`)
  try {
    const { value } = await model.object({
      task: 'json',
      effort: 'fast',
      maxOutputTokens: 3000,
      system:
        'You prove values that were taken from a web page: for each, copy the words of the page that say it. Leave out what the page does not say.',
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

type Leaf = [path: string, value: string | number]

/** Texts and numbers of a value, each with its path, such as `offers[0].price`. */
function* leavesOf(value: unknown, path = ''): Generator<Leaf> {
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield [path, value]
  else if (Array.isArray(value)) for (const [at, each] of value.entries()) yield* leavesOf(each, `${path}[${at}]`)
  else if (isRecord(value))
    for (const [name, each] of Object.entries(value)) yield* leavesOf(each, path === '' ? name : `${path}.${name}`)
}

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
    return { text: evened(text), heading }
  })
}

/** A quote that stands on the page as a whole, with the heading above it; not a part of a longer word or number. */
function proofOf(lines: readonly Line[], quote: string): Evidence | undefined {
  const words = evened(quote)
  if (words.length < minSearched) return undefined
  const line = lines.find(({ text }) => standsIn(text, words))
  if (!line) return undefined
  return { quote: words, source: 'text', ...(line.heading !== undefined && { where: line.heading }) }
}

function standsIn(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + words.length)]
    if (!isJoined(before, words) && !isJoined(words, after)) return true
  }
  return false
}

/** Whether the end of a text and the beginning of the next are one word. Some scripts part no words. */
function isJoined(one: string, other: string): boolean {
  const ends = [...(one.match(/[\p{L}\p{N}]$/u) ?? []), ...(other.match(/^[\p{L}\p{N}]/u) ?? [])]
  return ends.length === 2 && ends.every((end) => !end.match(unspacedRuns))
}

const evened = (text: string) => text.replace(/\s+/g, ' ').trim()
