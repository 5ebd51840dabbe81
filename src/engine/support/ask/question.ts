import type { ErrorCode } from '../../../kernel/error.ts'
import { errors } from '../../../kernel/error-table.ts'
import { termsOf, relatedWords, vagueWords } from '../docs/vocabulary.ts'

/** How people say that something did not come, in whole or in part. */
export const lacking =
  /\b(?:few\w*|less|only|just|single|none|nothing|no|not|never|without|miss\w*|lacks?|lost|dropped|left out|skipp\w*|incomplete|empty|blank|instead|expected|stopp\w*|disappear\w*|vanish\w*|removed|where (?:is|are))\b|n['’]t\b|0 pages/i

/** How people say that something took too long. */
export const slow =
  /\b(?:slow\w*|long|ages|forever|hours|minutes?|hang\w*|pause\w*|break|one after)\b|time[ds]?[ -]?out/i

/** How people say that something failed, without saying what. */
const failing = /fail|error|wrong|broken|crash|does ?n.?t work|not work|why/i

/** Whether a text complains of anything: then it is meant for a job that shows trouble. */
export const complains = (words: string): boolean => failing.test(words) || lacking.test(words) || slow.test(words)

/** Words of either kind. */
export const either = (one: RegExp, other: RegExp): RegExp => new RegExp(`${one.source}|${other.source}`, 'i')

const wholly = (pattern: RegExp) => new RegExp(`^(?:${pattern.source})$`, 'i')
const generic = [wholly(lacking), wholly(slow)]

/** Whether these words alone say that something is wrong, and nothing of what. */
export const isGeneric = (said: string): boolean => generic.some((pattern) => pattern.test(said.trim()))

const relatedShare = 0.5
const vagueShare = 0.3

const weightOf = (term: string) => (vagueWords.has(term) ? vagueShare : 1)

/** How much of the telling words of a question a short text has, as such or by others for them: 0 to 1. */
export function shareOf(question: string, text: string): number {
  const held = new Set(termsOf(text))
  const asked = [...new Set(termsOf(question))]
  const heldOf = (term: string) => {
    if (held.has(term)) return 1
    return [...(relatedWords.get(term) ?? [])].some((other) => held.has(other)) ? relatedShare : 0
  }
  const whole = asked.reduce((sum, term) => sum + weightOf(term), 0)
  return whole === 0 ? 0 : asked.reduce((sum, term) => sum + weightOf(term) * heldOf(term), 0) / whole
}

/** What kind of job it is about is known already, and that pages or results are wrong goes for all: neither says of what. */
const common =
  /\b(?:crawl|scrap|batch|search|find|result)(?:e|es|ed|ing|ings|s|er|ers|d)?\b|\b(?:searches|batches|found|pages?)\b/gi

/** The words of a question that tell what it is about; none where nothing telling is left. */
export function tellingOf(words: string): string {
  const left = words.replaceAll(common, ' ')
  return termsOf(left).some((term) => !vagueWords.has(term)) ? left : ''
}

type Place = { country: string; languages: string[] }

/** Languages and countries by their English names, each with the country or the language that most likely goes with it. */
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

/** Places whose names a text has in capitals, in its order: of `German` and `Germany` alike where and how to browse from. */
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
