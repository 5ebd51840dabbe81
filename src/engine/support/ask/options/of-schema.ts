import { isDeepStrictEqual } from 'node:util'
import { shareOf, tellingOf } from '../about.ts'
import type { Diagnosis, JobCase, Parameters } from '../case.ts'
import { type Option, optionsOf } from './words.ts'
import type { Question } from '../question.ts'

type OptionFinding = { rule: string; score: number; diagnosis: Diagnosis; job: JobCase }

/** What a job is about, what it asks for, and who asks. */
const notOptions = new Set([
  'url',
  'urls',
  'query',
  'prompt',
  'formats',
  'webhook',
  'origin',
  'integration',
  'code',
  'jobId',
])
/** Of the question's telling words, what the description of an option must hold: of one that was set, and of one left as it is. */
const leastCoverage = { set: 0.45, usual: 0.6 }
const mostJobs = 5

/**
 * Options of the newest jobs whose description is about what the question says: what no rule knows, the schema may. That the caller has
 * set one is the better sign.
 */
export function optionsFor(question: Question, jobs: readonly JobCase[]): OptionFinding[] {
  // An error tells more than what was asked for.
  const newest = jobs
    .filter(({ pageOf, input, code }) => !pageOf && input && code === null)
    .toSorted((one, other) => other.createdAt - one.createdAt)
  const telling = tellingOf(question.words)
  if (telling === '') return []
  return newest.slice(0, mostJobs).flatMap((job, age) =>
    optionsOf(job.endpoint).flatMap((option): OptionFinding[] => {
      const { name, about } = option
      const found = notOptions.has(name)
        ? undefined
        : findingOf(option, job.input ?? {}, shareOf(telling, `${name} ${about}`))
      if (!found) return []
      const score = found.score + (question.namesField(name) ? 1.5 : 0) - age * 0.25
      return [{ rule: `option ${name}`, diagnosis: found.diagnosis, score, job }]
    }),
  )
}

/** Whether the caller has set a field to anything but what it is by itself. */
export function isSet(endpoint: string, input: Parameters, name: string): boolean {
  const value = input[name]
  if (notOptions.has(name) || value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return false
  const option = optionsOf(endpoint).find((each) => each.name === name)
  return option !== undefined && !isDeepStrictEqual(value, option.default)
}

/** Options that a diagnosis is about: those that it sets, and those that it names. */
export function fieldsOf(
  { says, parameters = {} }: Pick<Diagnosis, 'says' | 'parameters'>,
  { endpoint }: JobCase,
): string[] {
  const named = new Set(says.match(/\b[A-Za-z]+\b/g))
  const told = optionsOf(endpoint).filter(({ name }) => /[A-Z]/.test(name) && named.has(name))
  return [...new Set([...Object.keys(parameters), ...told.map(({ name }) => name)])]
}

function findingOf(
  option: Option,
  input: Parameters,
  coverage: number,
): { diagnosis: Diagnosis; score: number } | undefined {
  const { name, about, isSwitch } = option
  const value = input[name]
  const isOwn =
    value !== undefined && !isDeepStrictEqual(value, option.default) && !(Array.isArray(value) && value.length === 0)
  if (isOwn && coverage >= leastCoverage.set)
    return {
      diagnosis: {
        says: `The request sets ${name} to ${shown(value)}, which is: ${sentence(about)} Leave ${name} out for what happens without it.`,
        parameters: { [name]: null },
      },
      score: 2.5 + 3 * coverage,
    }
  if (isOwn || !isSwitch || coverage < leastCoverage.usual) return undefined
  const other = option.default !== true
  return {
    diagnosis: {
      says: `${name} is ${String(option.default)} unless a request sets it. It is: ${sentence(about)} Set ${name} to ${other}.`,
      parameters: { [name]: other },
    },
    score: 1.5 + 3 * coverage,
  }
}

const shown = (value: unknown) => JSON.stringify(value).slice(0, 100)
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
