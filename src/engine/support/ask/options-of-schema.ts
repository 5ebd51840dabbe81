import { isDeepStrictEqual } from 'node:util'
import { shareOf, tellingOf, type Question } from './question.ts'
import type { Diagnosis, JobCase, Parameters, Effect } from './case.ts'
import { z } from 'zod'
import { BatchInput, CrawlInput, MapInput } from '../../../schema/crawl-schema.ts'
import { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { SearchInput } from '../../../schema/search-schema.ts'
import { CreateInput, InteractInput } from '../../../schema/session-schema.ts'
import { createDocsIndex } from '../docs/docs-index.ts'
import { effectsOfJobs } from './rules/effects-of-jobs.ts'
import { effectsOfPages } from './rules/effects-of-pages.ts'

/** One option of a kind of job, as its schema tells it. */
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

/** The options of a kind of job, by their names; none of a kind that has no schema here. */
function optionsOf(endpoint: string): readonly Option[] {
  const known = tables.get(endpoint)
  if (known) return known
  const input = inputs[endpoint]
  const { properties = {} } = input
    ? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as unknown as Schema)
    : {}
  const shape: Readonly<Record<string, z.ZodType>> = input instanceof z.ZodObject ? input.shape : {}
  const made = Object.entries(properties).map(([name, field]) => {
    // What is kept of a job has its defaults in the form that they are read to.
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

/** What the schema says of some fields, with their names as words. */
export const effectWords = (operation: string, fields: readonly string[]): string =>
  optionsOf(operation)
    .filter(({ name }) => fields.some((field) => field.split(/[.[]/)[0] === name))
    .map(({ name, about }) => `${name} ${about}`)
    .join(' ')

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

const effects: readonly Effect[] = [...effectsOfPages, ...effectsOfJobs]
/** Of the question's telling words, what must be about the effect. */
const leastTold = 0.4
const mostEffects = 4

let index: ReturnType<typeof createDocsIndex> | undefined
const openIndex = () =>
  createDocsIndex(effects.map(({ id, asked }) => ({ path: id, text: `# ${asked}\n\n<!-- asked as: ${asked} -->` })))

/** The effects that a question is about and a job may have, with how well they fit: up to 6, as rules are scored. */
export function effectsFor({ words, namesField }: Question, jobs: readonly JobCase[]) {
  index ??= openIndex()
  const hits = index.find(tellingOf(words)).filter(({ coverage }) => coverage >= leastTold)
  return hits.slice(0, mostEffects).flatMap(({ section: { path }, coverage }, place) => {
    const effect = effects.find(({ id }) => id === path)
    const found = effect && newestWith(effect, jobs)
    if (!effect || !found) return []
    const { diagnosis, job } = found
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
    // Of a batch nothing is kept but its pages.
    const input = job.input ?? job.request ?? (job.endpoint === 'batch_scrape' ? {} : undefined)
    const diagnosis = input && !job.pageOf && of.includes(job.endpoint) ? finds(input, job) : undefined
    if (diagnosis) return { diagnosis, job }
  }
  return undefined
}
