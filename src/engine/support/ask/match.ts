import type { ErrorCode } from '../../../kernel/error.ts'
import { type Diagnosis, type Facts, isTrouble, type JobCase } from './case.ts'
import type { Question } from './question.ts'
import { crawledSites } from './rules/crawled.ts'
import { anyFailure, failedJobs } from './rules/failed.ts'
import { patternRules } from './rules/patterns.ts'
import { scrapeOptions } from './rules/options.ts'
import { readPages } from './rules/read.ts'
import { searches } from './rules/searched.ts'
import { ofCode, stateRules } from './rules/state.ts'
import { complains } from './symptoms.ts'

export type Finding = { rule: string; score: number; diagnosis: Diagnosis; job?: JobCase }

const jobRules = [...failedJobs, ...readPages, ...scrapeOptions, ...patternRules, ...crawledSites, ...searches]

/** What the rules find that fits the question, the best first. */
export async function findingsFor(question: Question, jobs: readonly JobCase[], facts: Facts): Promise<Finding[]> {
  const ofJobs = await Promise.all(jobs.map((job) => findingsOf(job, question, facts)))
  const all = [...ofJobs.flat(), ...ofState(question, facts), ...ofCodes(question)]
  return all.filter(({ score }) => score >= leastScore).toSorted((a, b) => b.score - a.score)
}

async function findingsOf(job: JobCase, question: Question, facts: Facts): Promise<Finding[]> {
  const found: Finding[] = []
  for (const rule of jobRules) {
    if (rule.onlyIfAsked && wordScore(rule, question) === 0) continue
    const diagnosis = await rule.finds(job, facts, question)
    if (!diagnosis) continue
    const score = scoreOf(rule, job, question, facts.now) + namedScore(diagnosis, question)
    found.push({ rule: rule.id, score, diagnosis, job })
  }
  if (found.length > 0) return found
  const diagnosis = await anyFailure.finds(job, facts, question)
  return diagnosis
    ? [{ rule: anyFailure.id, score: scoreOf(anyFailure, job, question, facts.now), diagnosis, job }]
    : []
}

/** Whoever names a field has it in mind. */
const namedScore = ({ parameters = {} }: Diagnosis, { namesField }: Question) =>
  Object.keys(parameters).some(namesField) ? 1.5 : 0

const ofState = (question: Question, facts: Facts): Finding[] =>
  stateRules.flatMap((rule) => {
    const asked = wordScore(rule, question)
    const diagnosis = asked > 0 ? rule.finds(facts, question) : undefined
    return diagnosis ? [{ rule: rule.id, score: 2 + asked, diagnosis }] : []
  })

/** An error that the question names is explained, if no job of the team ended with it. */
const ofCodes = ({ codes }: Question): Finding[] =>
  codes.map((code: ErrorCode) => ({ rule: `code ${code}`, score: leastScore, diagnosis: ofCode(code) }))

/** What a rule must reach to be worth telling. */
export const leastScore = 3.5
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
function scoreOf({ asks }: Matched, job: JobCase, question: Question, now: number): number {
  const { page, crawl, code } = job
  const figures = [page?.status, crawl?.counts.done, crawl?.counts.failed]
  const parts = [
    2,
    wordScore({ asks }, question),
    question.namesId(job.id) ? 4 : 0,
    job.url !== null && question.namesUrl(job.url) ? 3 : 0,
    code !== null && question.codes.includes(code as ErrorCode) ? 2 : 0,
    figures.some((figure) => figure !== undefined && figure > 0 && question.numbers.has(figure)) ? 2 : 0,
    isTrouble(job) && complains(question.words) ? 1.6 : 0,
    endpointWords[job.endpoint]?.test(question.words) ? 0.5 : 0,
    -(now - job.createdAt) / dayMs,
  ]
  return parts.reduce((sum, part) => sum + part, 0)
}

const wordScore = ({ asks }: Matched, { words, aside }: Question): number =>
  asks.test(words) ? 2 : asks.test(aside) ? 1 : 0
