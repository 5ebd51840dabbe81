import { isDeepStrictEqual } from 'node:util'
import { shareOf, tellingOf, withoutComplaints, type Question } from './question.ts'
import type { Diagnosis, JobCase, Parameters, Effect } from './case.ts'
import { z } from 'zod'
import { BatchInput, CrawlInput, MapInput } from '../../../schema/crawl-schema.ts'
import { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { SearchInput } from '../../../schema/search-schema.ts'
import { CreateInput, InteractInput } from '../../../schema/session-schema.ts'
import { createDocsIndex } from '../docs/docs-index.ts'
import { effectsOfJobs, effectsOfPages } from './rules/effects-of-pages.ts'

/** An option of a kind of job, from its schema. */
type Option = { name: string; about: string; default: unknown; isSwitch: boolean }

const inputs: Readonly<Record<string, z.ZodType>> = {
  scrape: ScrapeInput,
  crawl: CrawlInput,
  batch_scrape: BatchInput,
  search: SearchInput,
  map: MapInput,
  browser: CreateInput,
  browser_create: CreateInput,
  interact: InteractInput,
}
type Schema = { properties?: Record<string, Field> }
type Field = { description?: string; default?: unknown; type?: string }

const tables = new Map<string, readonly Option[]>()

/** Returns the options of a kind of job; empty without a schema. */
function optionsOf(endpoint: string): readonly Option[] {
  const known = tables.get(endpoint)
  if (known) return known
  const input = inputs[endpoint]
  const { properties = {} } = input
    ? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as unknown as Schema)
    : {}
  const shape: Readonly<Record<string, z.ZodType>> = input instanceof z.ZodObject ? input.shape : {}
  const made = Object.entries(properties).map(([name, field]) => {
    // A stored input contains parsed defaults, so the default is parsed too.
    const read = shape[name]?.safeParse(undefined).data
    return optionOf(name, field, read)
  })
  tables.set(endpoint, made)
  return made
}

function optionOf(name: string, { description = '', default: byDefault, type }: Field, read: unknown): Option {
  const [, told] = /\bDefault:? (true|false|\d+|[a-z]+)\b/.exec(description) ?? []
  const known = read ?? byDefault ?? (told === undefined ? undefined : (plainValue(told) ?? told))
  const isSwitch = type === 'boolean'
  return { name, about: description, default: isSwitch ? (known ?? false) : known, isSwitch }
}

const plainValue = (text: string) =>
  text === 'true' ? true : text === 'false' ? false : /^\d+$/.test(text) ? Number(text) : undefined

/** Returns the names and descriptions of some fields as searchable text. */
export const effectWords = (operation: string, fields: readonly string[]): string =>
  optionsOf(operation)
    .filter(({ name }) => fields.some((field) => field.split(/[.[]/)[0] === name))
    .map(({ name, about }) => `${name} ${about}`)
    .join(' ')

type OptionFinding = { rule: string; score: number; diagnosis: Diagnosis; job: JobCase }

/** Fields that are not options: the subject, the output and the origin of a job. */
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
/**
 * Share of the question's significant words that the description of an option must contain, for options that were set
 * and for defaults.
 */
const minCoverage = { set: 0.45, usual: 0.6 }
const maxJobs = 5

/**
 * Finds options of the newest jobs whose description matches the question, for cases that no rule covers. An option
 * that the caller has set is the stronger sign.
 */
export function optionsFor(question: Question, jobs: readonly JobCase[]): OptionFinding[] {
  // Failed jobs are skipped: their error is more informative than their options.
  const newest = jobs
    .filter(({ pageOf, input, code }) => !pageOf && input && code === null)
    .toSorted((one, other) => other.createdAt - one.createdAt)
  const telling = tellingOf(question.words)
  if (telling === '') return []
  return newest.slice(0, maxJobs).flatMap((job, age) =>
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

/** True if the caller set a field to a value other than its default. */
export function isSet(endpoint: string, input: Parameters, name: string): boolean {
  const value = input[name]
  if (notOptions.has(name) || value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return false
  const option = optionsOf(endpoint).find((each) => each.name === name)
  return option !== undefined && !isDeepStrictEqual(value, option.default)
}

/** Returns the options that a diagnosis sets or names. */
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
  if (isOwn && coverage >= minCoverage.set)
    return {
      diagnosis: {
        says: `The request sets ${name} to ${shown(value)}, which is: ${sentence(about)} Leave ${name} out for what happens without it.`,
        parameters: { [name]: null },
      },
      score: 2.5 + 3 * coverage,
    }
  if (isOwn || !isSwitch || coverage < minCoverage.usual) return undefined
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

const effects: readonly Effect[] = [...effectsOfPages, ...effectsOfJobs]
/** Share of the question's significant words that must match the effect. */
const minTold = 0.4
/** Share of its words without complaints that must. */
const minOfTopic = 0.25
const maxEffects = 4

let index: ReturnType<typeof createDocsIndex> | undefined
const openIndex = () =>
  createDocsIndex(effects.map(({ id, asked }) => ({ path: id, text: `# ${asked}`, askedAs: { [asked]: asked } })))

/** Returns the effects that match a question and a job, with scores up to 6, comparable to those of rules. */
export function effectsFor({ words, namesField }: Question, jobs: readonly JobCase[]) {
  index ??= openIndex()
  // A complaint such as `lost` or `missing` fits many effects.
  const topic = tellingOf(withoutComplaints(words))
  const hits = index.find(tellingOf(words)).filter(({ coverage }) => coverage >= minTold)
  return hits.slice(0, maxEffects).flatMap(({ section: { path }, coverage }, place) => {
    const effect = effects.find(({ id }) => id === path)
    const found = effect && newestWith(effect, jobs)
    if (!effect || !found) return []
    const { diagnosis, job } = found
    if (shareOf(topic, `${effect.asked} ${diagnosis.says}`) < minOfTopic) return []
    const fields = fieldsOf(diagnosis, job)
    const names = fields.some(namesField) ? 1.5 : 0
    const own = fields.some((field) => isSet(job.endpoint, job.input ?? {}, field)) ? 1 : 0
    return [{ rule: effect.id, score: 2 + 4 * coverage - place * 0.25 + names + own, ...found }]
  })
}

function newestWith(
  { of, finds }: Effect,
  jobs: readonly JobCase[],
): { diagnosis: Diagnosis; job: JobCase } | undefined {
  const newest = jobs.toSorted((one, other) => other.createdAt - one.createdAt)
  for (const job of newest) {
    // Only the page options of a batch are stored.
    const input = job.input ?? job.request ?? (job.endpoint === 'batch_scrape' ? {} : undefined)
    const diagnosis = input && !job.pageOf && of.includes(job.endpoint) ? finds(input, job) : undefined
    if (diagnosis) return { diagnosis, job }
  }
  return undefined
}
