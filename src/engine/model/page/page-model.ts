import { pageRule } from '../instructions.ts'
import { excerptOf } from '../../../util/rank.ts'
import type { Model, ModelObject, ModelRequest } from '../../../contracts/model-port.ts'

export const numbersOf = (description: string) => ({ type: 'array', items: { type: 'integer' }, description })

/** Schema of an answer: an object with these fields and no others, by default all required. */
export const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** Request about one page. `page` is the page's text: data, never instructions. */
export type PageQuestion = Pick<ModelRequest, 'task' | 'system' | 'effort' | 'maxOutputTokens'> & {
  page: string
  /** Request of the caller, appended after the page. */
  ask?: string | undefined
}

/** Language model for the formats of one page: billed to its team, and aborted with its scrape. */
export type PageModel = {
  text(question: PageQuestion): Promise<ModelAnswer<string>>
  object(question: PageQuestion & { schema: object }): Promise<ModelAnswer<unknown>>
  /**
   * Splits a page into parts that each fit into a request with this question. For a page too long for 6 parts, only the
   * lines that match the words best are used.
   */
  parts(question: PageQuestion, words: string): { parts: string[]; isPartial: boolean }
}
/** `isPartial`: not all of the page was read, or the answer was cut off. `calls`: number of questions, if several. */
export type ModelAnswer<T> = { value: T; model: string; isPartial: boolean; calls?: number } & Pick<
  ModelObject,
  'unreadable'
>

type Call = Pick<ModelRequest, 'teamId' | 'keyName' | 'signal'> & {
  /** Time left for an answer in ms. */
  timeoutMs(): number
}

/** Share of the context window for the page; the rest is for rules, question and answer. */
const pageShare = 0.8
/** Low estimate of the UTF-8 bytes per token; a text of digits or symbols may have fewer. */
const bytesPerToken = 3

/** Estimates the tokens of a text, rather too many than too few. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

export function createPageModel(model: Pick<Model, 'text' | 'object' | 'contextTokens'>, call: Call): PageModel {
  const roomFor = ({ effort, maxOutputTokens, ask = '' }: PageQuestion) =>
    bytesPerToken * Math.max(1000, model.contextTokens(effort) * pageShare - maxOutputTokens - tokensOf(ask))
  const requestOf = (whole: PageQuestion) => {
    const { page, ask, ...question } = whole
    const part = firstPart(page, roomFor(whole))
    const { teamId, keyName, signal } = call
    const text = `${fenced(part)}${ask === undefined ? '' : `\n\n${ask}`}`
    return {
      isCut: part.length < page.length,
      request: {
        ...question,
        system: `${question.system}\n${pageRule}`,
        input: [{ role: 'user' as const, text }],
        timeoutMs: call.timeoutMs(),
        teamId,
        keyName,
        signal,
      },
    }
  }
  return {
    async text(question) {
      const { request, isCut } = requestOf(question)
      const { text, model: name, isTruncated } = await model.text(request)
      return { value: text.trim(), model: name, isPartial: isCut || isTruncated }
    },
    async object({ schema, ...question }) {
      const { request, isCut } = requestOf(question)
      const { value, model: name, isTruncated, unreadable } = await model.object({ ...request, schema })
      return { value, model: name, isPartial: isCut || isTruncated, ...(unreadable && { unreadable }) }
    },
    parts(question, words) {
      const room = roomFor(question)
      const whole = partsOf(question.page, room)
      if (whole.length <= maxParts) return { parts: whole, isPartial: false }
      const characters = Math.floor((question.page.length * maxParts) / (whole.length + 1))
      const excerpt = excerptOf(question.page, words, characters)
      // Excerpts omit lines that are too long.
      const parts = excerpt.length * 2 < characters ? whole : partsOf(excerpt, room)
      return { parts: parts.slice(0, maxParts), isPartial: true }
    },
  }
}

/** Maximum number of parts of one page; more would cost more than expected of one scrape. */
const maxParts = 6

function partsOf(page: string, room: number): string[] {
  const parts: string[] = []
  for (let rest = page; rest !== '' || parts.length === 0;) {
    const part = firstPart(rest, room)
    parts.push(part)
    rest = rest.slice(part.length)
  }
  return parts
}

/** Asks the same question about all parts of a page concurrently; answers are in the order of the parts. */
export async function askParts<T>(
  model: PageModel,
  question: PageQuestion,
  words: string,
  ask: (part: PageQuestion) => Promise<ModelAnswer<T>>,
): Promise<ModelAnswer<T[]>> {
  const { parts, isPartial } = model.parts(question, words)
  const answers = await Promise.all(parts.map((page) => ask({ ...question, page })))
  return {
    value: answers.map(({ value }) => value),
    model: answers[0]?.model ?? '',
    calls: answers.length,
    isPartial: isPartial || answers.some((each) => each.isPartial),
    unreadable: [...new Set(answers.flatMap(({ unreadable = [] }) => unreadable))],
  }
}

/** Breaks the page's own `page` tags with a zero-width space, so the page cannot end its block. */
export const fenced = (page: string) => `<page>\n${page.replace(/<(?=\s*\/?\s*page\b)/gi, '<\u200B')}\n</page>`

/** Returns the start of a page, of at most this many bytes: whole lines, unless that would more than halve it. */
function firstPart(page: string, maxBytes: number): string {
  // A character takes at least one byte. Encoding the whole rest for each part would take time quadratic in the length
  // of the page.
  const bytes = Buffer.from(page.slice(0, maxBytes + 1))
  if (page.length <= maxBytes && bytes.length <= maxBytes) return page
  // Decodes as a stream: the bytes of a split character are left for the next part.
  const cut = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true })
  const end = cut.lastIndexOf('\n')
  return end > cut.length / 2 ? cut.slice(0, end) : cut
}
