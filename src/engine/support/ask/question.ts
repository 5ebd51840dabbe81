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
  /** Whether it asks how something is done, rather than why something of the team's went wrong. */
  asksHow: boolean
  /** Countries and languages that it names. */
  places: readonly Place[]
}

/** Openings of a question about the program. */
const howTo =
  /^\W*(?:(?:hi|hello|hey|please|so|and)\W+)*(?:how (?:do|does|can|could|should|would|to|many|much|often|long|big)\b|can (?:i|we|it|you)\b|could (?:i|we|it|you)\b|may i\b|is (?:there|it possible)\b|does (?:it|gossamer)\b|do (?:i|you)\b|where (?:do|can|are)\b|which\b|what (?:is|are|does)\b|when (?:is|are|does)\b|(?:tell|show) me how\b|explain\b|i (?:want|would like|need) to\b)/i
/** Words about something that is theirs, and went wrong. */
const ofTheirs =
  /^\W*(?:what|which) (?:is|are|does|of)? ?(?:this|that|these|my|wrong)\b|\b(?:fail\w*|errors?|wrong|broken|crash\w*|stuck|refused|\d{3} error|[45]\d\d)\b|\b(?:but|yet|although|though|however)\b.*\b(?:no|not|never|none|nothing|n['’]t|missing|only|gone)\b/i

const urls = /\bhttps?:\/\/[^\s"'<>`]+/gi
const maxContext = 20_000

export function readQuestion({ question, rationale = '', context = {}, jobId = '' }: AskInput): Question {
  const more = `${rationale} ${JSON.stringify(context).slice(0, maxContext)} ${jobId}`
  const all = `${question} ${more}`
  const named = new Set([...all.matchAll(urls)].map(([url]) => plain(url.replace(/[.,;:!?)\]}]+$/, ''))))
  const words = withoutUrls(question)
  const codes = [...new Set(all.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])].filter((code) =>
    Object.hasOwn(errors, code),
  ) as ErrorCode[]
  const fields = new Set(question.match(/\b[A-Za-z]+\b/g))
  return {
    jobId: jobId === '' ? undefined : jobId,
    words,
    aside: withoutUrls(more),
    numbers: new Set((words.match(/\b\d{1,9}\b/g) ?? []).map(Number)),
    codes,
    asksHow: jobId === '' && codes.length === 0 && named.size === 0 && howTo.test(question) && !ofTheirs.test(words),
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
