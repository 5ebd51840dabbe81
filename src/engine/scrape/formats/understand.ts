import { AppError } from '../../../kernel/error.ts'
import { answerByModel, highlightsByModel, notOnPage, summaryByModel } from '../../understand/ask-model.ts'
import type { ModelAnswer, PageModel } from '../../understand/page-model.ts'
import { answerOf, highlightsOf, withQuestions } from '../../understand/questions.ts'
import { summaryOf } from '../../understand/summary.ts'
import type { MadeBy, MakerOf, PageView } from './maker.ts'

export const question: MakerOf<'question'> = {
  needs: ['markdown', 'facts'],
  async make(page, { question: asked, mode }) {
    const { value, ...how } = await understand(page, {
      what: 'answer',
      byModel: (model) => answerByModel(model, withQuestions(page.content), asked),
      builtIn: () => {
        const found = answerOf(page.content, asked)
        return { text: found?.text ?? notOnPage, quotes: [] }
      },
    })
    const { text, quotes } = value
    if (mode !== 'directQuote') return { answer: [text, ...quotes.map((quote) => `> ${quote}`)].join('\n\n'), ...how }
    // Without a model the text is the page's own; a model's words that it does not prove are not.
    const unproved = how.madeBy.llmMode === 'model' ? notOnPage : text
    return { answer: quotes.length > 0 ? quotes.join('\n\n') : unproved, ...how }
  },
}

export const highlights: MakerOf<'highlights'> = {
  needs: ['markdown', 'facts', 'text'],
  async make(page, { query }) {
    const { value, ...how } = await understand(page, {
      what: 'choice of highlights',
      byModel: (model) => highlightsByModel(model, withQuestions(page.content), query),
      builtIn: () => highlightsOf(page.content, query),
    })
    return { highlights: value.join('\n\n'), ...how }
  },
}

export const summary: MakerOf<'summary'> = {
  needs: ['markdown'],
  async make(page) {
    const { markdown = '', metadata = {} } = page.content
    const { value, ...how } = await understand(page, {
      what: 'summary',
      byModel: (model) => summaryByModel(model, markdown),
      builtIn: () =>
        summaryOf(markdown, { title: textOf(metadata['title']), description: textOf(metadata['description']) }),
    })
    return { summary: value, ...how }
  },
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

type Ways<T> = { what: string; byModel(model: PageModel): Promise<ModelAnswer<T>>; builtIn(): T }

/** By a language model where there is one, else, and where it fails, by the built-in method; the answer says which. */
export async function understand<T>(
  { model, content = {} }: Pick<PageView, 'model'> & Partial<Pick<PageView, 'content'>>,
  { what, byModel, builtIn }: Ways<T>,
): Promise<{ value: T; madeBy: MadeBy; warning?: string }> {
  const byHand = (why: string) => ({
    value: builtIn(),
    madeBy: { llmMode: 'builtin' as const },
    warning: `${why}: the ${what} was made by the built-in extractive method.`,
  })
  if (typeof model === 'string') return byHand(reasons[model])
  if (isBlank(content)) return byHand('The page holds no text')
  try {
    const { value, model: llmModel, isPartial } = await byModel(model)
    const madeBy = { llmMode: 'model' as const, llmModel }
    return { value, madeBy, ...(isPartial && { warning: `The ${what} covers the first part of this long page only.` }) }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !thrown.code.startsWith('MODEL_')) throw thrown
    return byHand(`The language model could not answer (${thrown.code})`)
  }
}

/** Asked about nothing, a model makes something up. */
const isBlank = ({ markdown, facts }: PageView['content']) =>
  markdown?.trim() === '' && (facts?.questions.length ?? 0) === 0

const reasons = {
  'none is set': 'No language model is configured',
  'nothing may leave': 'With zero data retention no language model sees the page',
} as const
