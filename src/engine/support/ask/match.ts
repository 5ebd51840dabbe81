import { closed, numbersOf } from '../../model/page/page-model.ts'
import type { Refusal } from '../../../contracts/job-ports.ts'
import { errors } from '../../../kernel/error-table.ts'
import type { ErrorCode } from '../../../kernel/error.ts'
import type { Diagnosis, Facts, JobCase } from './case.ts'
import type { Evidence } from './evidence.ts'
import { complains, kindWords, type Question } from './question.ts'
import { crawledSites, searches } from './rules/crawled.ts'
import { anyFailure, failedJobs } from './rules/failed.ts'
import { patternRules } from './rules/patterns.ts'
import { scrapeRules } from './rules/scraped.ts'
import { isSet, names, ofCode, refusalsFor, type RefusedFinding, settingsOf, stateRules } from './rules/state.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { isRecord } from '../../../util/json.ts'
import { termsOf } from '../docs/vocabulary.ts'

type Known = Pick<Evidence, 'jobs' | 'refusals' | 'facts'>
export type Finding = {
  rule: string
  /** Time of the job or refused call; undefined for a finding about neither. */
  at?: number
  score: number
  diagnosis: Diagnosis
  job?: JobCase
  /** Set if it only states facts about the named job or error, which may not answer the question. */
  isVague?: true
}

const jobRules = [...failedJobs, ...scrapeRules, ...patternRules, ...crawledSites, ...searches]
const dayMs = 86_400_000

/**
 * Returns the findings about the jobs and refused calls that the question names, best first. If it names none, only a
 * bare complaint has findings: those about the latest job or refused call that fits. Without any finding, a question
 * about a job gets its outcome and its settings.
 */
export async function findingsFor(question: Question, known: Known): Promise<Finding[]> {
  const { facts } = known
  const subject = subjectOf(question, known.jobs, known.refusals)
  const ofJobs = await Promise.all(subject.jobs.map((job) => findingsOf(job, question, facts, subject)))
  const refused = refusalsFor(question, subject.refusals, facts.now)
  const found: Finding[] = [
    ...ofJobs.flat().map((finding) => aboveRefusal(finding, refused)),
    ...refused,
    ...ofState(question, facts, subject, refused),
    ...question.codes.map((code) => ({ rule: code, score: 0, diagnosis: ofCode(code), isVague: true as const })),
  ]
  const job = subject.jobs.find(({ pageOf }) => pageOf === undefined)
  if (found.length === 0 && job && subject.choice !== 'by symptom') return [outcomeOf(job, question)]
  const ranked = found.toSorted((a, b) => b.score - a.score)
  return subject.choice === 'latest' || subject.choice === 'by symptom' ? latestOf(ranked) : ranked
}

/** Leaves out findings about other jobs and refused calls than the latest. */
function latestOf(findings: readonly Finding[]): Finding[] {
  const latest = Math.max(...findings.map(({ at = 0 }) => at))
  return findings.filter(({ at = latest }) => at === latest)
}

/**
 * Returns the findings about a job. Their score counts the signs that the question is about them, prefers options that
 * were set or named, and falls with the age of the job.
 */
async function findingsOf(job: JobCase, question: Question, facts: Facts, { choice }: Subject): Promise<Finding[]> {
  const found: Finding[] = []
  const isShown = isTrouble(job) && choice !== 'by symptom' && (choice === 'one' || complains(question.words))
  const age = (facts.now - job.createdAt) / dayMs
  for (const rule of [...jobRules, anyFailure]) {
    const isAsked = rule.asks.test(question.words)
    if (rule.onlyIfAsked && !isAsked) continue
    const diagnosis = rule === anyFailure && found.length > 0 ? undefined : await rule.finds(job, facts, question)
    const signs = [isAsked, isShown, hasFigure(job, question)].filter(Boolean).length
    if (!diagnosis || signs === 0) continue
    const fields = Object.keys(diagnosis.parameters ?? {})
    const isOwn = rule.onlyIfAsked && fields.some((field) => isSet(job, field) || question.namesField(field))
    found.push({ rule: rule.id, at: job.createdAt, score: 2 * signs + (isOwn ? 1 : 0) - age, diagnosis, job })
  }
  return found
}

/** True if the records of a job prove that it went wrong. */
function isTrouble({ code, page, crawl }: JobCase): boolean {
  if (code !== null) return true
  if (page) return page.status >= 400 || page.isWall || page.isEmpty || page.matchesNothing
  const left = Object.values(crawl?.skipped ?? {}).some((count) => count > 0)
  return crawl !== undefined && crawl.counts.done <= 1 && (left || crawl.counts.failed > 0)
}

/** True if the question names the error, the status or a count of a job. */
function hasFigure({ code, page, crawl }: JobCase, { numbers, codes }: Question): boolean {
  const figures = [page?.status, crawl?.counts.done, crawl?.counts.failed]
  return codes.includes(code as ErrorCode) || figures.some((figure) => figure && numbers.has(figure))
}

/** Ranks a rule with advice above the rejection of the same call, if that was also a job. */
function aboveRefusal(finding: Finding, refused: readonly RefusedFinding[]): Finding {
  const { diagnosis, job } = finding
  const same = refused.filter(({ code, operation }) => code === job?.code && operation === job.endpoint)
  if (!diagnosis.parameters || same.length === 0) return finding
  return {
    ...finding,
    at: Math.max(...same.map(({ at }) => at)),
    score: Math.max(finding.score, ...same.map(({ score }) => score + 0.5)),
  }
}

/** Applies rules about the state: those that caused a named error, and those that the question describes. */
function ofState(question: Question, facts: Facts, subject: Subject, refused: readonly RefusedFinding[]): Finding[] {
  const { words, codes, named } = question
  const isNamed = named.ids.length + subject.jobs.length + subject.refusals.length > 0
  return stateRules.flatMap((rule) => {
    const caused = refused.filter(({ code }) => rule.codes?.includes(code))
    const isCause = caused.length > 0 || codes.some((code) => rule.codes?.includes(code))
    const [phrase = ''] = rule.asks.exec(words) ?? []
    // Without a named job, only the name of an option or a status is specific enough.
    const isAsked = phrase !== '' && (isNamed || /[a-z][A-Z]|^\d{3}$/.test(phrase))
    const diagnosis = isCause || isAsked ? rule.finds(facts, question) : undefined
    const at = caused.length > 0 && { at: Math.max(...caused.map((finding) => finding.at)) }
    const score = Math.max(1, ...caused.map((finding) => finding.score + 0.5))
    return diagnosis ? [{ rule: rule.id, ...at, score, diagnosis }] : []
  })
}

/** States how a job ended and what its request set, for a question that no rule covers. */
function outcomeOf(job: JobCase, { named, words }: Question): Finding {
  const { id, endpoint, url, code, createdAt, page, crawl } = job
  const name = `${named.ids.includes(id) ? 'The' : 'The last'} ${endpoint.replace('_', ' ')}${url === null ? '' : ` of ${url}`}`
  const at = new Date(createdAt).toISOString().slice(11, 16)
  const text = page?.characters === undefined ? '' : ` and ${page.characters} characters of markdown`
  const end = crawl
    ? `read ${crawl.counts.done} pages, and ${crawl.counts.failed} failed`
    : page
      ? `returned status ${page.status}${text}`
      : code === null
        ? 'completed'
        : `failed with ${code}`
  const says = `${name}, at ${at} UTC, ${end}. ${settingsOf(job, words)}If you mean another one, ask again with its jobId, which activity lists; if you mean a part of it, say which.`
  return { rule: 'outcome', score: 0, diagnosis: { says }, job, isVague: true }
}

type Choice = { findings: readonly Finding[]; reword: (says: string) => string }

const shown = 6
const timeoutMs = 15_000
const system =
  'You help users of a web scraping service. You get a question and numbered findings about their jobs. Choose the findings that answer the question, the best first, and reword the best one for this question in two or three sentences. Say nothing that the finding does not say.'
const schema = closed({
  order: numbersOf('Numbers of findings, the best first.'),
  wording: {
    type: 'string',
    description: 'The first of them in two or three sentences, with its exact names and figures.',
  },
})

/**
 * Lets a language model, if one is set, order the findings and reword the first. The model gets only our own sentences,
 * never text of pages. If its wording adds facts, the original sentence is used.
 */
export async function chooseByModel(
  findings: readonly Finding[],
  question: string,
  { ports, team, signal }: Pick<Ctx, 'team' | 'signal'> & { ports: Pick<Ports, 'model'> },
): Promise<Choice> {
  const unchanged: Choice = { findings, reword: (says) => says }
  if (findings.length === 0 || !ports.model.isSet()) return unchanged
  const offered = findings.slice(0, shown)
  const lines = offered.map(({ diagnosis }, at) => `[${at + 1}] ${diagnosis.says}`)
  try {
    const { value } = await ports.model.object({
      task: 'support',
      effort: 'fast',
      maxOutputTokens: 800,
      timeoutMs,
      system,
      input: [{ role: 'user', text: `${lines.join('\n')}\n\nQuestion: ${question}` }],
      schema,
      teamId: team.id,
      keyName: team.key,
      signal,
    })
    return choiceOf(offered, value) ?? unchanged
  } catch {
    signal.throwIfAborted()
    return unchanged
  }
}

function choiceOf(offered: readonly Finding[], value: unknown): Choice | undefined {
  const { order, wording } = isRecord(value) ? value : {}
  if (!Array.isArray(order)) return undefined
  const named = [...new Set(order)].flatMap((number) => offered[Number(number) - 1] ?? [])
  const [first] = named
  if (!first || typeof wording !== 'string') return undefined
  const { says } = first.diagnosis
  const rest = offered.filter((finding) => !named.includes(finding))
  return {
    findings: [...named, ...rest],
    reword: (text) => (text === says && isFaithful(wording, says) ? wording.trim() : text),
  }
}

/** Matches figures, URLs, codes and field names. */
const statedFacts = /https?:\/\/\S+|\b\w*\d\w*\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b[a-z]+(?:[A-Z][a-z]*)+\b|\b[a-z]+_[a-z_]+\b/g
const bare = (text: string) => text.replace(/[.,;:!?)\]}'"]+$/, '')

/** True if a wording contains no facts beyond those of the original text, and is short enough. */
function isFaithful(wording: string, says: string): boolean {
  const sentences = wording.trim().split(/(?<=[.!?])\s+/).length
  const known = new Set([...says.matchAll(statedFacts)].map(([fact]) => bare(fact)))
  return (
    wording.trim() !== '' &&
    sentences <= 3 &&
    [...wording.matchAll(statedFacts)].every(([fact]) => known.has(bare(fact)))
  )
}

/** Returns a URL without scheme, fragment and trailing slash, for comparison. */
const plain = ({ host, pathname, search }: URL) => `${host}${pathname.replace(/\/$/, '')}${search}`

/** Jobs that read many pages of a site. */
const ofSites = new Set(['crawl', 'map', 'batch_scrape', 'agent', 'extract', 'llmstxt'])

/**
 * Jobs and refused calls that a question may be about, newest first. `choice`: `one` if they were selected by id or
 * URL,
 * `some` if by anything else that it names. A bare complaint selects the `latest` that went wrong, or `by symptom` if
 * it says what is wrong.
 */
type Subject = { jobs: JobCase[]; refusals: readonly Refusal[]; choice: 'one' | 'some' | 'latest' | 'by symptom' }

/**
 * Selects jobs and refused calls by id, otherwise by URL, otherwise by kind, otherwise by error, status or option. A
 * complaint that names nothing selects the jobs that went wrong and, unless it says what is wrong, all refused calls;
 * other words select nothing.
 */
function subjectOf(question: Question, jobs: readonly JobCase[], refusals: readonly Refusal[]): Subject {
  const { named } = question
  const newest = jobs.toSorted((one, other) => other.createdAt - one.createdAt)
  const byId = newest.filter(({ id }) => named.ids.includes(id))
  if (byId.length > 0) return { jobs: byUrl(named.urls, byId, byId), refusals: [], choice: 'one' }
  if (named.urls.length > 0) {
    const ofUrl = byUrl(named.urls, newest, [])
    const ofKind = ofUrl.filter((job) => isOf(named.kinds, job))
    return { jobs: ofKind.length > 0 ? ofKind : ofUrl, refusals: [], choice: 'one' }
  }
  const kinds = new Set(named.kinds.flatMap((kind) => termsOf(kindWords[kind] ?? '')))
  const isRefusedKind = ({ operation }: Refusal) => termsOf(operation).some((term) => kinds.has(term))
  const isMeant = (job: JobCase) => (kinds.size > 0 ? isOf(named.kinds, job) : isNamedBy(question, job))
  const meant = newest.filter(isMeant)
  const refused = refusals.filter((refusal) => isRefusedKind(refusal) || names(refusal, question))
  const isOpen = question.isBareComplaint && kinds.size === 0 && meant.length === 0 && refused.length === 0
  if (!isOpen) return { jobs: meant, refusals: refused, choice: 'some' }
  const troubled = newest.filter(isTrouble)
  return question.namesSymptom
    ? { jobs: troubled, refusals: [], choice: 'by symptom' }
    : { jobs: troubled, refusals, choice: 'latest' }
}

/** True if the question names a job's error, its status or an option that it set, such as `maxAge`. */
function isNamedBy({ codes, numbers, namesField }: Question, job: JobCase): boolean {
  const { code, page, input } = job
  const status =
    code === null ? (page?.status ?? 0) : Object.hasOwn(errors, code) ? errors[code as ErrorCode].status : 0
  const isOption = (name: string) => /[A-Z]/.test(name) && namesField(name) && isSet(job, name)
  return (
    codes.includes(code as ErrorCode) ||
    (status >= 400 && numbers.has(status)) ||
    Object.keys(input ?? {}).some(isOption)
  )
}

const isOf = (kinds: readonly string[], { endpoint, pageOf, crawl }: JobCase) =>
  kinds.includes(endpoint) ||
  (pageOf !== undefined && kinds.includes(pageOf)) ||
  (crawl?.events !== undefined && kinds.includes('webhook'))

/**
 * Returns the jobs of the named URLs; if there are none, jobs that read many pages of the named site, and all jobs of a
 * site that is named without a path.
 */
function byUrl(named: readonly URL[], jobs: readonly JobCase[], otherwise: JobCase[]): JobCase[] {
  const wanted = new Set(named.map(plain))
  const exact = jobs.filter((job) => urlsOf(job).some((url) => wanted.has(plain(url))))
  if (exact.length > 0) return exact
  const ofSite = jobs.filter((job) =>
    urlsOf(job).some(({ host }) =>
      named.some((url) => url.host === host && (ofSites.has(job.endpoint) || url.pathname === '/')),
    ),
  )
  return ofSite.length > 0 ? ofSite : otherwise
}

const urlsOf = ({ url, page }: JobCase) =>
  [url, page?.url, page?.finalUrl].flatMap((each) => (each ? (URL.parse(each) ?? []) : []))
