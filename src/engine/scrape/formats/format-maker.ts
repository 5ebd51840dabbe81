import { answerByModel, highlightsByModel, notOnPage } from '../../model/page/ask-model.ts'
import { AppError } from '../../../kernel/error.ts'
import type { ModelAnswer, PageModel } from '../../model/page/page-model.ts'
import { answerOf, clearAnswerOf, highlightsOf, withQuestions } from '../../understand/questions.ts'
import type { Snapshot } from '../../../contracts/crawl-ports.ts'
import type { Evidence } from '../../model/page/json-by-model.ts'
import type { DocumentFields } from '../../../schema/scrape/document.ts'
import type { Format, formatTraits, FormatType } from '../../../schema/scrape/formats.ts'
import type { FindMedia, PageContent, PagePart } from '../../../contracts/page-content.ts'

/** Facts about a scraped page. `at`: fetch time of its content, ms since the epoch. */
export type Observation = {
  status: number
  at: number
  /** Source of the content. */
  origin: 'site' | 'cache'
  /** Substitute received instead of the page; a shell is filled by scripts. */
  standIn: 'bot check' | 'shell without text' | undefined
}

/** Data available to a format maker: the parts it needs, and the page as received. */
export type PageView = {
  content: PageContent
  /** URL of the page after redirects; for a file its name. */
  url: string
  rawHtml(): string
  /** Finds media that the HTML does not name; undefined if nothing may be fetched. */
  findMedia?: (() => ReturnType<FindMedia>) | undefined
  /** Model for formats that need one, or the reason why there is none. */
  model: PageModel | 'none is set' | 'nothing may leave'
  /** Undefined for a file. */
  history?: PageHistory
}
/** The current observation of a page, and snapshots of earlier ones, one per tag. */
export type PageHistory = {
  observation: Observation
  /** True if the page was found by a link. */
  isLinked: boolean
  last(tag: string): Promise<Snapshot | undefined>
  /** Offers a snapshot, to be stored once the whole scrape has succeeded; undefined if nothing may be stored. */
  keep?(tag: string, snapshot: Snapshot): void
}
/** Metadata of a field: created by a language model or a built-in method, and the evidence. */
export type MadeBy = { llmMode: 'model' | 'builtin'; llmModel?: string; evidence?: Record<string, Evidence> }
type MakerNotes = { warning?: string; madeBy?: MadeBy }
/** Fields that formats add to the document, and notes for the caller. */
export type FormatFields = DocumentFields & MakerNotes
export type FormatOf<T extends FormatType> = Extract<Format, { type: T }>

/** Creates the field of a format. */
export type Maker<F, M = FormatFields> = {
  needs: readonly PagePart[]
  /** The maker needs the body of the page, in addition to or instead of parts. */
  needsBody?: true
  make(page: PageView, format: F): Promise<M> | M
}
/** Maker of one format, which fills only its own field. */
export type MakerOf<T extends FormatType> = Maker<FormatOf<T>, FieldsOf<T>>
export type FieldsOf<T extends FormatType> = Pick<DocumentFields, (typeof formatTraits)[T]['field']> & MakerNotes

export const question: MakerOf<'question'> = {
  needs: ['markdown', 'facts'],
  async make(page, { question: wanted, mode }) {
    const { value, ...how } = await understand(page, {
      what: 'answer',
      byModel: (model) => answerByModel(model, withQuestions(page.content), wanted),
      builtIn: () => {
        const answer = answerOf(page.content, wanted)
        return { text: answer?.text ?? notOnPage, quotes: [] }
      },
    })
    const { text, quotes } = value
    const own = how.madeBy.llmMode === 'model' && text === notOnPage ? clearAnswerOf(page.content, wanted) : undefined
    if (own) {
      const quoted = mode === 'directQuote' ? own.quotes : own.quotes.map((quote) => `> ${quote}`)
      return { ...how, answer: quoted.join('\n\n'), warning: joined(disagrees, how.warning) }
    }
    if (mode !== 'directQuote') return { answer: [text, ...quotes.map((quote) => `> ${quote}`)].join('\n\n'), ...how }
    // Without a model, the text is copied from the page and is its own quote. A model writes its text, so it must add a
    // quote.
    const unproved = how.madeBy.llmMode === 'model' ? notOnPage : text
    return { answer: quotes.length > 0 ? quotes.join('\n\n') : unproved, ...how }
  },
}

const disagrees =
  'The language model found nothing about it on the page; these lines of the page were chosen by the built-in extractive method.'
/** Joins two warnings, unless the first contains the second. */
export const joined = (one: string, other = '') => (one.includes(other) ? one : `${one} ${other}`)

export const highlights: MakerOf<'highlights'> = {
  needs: ['markdown', 'facts', 'text'],
  async make(page, { query }) {
    const { value, ...how } = await understand(page, {
      what: 'choice of highlights',
      byModel: (model) => highlightsByModel(model, withQuestions(page.content), query),
      builtIn: () => highlightsOf(page.content, query),
    })
    const isLost =
      how.madeBy.llmMode === 'model' && value.length === 0 && clearAnswerOf(page.content, query) !== undefined
    const lines = isLost ? highlightsOf(page.content, query) : value
    return { highlights: lines.join('\n\n'), ...how, ...(isLost && { warning: joined(disagrees, how.warning) }) }
  },
}

type Ways<T> = { what: string; byModel(model: PageModel): Promise<ModelAnswer<T>>; builtIn(): T }

/**
 * Uses a language model if there is one; otherwise, or if it fails, the built-in method. The result says which was
 * used.
 */
export async function understand<T>(
  { model, content = {} }: Pick<PageView, 'model'> & Partial<Pick<PageView, 'content'>>,
  { what, byModel, builtIn }: Ways<T>,
): Promise<{ value: T; madeBy: MadeBy; warning?: string }> {
  const withoutModel = (why: string) => ({
    value: builtIn(),
    madeBy: { llmMode: 'builtin' as const },
    warning: `${why}: the ${what} was made by the built-in extractive method.`,
  })
  if (typeof model === 'string') return withoutModel(reasons[model])
  if (isBlank(content)) return withoutModel('The page contains no text')
  try {
    const { value, model: llmModel, isPartial, calls = 1 } = await byModel(model)
    const notes = [
      ...(isPartial ? [`The ${what} covers a part of this long page only.`] : []),
      ...(calls > 1 ? [`The ${what} took ${calls} questions to the language model, because the page is long.`] : []),
    ]
    const madeBy = { llmMode: 'model' as const, llmModel }
    return { value, madeBy, ...(notes.length > 0 && { warning: notes.join(' ') }) }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !thrown.code.startsWith('MODEL_')) throw thrown
    return withoutModel(`The language model could not answer (${thrown.code})`)
  }
}

/** True for an empty page, for which a model would invent content. */
const isBlank = ({ markdown, facts }: PageView['content']) =>
  markdown?.trim() === '' && (facts?.questions.length ?? 0) === 0

const reasons = {
  'none is set': 'No language model is configured',
  'nothing may leave': 'With zero data retention no language model sees the page',
} as const
