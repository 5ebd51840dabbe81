import type { ErrorCode } from '../../../kernel/error.ts'
import { errors } from '../../../kernel/error-table.ts'
import { type Place, placesIn } from './places.ts'

export type AskInput = {
  question: string
  rationale?: string | undefined
  context?: Readonly<Record<string, unknown>> | undefined
  jobId?: string | undefined
}

/** A question as rules are matched with it. */
export type Question = {
  /** The job that it is about, where the caller says so. */
  jobId: string | undefined
  /** Its words, without URLs: `slow` in one is no symptom. */
  words: string
  /** Those of rationale and context. */
  aside: string
  numbers: ReadonlySet<number>
  /** Error codes that it names. */
  codes: readonly ErrorCode[]
  /** Whether it names a job by its id. */
  namesId(id: string): boolean
  namesUrl(url: string): boolean
  /** Whether it names a field of a request, such as `maxAge`. */
  namesField(name: string): boolean
  /** Countries and languages that it names. */
  places: readonly Place[]
}

const urls = /\bhttps?:\/\/[^\s"'<>`]+/gi
const maxContext = 20_000

export function readQuestion({ question, rationale = '', context = {}, jobId = '' }: AskInput): Question {
  const more = `${rationale} ${JSON.stringify(context).slice(0, maxContext)} ${jobId}`
  const all = `${question} ${more}`
  const named = new Set([...all.matchAll(urls)].map(([url]) => plain(url.replace(/[.,;:!?)\]}]+$/, ''))))
  const words = withoutUrls(question)
  const fields = new Set(question.match(/\b[A-Za-z]+\b/g))
  return {
    jobId: jobId === '' ? undefined : jobId,
    words,
    aside: withoutUrls(more),
    numbers: new Set((words.match(/\b\d{1,9}\b/g) ?? []).map(Number)),
    codes: [...new Set(all.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])].filter((code) =>
      Object.hasOwn(errors, code),
    ) as ErrorCode[],
    namesId: (id) => all.includes(id),
    namesUrl: (url) => named.has(plain(url)),
    namesField: (name) => fields.has(name),
    places: placesIn(words),
  }
}

const withoutUrls = (text: string) => text.replace(urls, ' ')

const plain = (url: string) => {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.host}${parsed.pathname.replace(/\/$/, '')}${parsed.search}` : url
}
