import { createHash } from 'node:crypto'
import type { LabelledPage } from '../content/page-set.ts'
import { goldOf, withoutJsonLd } from './gold.ts'
import type { Kind, OpenPage, Reader } from './reader.ts'
import { countFields, overlap, type Tally } from './score.ts'

/** The half of the pages that a figure is of; the methods were tuned on the other one. */
export type Half = 'held out' | 'tuned on'
export type QuestionResult = { hit: boolean; precision: number; recall: number }
export type Figures = {
  fields: Map<string, Tally>
  asked: QuestionResult[]
  /** The same questions, of which one word was lost. */
  askedLess: QuestionResult[]
}

/** Of an answer's words, what must be found for it to count. */
const leastFound = 0.6

export type Results = Map<Half, Map<Reader, Figures>>

/** Reads every page that says something of itself in JSON-LD, without that. */
export async function measureAll(readers: readonly Reader[], pages: AsyncIterable<LabelledPage>): Promise<Results> {
  const results: Results = new Map()
  for await (const { id, url, type, html } of pages) {
    const gold = goldOf(html)
    const bare = withoutJsonLd(html)
    const kinds = (['article', 'product'] as const).filter(
      (kind) => gold[kind] && (kind === 'article' || type === kind),
    )
    if (kinds.length + gold.questions.length === 0) continue
    for (const reader of readers) {
      const figures = figuresOf(results, halfOf(id), reader)
      const page = reader.open(bare, url)
      for (const kind of kinds) countKind(figures, kind, gold[kind] ?? {}, page)
      for (const { question, answer } of gold.questions) {
        figures.asked.push(scoreOf(page, question, answer))
        figures.askedLess.push(scoreOf(page, withoutWord(question), answer))
      }
    }
  }
  return results
}

function figuresOf(results: Results, half: Half, reader: Reader): Figures {
  const readers = results.get(half) ?? new Map<Reader, Figures>()
  const figures = readers.get(reader) ?? { fields: new Map(), asked: [], askedLess: [] }
  readers.set(reader, figures)
  results.set(half, readers)
  return figures
}

function countKind({ fields }: Figures, kind: Kind, gold: Record<string, readonly string[]>, page: OpenPage): void {
  if (!page.fields) return
  countFields(fields, gold, page.fields(kind))
}

function scoreOf(page: OpenPage, question: string, answer: string): QuestionResult {
  const hit = overlap(page.answer(question), answer).recall >= leastFound
  return { hit, ...overlap(page.highlights(question), answer) }
}

/** By the number of a page, so that it does not change with the set. */
const halfOf = (id: string): Half => (digit(id) % 2 === 1 ? 'held out' : 'tuned on')
const digit = (text: string) => createHash('sha1').update(text).digest()[0] ?? 0

/** Questions of people are not those of the page: one longer word is lost, the same in every run. */
function withoutWord(question: string): string {
  const words = question.split(/\s+/)
  const long = words.flatMap((word, at) => (word.length > 3 ? [at] : []))
  if (long.length < 3) return question
  const lost = long[digit(question) % long.length]
  return words.filter((_, at) => at !== lost).join(' ')
}
