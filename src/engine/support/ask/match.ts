import type { Refusal } from '../../../contracts/job-ports.ts'
import type { ErrorCode } from '../../../kernel/error.ts'
import { errors } from '../../../kernel/error-table.ts'
import { type Diagnosis, type Facts, isTrouble, type JobCase, type JobRule, type Presumption } from './case.ts'
import { effectsFor, fieldsOf, isSet, optionsFor } from './options-of-schema.ts'
import type { Evidence } from './evidence.ts'
import {
  complains,
  isGeneric,
  kindWords,
  type Named,
  type Question,
  shareOf,
  tellingOf,
  withoutComplaints,
} from './question.ts'
import { names, refusalsFor, type RefusedFinding } from './refused.ts'
import { crawledSites, searches } from './rules/crawled.ts'
import { anyFailure, failedJobs } from './rules/failed.ts'
import { patternRules } from './rules/patterns.ts'
import { scrapeOptions } from './rules/option-rules.ts'
import { readPages } from './rules/read.ts'
import { ofCode, stateRules } from './rules/state.ts'
import { broughtBy, presumptions } from './rules/presumed.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { isRecord } from '../../../util/json.ts'
import { termsOf } from '../docs/vocabulary.ts'

type Disproved = { rule: string; score: number; diagnosis: Diagnosis; job: JobCase }

/** Score of facts in the records: above any score from words. */
const sure = 8

/** Words for the result as a whole. */
const wholes =
  /\b(?:results?|answers?|responses?|markdown|contents?|text|data|jobs?|run|call|requests?|last|recent|previous|just|now|again|outputs?|maps?|extracts?|sites?|websites?|urls?|get|gets|got|came|comes?|returned|returns?|gives?|gave|shows?|brought)\b/gi
/** Words for a part of the page or one of several results, to which figures of the whole do not apply. */
const inPart = /\b(?:almost|nearly|half|partly|mostly|some|part|parts|sometimes|often|which)\b|\?.*\w/i
/**
 * Contradicts an assumption of the question if the job it refers to disproves it and no job of the last day confirms
 * it.
 */
function disproved(question: Question, meant: readonly JobCase[]): Disproved | undefined {
  const presumption = presumptions.find((each) => isOfAll(each, question.words))
  if (!presumption || question.codes.length > 0) return undefined
  const [job] = meant
  const isNot = job && presumption.disproves(job)
  if (!job || isNot === undefined) return undefined
  // If another job confirms it, that one is meant.
  const showsIt = (each: JobCase) =>
    isTrouble(each) || (each.endpoint === job.endpoint && presumption.disproves(each) === undefined)
  if (meant.some(showsIt)) return undefined
  const isNamed = question.named.ids.includes(job.id)
  const name = `${isNamed ? 'The' : 'The last'} ${job.endpoint.replace('_', ' ')}${job.url === null ? '' : ` of ${job.url}`}`
  const at = new Date(job.createdAt).toISOString().slice(11, 16)
  return {
    rule: presumption.id,
    score: sure,
    diagnosis: {
      says: `${name}, at ${at} UTC, ${isNot}: ${broughtBy(job)}. If you mean another one, ask again with its jobId, which activity lists; if you mean a part of it, say which.`,
    },
    job,
  }
}

function isOfAll({ asks }: Presumption, words: string): boolean {
  if (words.search(asks) < 0 || inPart.test(words)) return false
  const rest = [...presumptions.map((each) => each.asks), wholes].reduce(
    (text, said) => text.replaceAll(said, ' '),
    words,
  )
  return tellingOf(rest) === ''
}

type Known = Pick<Evidence, 'jobs' | 'refusals' | 'facts'>
export type Finding = { rule: string; score: number; diagnosis: Diagnosis; job?: JobCase }

const jobRules = [...failedJobs, ...readPages, ...scrapeOptions, ...patternRules, ...crawledSites, ...searches]

/** Returns the findings of all rules that fit the question, best first. */
export async function findingsFor(question: Question, known: Known): Promise<Finding[]> {
  const { facts } = known
  const isMeant = (refusal: Refusal) => names(refusal, question)
  const { jobs, refusals, by, isMissing } = subjectOf(question.named, known.jobs, known.refusals, isMeant)
  const ofJobs = await Promise.all(jobs.map((job) => findingsOf(job, question, facts, by)))
  const refused = refusalsFor(question, refusals, { now: facts.now, isOfKind: by === 'kind' })
  // A rejected call is not a job.
  const notSo = refused.some(({ score }) => score >= minScore) ? undefined : disproved(question, jobs)
  const all = [
    ...(notSo ? [notSo] : []),
    ...ofJobs.flat().map((finding) => borneOut(finding, refused)),
    ...effectsFor(question, jobs),
    ...optionsFor(question, jobs),
    ...refused,
    ...(isMissing ? [] : ofState(question, facts, refused)),
    ...ofCodes(question),
  ]
  return all.filter(({ score }) => score >= minScore).toSorted((a, b) => b.score - a.score)
}

/**
 * Share of the question's words that a finding must explain: most of them if the question names neither the job nor the
 * symptom, so that words alone never select an unrelated failure.
 */
function minExplained({ asks, onlyIfAsked }: JobRule, by: Subject['by'], words: string): number {
  if (by !== 'nothing') return 0
  return onlyIfAsked && !saidOf({ asks }, words).every(isGeneric) ? 0.25 : 0.5
}

const saidOf = ({ asks }: Matched, words: string): string[] =>
  words.match(new RegExp(asks.source, `g${asks.flags.replace('g', '')}`)) ?? []

const maxOfRequest = 2000
/** Words that any question about a job may have. */
const anyJob = 'text page site job run call request'

/** Complaints are not a topic, so the other words must occur in the finding or the request. */
function explainedBy({ asks }: Matched, { says }: Diagnosis, job: JobCase, { words }: Question): number {
  const telling = tellingOf(withoutComplaints(words))
  const sent = JSON.stringify(job.request)?.slice(0, maxOfRequest)
  const text = [says, ...saidOf({ asks }, words), textOf(job.code), sent, anyJob].join(' ')
  return telling === '' ? 1 : shareOf(telling, text)
}

function textOf(code: string | null): string {
  const known = code !== null && Object.hasOwn(errors, code) ? errors[code as ErrorCode] : undefined
  return known ? `${code} ${known.status} ${known.message} ${known.hint}` : ''
}

async function findingsOf(job: JobCase, question: Question, facts: Facts, by: Subject['by']): Promise<Finding[]> {
  const found: Finding[] = []
  for (const rule of [...jobRules, anyFailure]) {
    if (rule.onlyIfAsked && wordScore(rule, question) === 0) continue
    const diagnosis = rule === anyFailure && found.length > 0 ? undefined : await rule.finds(job, facts, question)
    if (!diagnosis || explainedBy(rule, diagnosis, job, question) < minExplained(rule, by, question.words)) continue
    const score = scoreOf(rule, job, question, facts.now) + fieldScore(diagnosis, job, question)
    found.push({ rule: rule.id, score, diagnosis, job })
  }
  return found
}

/**
 * Scores fields: a field named in the question is probably meant, and an option that was set is a more likely cause
 * than a default.
 */
function fieldScore(diagnosis: Diagnosis, job: JobCase, { namesField }: Question): number {
  const { endpoint, input, request } = job
  const fields = fieldsOf(diagnosis, job)
  const own = fields.some((field) => isSet(endpoint, input ?? request ?? {}, field))
  return (fields.some(namesField) ? 1.5 : 0) + (own ? 1 : 0)
}

/** If a rejected call was also a job, a rule with advice for it is more useful than the rejection. */
function borneOut(finding: Finding, refused: readonly RefusedFinding[]): Finding {
  const { diagnosis, job } = finding
  const same = refused.filter(({ code, operation }) => code === job?.code && operation === job.endpoint)
  if (!diagnosis.parameters || same.length === 0) return finding
  return { ...finding, score: Math.max(finding.score, ...same.map(({ score }) => score + 0.5)) }
}

/** Applies rules about the state. A call rejected for an error that a rule covers confirms the rule. */
const ofState = (question: Question, facts: Facts, refused: readonly RefusedFinding[]): Finding[] =>
  stateRules.flatMap((rule) => {
    const asked = wordScore(rule, question)
    const diagnosis = asked > 0 ? rule.finds(facts, question) : undefined
    const sameErrors = refused.filter(({ code }) => rule.codes?.includes(code)).map(({ score }) => score + 0.5)
    return diagnosis ? [{ rule: rule.id, score: Math.max(2 + asked, ...sameErrors), diagnosis }] : []
  })

/** Explains an error named in the question if no job of the team ended with it. */
const ofCodes = ({ codes }: Question): Finding[] =>
  codes.map((code: ErrorCode) => ({ rule: `code ${code}`, score: minScore, diagnosis: ofCode(code) }))

/** Minimum score of a finding. */
export const minScore = 3.5
const dayMs = 86_400_000
type Matched = { asks: RegExp }

/**
 * Scores how well a rule about a job fits a question. A symptom shown by the job counts as much as one named in the
 * question.
 */
function scoreOf({ asks }: Matched, job: JobCase, question: Question, now: number): number {
  const { page, crawl, code } = job
  const figures = [page?.status, crawl?.counts.done, crawl?.counts.failed]
  const parts = [
    2,
    symptomScore({ asks }, job, question),
    question.named.ids.includes(job.id) ? 4 : 0,
    question.named.urls.length > 0 ? 3 : 0,
    code !== null && question.codes.includes(code as ErrorCode) ? 2 : 0,
    figures.some((figure) => figure !== undefined && figure > 0 && question.numbers.has(figure)) ? 2 : 0,
    question.named.kinds.length > 0 ? 0.5 : 0,
    -(now - job.createdAt) / dayMs,
  ]
  return parts.reduce((sum, part) => sum + part, 0)
}

/**
 * Scores the symptom: named in the question, or shown by a failed job if the question complains. With general words
 * this counts as one sign, not two.
 */
function symptomScore(rule: Matched, job: JobCase, question: Question): number {
  const said = wordScore(rule, question)
  if (!isTrouble(job) || !complains(question.words)) return said
  return 1.6 + (said === genericScore ? 0.5 : said)
}

const genericScore = 1.25
/** Words common to many symptoms score less than specific ones. */
function wordScore({ asks }: Matched, { words, aside }: Question): number {
  const said = saidOf({ asks }, words)
  if (said.length > 0) return said.every(isGeneric) ? genericScore : 2
  return asks.test(aside) ? 1 : 0
}

type Chosen = { findings: readonly Finding[]; reword: (says: string) => string }

const shown = 6
const timeoutMs = 15_000
const system =
  'You help users of a web scraping service. You get a question and numbered findings about their jobs. Choose the findings that answer the question, the best first, and word the best one anew for this question in two or three sentences. Say nothing that the finding does not say.'
const schema = {
  type: 'object',
  properties: {
    order: { type: 'array', items: { type: 'integer' }, description: 'Numbers of findings, the best first.' },
    wording: {
      type: 'string',
      description: 'The first of them in two or three sentences, with its exact names and figures.',
    },
  },
  required: ['order', 'wording'],
  additionalProperties: false,
}

/**
 * Lets a language model, if one is set, order the findings and word the first. It gets only our own sentences, never
 * text of pages; a wording with additional facts is discarded, and the findings are used unchanged.
 */
export async function chooseByModel(
  findings: readonly Finding[],
  question: string,
  { ports, team, signal }: Pick<Ctx, 'team' | 'signal'> & { ports: Pick<Ports, 'model'> },
): Promise<Chosen> {
  const asFound: Chosen = { findings, reword: (says) => says }
  if (findings.length === 0 || !ports.model.isSet()) return asFound
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
    return choiceOf(offered, value) ?? asFound
  } catch {
    signal.throwIfAborted()
    return asFound
  }
}

function choiceOf(offered: readonly Finding[], value: unknown): Chosen | undefined {
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

/** Jobs that read more pages of a site than their start page. */
const ofSites = new Set(['crawl', 'map', 'batch_scrape', 'agent', 'extract', 'llmstxt'])

/** Jobs and refused calls that a question may be about, newest first. */
type Subject = {
  jobs: JobCase[]
  refusals: readonly Refusal[]
  /** Kind of name in the question that selected them. */
  by: 'id or URL' | 'kind' | 'nothing'
  /** True if it names a kind of job, an id or a URL, and no such job exists. */
  isMissing: boolean
}

/**
 * Selects by id, otherwise by URL, otherwise by kind of job. A question that names none of them may be about any job.
 * `isMeant` returns true if a question names a refused call by its fields or its error.
 */
function subjectOf(
  named: Named,
  jobs: readonly JobCase[],
  refusals: readonly Refusal[],
  isMeant: (refusal: Refusal) => boolean,
): Subject {
  const newest = jobs.toSorted((one, other) => other.createdAt - one.createdAt)
  const byId = newest.filter(({ id }) => named.ids.includes(id))
  if (byId.length > 0) return { jobs: byUrl(named.urls, byId, byId), refusals: [], by: 'id or URL', isMissing: false }
  if (named.urls.length > 0) {
    const ofUrl = byUrl(named.urls, newest, [])
    const ofKind = ofUrl.filter((job) => isOf(named.kinds, job))
    const chosen = ofKind.length > 0 ? ofKind : ofUrl
    return { jobs: chosen, refusals: [], by: 'id or URL', isMissing: chosen.length === 0 }
  }
  if (named.kinds.length === 0) return { jobs: newest, refusals, by: 'nothing', isMissing: false }
  const ofKind = newest.filter((job) => isOf(named.kinds, job))
  const kinds = new Set(named.kinds.flatMap((kind) => termsOf(kindWords[kind] ?? '')))
  const refused = refusals.filter((each) => termsOf(each.operation).some((term) => kinds.has(term)) || isMeant(each))
  return { jobs: ofKind, refusals: refused, by: 'kind', isMissing: ofKind.length + refused.length === 0 }
}

const isOf = (kinds: readonly string[], { endpoint, pageOf }: JobCase) =>
  kinds.includes(endpoint) || (pageOf !== undefined && kinds.includes(pageOf))

/** Returns the jobs of one of these URLs; otherwise those that read many pages of its site, or any of a named host. */
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
