import type { ErrorCode } from '../../../kernel/error.ts'
import { errors } from '../../../kernel/error-table.ts'
import { termsOf, vagueWords } from '../docs/vocabulary.ts'
import { parse } from 'tldts'

/** Words for results that are missing, in whole or in part. */
export const lacking =
  /\b(?:few\w*|less|only|just|single|none|nothing|no|not|never|without|miss\w*|lacks?|lost|dropped|left out|skipp\w*|incomplete|empty|blank|instead|expected|stopp\w*|disappear\w*|vanish\w*|removed|where (?:is|are))\b|n['’]t\b|0 pages/i

/** Words for something that took too long. */
export const slow =
  /\b(?:slow\w*|long|ages|forever|hours|minutes?|hang\w*|hung|pause\w*|break|one after)\b|time[ds]?[ -]?out/i

/** Words for a failure in general. */
const failing = /fail|error|wrong|broken|crash|does ?n.?t work|not work|why/i

/** True if a text is a complaint, which probably refers to a job that went wrong. */
export const complains = (words: string): boolean => failing.test(words) || lacking.test(words) || slow.test(words)

/** Words of complaints that do not say what they are about. */
const complaintTerms = new Set(
  termsOf(
    `fail failed failure error errors wrong broken broke crash problem issue trouble empty blank nothing missing slow long
    time timed timeout hang hung stuck block blocked refuse refused deny denied reject rejected stop stopped work working
    happen happened job call request run result response answer last latest recent previous`,
  ),
)

/**
 * True if a text only complains, such as "Why did it fail?", so it probably refers to the latest job that went wrong.
 */
const isBareComplaint = (words: string): boolean =>
  complains(words) && termsOf(words).every((term) => vagueWords.has(term) || complaintTerms.has(term))

/** Words of complaints that say what is wrong, so only a job with that problem fits. */
const symptoms =
  /\b(?:slow\w*|long|hang\w*|hung|stuck|empty|blank|missing|block\w*|much time|t(?:akes?|aking|ook)\b.*\btime)\b|time[ds]?[ -]?out/i

/** Combines two patterns. */
export const either = (one: RegExp, other: RegExp): RegExp => new RegExp(`${one.source}|${other.source}`, 'i')

type Place = { country: string; languages: string[] }

/** Maps English names of languages and countries to the most likely country and language. */
function knownPlaces(): ReadonlyMap<string, Place> {
  const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const places = new Map<string, Place>()
  for (const code of knownCodes()) {
    const [name, region] = [languages.of(code), new Intl.Locale(code).maximize().region]
    if (name !== undefined && region !== undefined) places.set(name, { country: region, languages: [code] })
  }
  for (const code of knownCodes()) {
    const country = code.toUpperCase()
    const [name, language] = [regions.of(country), new Intl.Locale('und', { region: country }).maximize().language]
    if (name !== undefined && language !== 'und') places.set(name, { country, languages: [language] })
  }
  return places
}

function knownCodes(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  return letters.flatMap((one) => letters.map((other) => one + other))
}

/**
 * Returns the places whose capitalized names a text contains, in order; `German` and `Germany` both stand for a country
 * and its language.
 */
function placesIn(text: string): Place[] {
  const names = text.match(/\b\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu)
  if (!names) return []
  const known = knownPlaces()
  return names.flatMap((name) => known.get(name) ?? name.split(' ').flatMap((word) => known.get(word) ?? []))
}

export type AskInput = {
  question: string
  rationale?: string | undefined
  context?: Readonly<Record<string, unknown>> | undefined
  jobId?: string | undefined
}

export type Question = {
  /** The question without URLs, because a word such as `slow` in a URL is not a symptom. */
  words: string
  numbers: ReadonlySet<number>
  /** Error codes named in the question. */
  codes: readonly ErrorCode[]
  /** Ids, URLs and kinds of jobs that it names. */
  named: Named
  /** True if it names a field of a request, such as `maxAge`. */
  namesField(name: string): boolean
  /** True if it asks how to do something rather than why a job failed. */
  asksHow: boolean
  /** True if it complains without saying about what. */
  isBareComplaint: boolean
  /** True if it says what is wrong, such as `slow`, and not only that something is. */
  namesSymptom: boolean
  /** Countries and languages named in the question. */
  places: readonly Place[]
}

/** Typical beginnings of a question about the program. */
const howTo =
  /^\W*(?:(?:hi|hello|hey|please|so|and)\W+)*(?:how (?:do|does|can|could|should|would|to|many|much|often|long|big)\b|can (?:i|we|it|you)\b|could (?:i|we|it|you)\b|may i\b|is (?:there|it possible)\b|does (?:it|gossamer)\b|do (?:i|you)\b|where (?:do|can|are)\b|which\b|what (?:is|are|does)\b|when (?:is|are|does)\b|(?:tell|show) me how\b|explain\b|i (?:want|would like|need) to\b)/i
/** Words about a job of the caller that went wrong. */
const aboutFailure =
  /^\W*(?:what|which) (?:is|are|does|of)? ?(?:this|that|these|my|wrong)\b|\b(?:fail\w*|errors?|wrong|broken|crash\w*|stuck|refused|\d{3} error|[45]\d\d)\b|\b(?:but|yet|although|though|however)\b.*\b(?:no|not|never|none|nothing|n['’]t|missing|only|gone)\b/i

const maxContext = 20_000

/** Prepares a question for matching with rules. */
export function readQuestion({ question, rationale = '', context = {}, jobId = '' }: AskInput): Question {
  const more = `${rationale} ${JSON.stringify(context).slice(0, maxContext)} ${jobId}`
  const all = `${question} ${more}`
  const named = namedIn(question, more, jobId === '' ? undefined : jobId)
  const words = withoutUrls(question)
  const codes = [...new Set(all.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])].filter((code) =>
    Object.hasOwn(errors, code),
  ) as ErrorCode[]
  const fields = new Set(question.match(/\b[A-Za-z]+\b/g))
  return {
    words,
    numbers: new Set((words.match(/\b\d{1,9}\b/g) ?? []).map(Number)),
    codes,
    asksHow:
      jobId === '' &&
      codes.length === 0 &&
      named.urls.length === 0 &&
      named.ids.length === 0 &&
      howTo.test(question) &&
      !aboutFailure.test(words),
    isBareComplaint: isBareComplaint(words),
    namesSymptom: symptoms.test(words),
    named,
    namesField: (name) => fields.has(name),
    places: placesIn(words),
  }
}

const urls = /\bhttps?:\/\/[^\s"'<>`]+/gi
const hosts = /(?<![\w@./-])(?:[a-z\d-]+\.)*[a-z\d-]+(?::\d+)?(?:\/[^\s"'<>`]*)?/gi
const uuids = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi

const withoutUrls = (text: string): string =>
  text.replace(urls, ' ').replaceAll(hosts, (name) => (isHost(name) ? ' ' : name))

/** True for an address or a name below a public suffix, such as `shop.example.org/a`, but not for `robots.txt`. */
function isHost(name: string): boolean {
  const { isIp, isIcann, domain } = parse(name)
  return isIp === true || /^localhost[:/]/.test(name) || (isIcann === true && domain !== null)
}

const trimmed = (url: string) => url.replace(/[.,;:!?)\]}]+$/, '')

/** Returns the URLs in a text, including those without a scheme. */
function urlsIn(text: string): URL[] {
  const whole = [...text.matchAll(urls)].map(([url]) => trimmed(url))
  const bare = [...text.replace(urls, ' ').matchAll(hosts)].map(([name]) => trimmed(name)).filter(isHost)
  return [...whole, ...bare.map((name) => `http://${name}`)].flatMap((url) => URL.parse(url) ?? [])
}

/** Words for kinds of jobs, by endpoint. */
export const kindWords: Readonly<Record<string, string>> = {
  scrape: 'scrape',
  crawl: 'crawl',
  batch_scrape: 'batch',
  search: 'search',
  map: 'map',
  agent: 'agent',
  extract: 'extract',
  llmstxt: 'llmstxt',
  parse: 'parse',
  monitor: 'monitor',
  browser: 'session browser',
  interact: 'interact session browser',
  webhook: 'webhook',
}
/** Names in a question, by which jobs are selected: by ids if there are any, otherwise by URLs, otherwise by kinds. */
type Named = { ids: readonly string[]; urls: readonly URL[]; kinds: readonly string[] }

function namedIn(question: string, more: string, jobId: string | undefined): Named {
  const own = urlsIn(question)
  const terms = new Set(termsOf(withoutUrls(question)))
  return {
    ids: jobId === undefined ? (question.match(uuids) ?? more.match(uuids) ?? []) : [jobId],
    urls: own.length > 0 ? own : urlsIn(more),
    kinds: Object.keys(kindWords).filter((kind) => termsOf(kindWords[kind] ?? '').some((term) => terms.has(term))),
  }
}
