import type { LabelledPage } from '../content/page-set.ts'
import { type Fields, type Gold, goldOf, withoutJsonLd } from './gold.ts'
import { digit, type Half, halfOf, tunedSites } from './halves.ts'
import { namedProduct } from './named-products.ts'
import type { Kind, OpenPage, Reader } from './reader.ts'
import { countFields, overlap, type Tally } from './score.ts'

export type QuestionResult = { hit: boolean; precision: number; recall: number }
export type Figures = {
  fields: Map<string, Tally>
  asked: QuestionResult[]
  /** The same questions with one word missing. */
  askedLess: QuestionResult[]
}

/** Share of an answer's words that must be found for it to count. */
const minFound = 0.6

/** A field that a reader left out or got wrong. */
export type Miss = { half: Half; reader: Reader; id: string; field: string; given: unknown; truths: readonly string[] }
export type Results = Map<Half, Map<Reader, Figures>>

/** Reads every page whose data or product is known, without its JSON-LD. `pages` opens the set, which is read twice. */
export async function measureAll(
  readers: readonly Reader[],
  pages: () => AsyncIterable<LabelledPage>,
  onMiss: (miss: Miss) => void = () => {},
): Promise<Results> {
  const results: Results = new Map()
  const tuned = await tunedSites(pages(), goldOf)
  for await (const { id, url, type, html } of pages()) {
    const gold = goldOf(html)
    const wanted = wantedOf(gold, url, type)
    if (wanted.length + gold.questions.length === 0) continue
    const half = halfOf(url, tuned)
    const bare = withoutJsonLd(html)
    for (const reader of readers) {
      const figures = figuresOf(results, half, reader)
      const page = reader.open(bare, url)
      for (const [kind, fields] of wanted) {
        const given = page.fields?.(kind)
        const missed = given ? countFields(figures.fields, fields, given) : []
        missed.forEach((field) =>
          onMiss({ half, reader, id, field, given: given?.[field], truths: fields[field] ?? [] }),
        )
      }
      for (const { question, answer } of gold.questions) {
        figures.asked.push(scoreOf(page, question, answer))
        figures.askedLess.push(scoreOf(page, withoutWord(question), answer))
      }
    }
  }
  return results
}

/** A product that a page mentions in passing, such as a subscription, is not its subject. */
function wantedOf({ article, product }: Gold, url: string, type: string): [Kind, Fields][] {
  const sold = type === 'product' ? (product ?? namedProduct(url)) : undefined
  return [
    ...(article ? [['article', article] as [Kind, Fields]] : []),
    ...(sold ? [['product', sold] as [Kind, Fields]] : []),
  ]
}

function figuresOf(results: Results, half: Half, reader: Reader): Figures {
  const readers = results.get(half) ?? new Map<Reader, Figures>()
  const figures = readers.get(reader) ?? { fields: new Map(), asked: [], askedLess: [] }
  readers.set(reader, figures)
  results.set(half, readers)
  return figures
}

function scoreOf(page: OpenPage, question: string, answer: string): QuestionResult {
  const hit = overlap(page.answer(question), answer).recall >= minFound
  return { hit, ...overlap(page.highlights(question), answer) }
}

/** People do not ask in the words of the page, so one longer word is removed, the same in every run. */
function withoutWord(question: string): string {
  const words = question.split(/\s+/)
  const long = words.flatMap((word, at) => (word.length > 3 ? [at] : []))
  if (long.length < 3) return question
  const lost = long[digit(question) % long.length]
  return words.filter((_, at) => at !== lost).join(' ')
}
