import type { ErrorCode } from '../../../kernel/error.ts'
import { errors } from '../../../kernel/error-table.ts'
import type { JobCase } from './case.ts'

export type AskInput = {
  question: string
  rationale?: string | undefined
  context?: Readonly<Record<string, unknown>> | undefined
  jobId?: string | undefined
}

/** A question as rules are matched with it. */
export type Question = {
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
}

const urls = /\bhttps?:\/\/[^\s"'<>`]+/gi
const maxContext = 20_000

export function readQuestion({ question, rationale = '', context = {}, jobId = '' }: AskInput): Question {
  const more = `${rationale} ${JSON.stringify(context).slice(0, maxContext)} ${jobId}`
  const all = `${question} ${more}`
  const named = new Set([...all.matchAll(urls)].map(([url]) => plain(url.replace(/[.,;:!?)\]}]+$/, ''))))
  const words = withoutUrls(question)
  return {
    words,
    aside: withoutUrls(more),
    numbers: new Set((words.match(/\b\d{1,9}\b/g) ?? []).map(Number)),
    codes: [...new Set(all.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])].filter((code) =>
      Object.hasOwn(errors, code),
    ) as ErrorCode[],
    namesId: (id) => all.includes(id),
    namesUrl: (url) => named.has(plain(url)),
  }
}

const withoutUrls = (text: string) => text.replace(urls, ' ')

const plain = (url: string) => {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.host}${parsed.pathname.replace(/\/$/, '')}${parsed.search}` : url
}

/** What a rule must reach to be worth telling. */
export const leastScore = 3.5
/** Words by which people ask about whatever failed. */
const failing = /fail|error|wrong|broken|crash|does ?n.?t work|not work|why/i
const dayMs = 86_400_000
const endpointWords: Readonly<Record<string, RegExp>> = {
  scrape: /scrap|page/i,
  crawl: /crawl/i,
  batch_scrape: /batch/i,
  search: /search/i,
  map: /\bmap/i,
  browser: /browser|session/i,
  interact: /interact|session/i,
  extract: /extract/i,
}

type Matched = { asks: RegExp }

/** How well a rule about a job fits a question. That the job shows the symptom counts as much as that the question names it. */
export function scoreOf({ asks }: Matched, job: JobCase, question: Question, now: number): number {
  const { page, crawl, code } = job
  const figures = [page?.status, crawl?.counts.done, crawl?.counts.failed]
  const parts = [
    2,
    wordScore({ asks }, question),
    question.namesId(job.id) ? 4 : 0,
    job.url !== null && question.namesUrl(job.url) ? 3 : 0,
    code !== null && question.codes.includes(code as ErrorCode) ? 2 : 0,
    figures.some((figure) => figure !== undefined && figure > 0 && question.numbers.has(figure)) ? 2 : 0,
    code !== null && failing.test(question.words) ? 1.6 : 0,
    endpointWords[job.endpoint]?.test(question.words) ? 0.5 : 0,
    -(now - job.createdAt) / dayMs,
  ]
  return parts.reduce((sum, part) => sum + part, 0)
}

export const wordScore = ({ asks }: Matched, { words, aside }: Question): number =>
  asks.test(words) ? 2 : asks.test(aside) ? 1 : 0
