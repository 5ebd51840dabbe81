import { isDeepStrictEqual } from 'node:util'
import type { JobCase } from './case.ts'
import { rank } from '../../../util/rank.ts'
import { z } from 'zod'
import { BatchInput, CrawlInput, MapInput } from '../../../schema/crawl-schema.ts'
import { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { SearchInput } from '../../../schema/search-schema.ts'
import { CreateInput, InteractInput } from '../../../schema/session-schema.ts'

/** An option of a kind of job, from its schema. */
type Option = { name: string; about: string; default: unknown }

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
  return { name, about: description, default: type === 'boolean' ? (known ?? false) : known }
}

const plainValue = (text: string) =>
  text === 'true' ? true : text === 'false' ? false : /^\d+$/.test(text) ? Number(text) : undefined

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
/** True if the caller set a field of a job to a value other than its default. */
export function isSet({ endpoint, input, request }: JobCase, name: string): boolean {
  const value = (input ?? request ?? {})[name]
  if (notOptions.has(name) || value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return false
  const option = optionsOf(endpoint).find((each) => each.name === name)
  return option !== undefined && !isDeepStrictEqual(value, option.default)
}

const maxSettings = 3

/** Describes the options that a request set, those closest to the question first; empty if it set none. */
export function settingsOf(job: JobCase, words: string): string {
  const given = job.input ?? job.request ?? {}
  const set = optionsOf(job.endpoint).filter(({ name }) => isSet(job, name))
  const texts = set.map(
    ({ name, about }) => `${name} to ${JSON.stringify(given[name]).slice(0, 100)} (${about.replace(/\.$/, '')})`,
  )
  const fits = rank(texts, words)
  const nearest = texts.map((text, at) => ({ text, score: fits[at]?.score ?? 0 })).toSorted((a, b) => b.score - a.score)
  const shown = nearest.slice(0, maxSettings).map(({ text }) => text)
  return shown.length === 0 ? '' : `Its request set ${shown.join(', ')}. `
}
