import { z } from 'zod'
import { BatchInput, CrawlInput, MapInput } from '../../../../schema/crawl-schema.ts'
import { ScrapeInput } from '../../../../schema/scrape/scrape-options.ts'
import { SearchInput } from '../../../../schema/search-schema.ts'
import { CreateInput, InteractInput } from '../../../../schema/session-schema.ts'

/** One option of a kind of job, as its schema tells it. */
export type Option = { name: string; about: string; default: unknown; isSwitch: boolean }

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
export function optionsOf(endpoint: string): readonly Option[] {
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
