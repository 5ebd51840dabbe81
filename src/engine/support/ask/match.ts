import type { ErrorCode } from '../../../kernel/error.ts'
import type { Diagnosis, Facts, JobCase } from './case.ts'
import { leastScore, type Question, scoreOf, wordScore } from './question.ts'
import { crawledSites } from './rules/crawled.ts'
import { anyFailure, failedJobs } from './rules/failed.ts'
import { patternRules } from './rules/patterns.ts'
import { readPages } from './rules/read.ts'
import { ofCode, stateRules } from './rules/state.ts'

export type Finding = { rule: string; score: number; diagnosis: Diagnosis; job?: JobCase }

const jobRules = [...failedJobs, ...readPages, ...patternRules, ...crawledSites]

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
    const diagnosis = await rule.finds(job, facts)
    if (diagnosis) found.push({ rule: rule.id, score: scoreOf(rule, job, question, facts.now), diagnosis, job })
  }
  if (found.length > 0) return found
  const diagnosis = await anyFailure.finds(job, facts)
  return diagnosis
    ? [{ rule: anyFailure.id, score: scoreOf(anyFailure, job, question, facts.now), diagnosis, job }]
    : []
}

const ofState = (question: Question, facts: Facts): Finding[] =>
  stateRules.flatMap((rule) => {
    const asked = wordScore(rule, question)
    const diagnosis = asked > 0 ? rule.finds(facts, question.namesId) : undefined
    return diagnosis ? [{ rule: rule.id, score: 2 + asked, diagnosis }] : []
  })

/** An error that the question names is explained, if no job of the team ended with it. */
const ofCodes = ({ codes }: Question): Finding[] =>
  codes.map((code: ErrorCode) => ({ rule: `code ${code}`, score: leastScore, diagnosis: ofCode(code) }))
