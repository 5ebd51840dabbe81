import { isRecord } from '../../../util/json.ts'
import { isObject, type Schema, shapesOf } from '../../model/json/schema-forms.ts'
import { coerce, fitOf, namesFor } from './fit-values.ts'
import type { Fact, Table } from './named-facts.ts'
import type { Evidence } from '../../model/page/json-by-model.ts'

export type Material = { facts: readonly Fact[]; tables: readonly Table[] }
/** `missing` lists the paths of fields not on the page; `evidence` maps each path to the source of its value. */
export type Filled = { value: unknown; missing: string[]; evidence: Record<string, Evidence> }

const minFit = 0.35
const maxDepth = 6
/** Maximum number of fields to fill; a recursive schema may have millions. */
const maxFields = 500

/**
 * Fills a JSON Schema from the values that a page states under matching names. Missing values are omitted and listed;
 * nothing is invented. For a union, uses the shape with the most values, or the first of equals.
 */
export function fillSchema(schema: Schema, material: Material): Filled {
  const missing: string[] = []
  const evidence = new Map<string, Evidence>()
  const value = fill(schema, {
    ...material,
    root: schema,
    missing,
    evidence,
    path: '',
    names: [],
    depth: 0,
    budget: { fields: maxFields },
  })
  const empty = shapesOf(schema, schema).some(isObject) ? {} : null
  return { value: value ?? empty, missing, evidence: Object.fromEntries(evidence) }
}

type Place = Material & {
  root: Schema
  missing: string[]
  evidence: Map<string, Evidence>
  path: string
  names: readonly string[]
  depth: number
  budget: { fields: number }
}

function fill(written: Schema, place: Place): unknown {
  if (place.depth > maxDepth) return undefined
  const attempts = shapesOf(written, place.root).map((shape) => {
    const own = { missing: [], evidence: new Map<string, Evidence>() }
    return { ...own, value: fillShape(shape, { ...place, ...own }) }
  })
  const best = attempts.reduce((one, other) => (other.evidence.size > one.evidence.size ? other : one), nothing)
  const chosen = best === nothing ? (attempts[0] ?? nothing) : best
  for (const path of chosen.missing) place.missing.push(path)
  for (const [path, evidence] of chosen.evidence) place.evidence.set(path, evidence)
  return chosen.value
}

const nothing = { value: undefined as unknown, missing: [] as string[], evidence: new Map<string, Evidence>() }

function fillShape(shape: Schema, place: Place): unknown {
  if ('const' in shape) return undefined
  if (isObject(shape)) return fillObject(shape, place)
  return shape['type'] === 'array' ? fillList(shape, place) : bestValue(shape, place)
}

function fillObject(schema: Schema, place: Place): object | undefined {
  const properties = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})
  // Reserves the budget for the fields of this object before those of nested objects use it up.
  const tried = Math.min(properties.length, place.budget.fields)
  place.budget.fields -= tried
  const filled = properties.flatMap(([name, each], at) => {
    if (!isRecord(each)) return []
    const path = place.path === '' ? name : `${place.path}.${name}`
    const inner = () => ({ ...within(place, name), path, names: namesFor(name), depth: place.depth + 1 })
    const value = at < tried ? fill(each, inner()) : undefined
    if (value === undefined) place.missing.push(path)
    return value === undefined ? [] : [[name, value] as const]
  })
  return filled.length > 0 ? Object.fromEntries(filled) : undefined
}

/** Inside an object, facts with its name as prefix take precedence over facts of the same name elsewhere. */
function within(place: Place, name: string): Place {
  const prefix = `${name.toLowerCase()}.`
  const own = place.facts.filter((fact) => fact.name.toLowerCase().startsWith(prefix))
  const inner = own.map((fact) => ({ ...fact, name: fact.name.slice(prefix.length) }))
  return inner.length > 0 ? { ...place, facts: [...inner, ...place.facts] } : place
}

function fillList(schema: Schema, place: Place): unknown[] | undefined {
  const items = firstShape(schema['items'], place.root)
  if (!isObject(items)) return someOf(valuesOf(items, place))
  return someOf(rowsOf(items, place)) ?? (isWhole(place) ? onlyEntry(items, place) : undefined)
}

const someOf = (list: unknown[]) => (list.length > 0 ? list : undefined)

/** True if the list is all that the schema asks for. */
const isWhole = ({ root, depth }: Place) =>
  depth === 0 || (depth === 1 && isRecord(root['properties']) && Object.keys(root['properties']).length === 1)

/** Returns a list of one entry for a page about one thing; undefined if the page states a field more than once. */
function onlyEntry(items: Schema, place: Place): unknown[] | undefined {
  const evidence = new Map<string, Evidence>()
  const entry = fillObject(items, { ...place, path: `${place.path}[0]`, missing: [], evidence, depth: place.depth + 1 })
  const isRival = ({ quote, source }: Evidence) => {
    const own = place.facts.filter((fact) => fact.source === source && String(fact.value) === quote)
    const isOther = (value: string) => !isWithin(value, quote) && !isWithin(quote, value)
    return place.facts.some(
      ({ name, value, ...fact }) =>
        fact.source === source && isOther(String(value)) && own.some((each) => each.name === name),
    )
  }
  const fields = isRecord(items['properties']) ? Object.keys(items['properties']).length : 0
  if (evidence.size < Math.min(2, fields) || [...evidence.values()].some(isRival)) return undefined
  for (const [path, each] of evidence) place.evidence.set(path, each)
  return entry && [entry]
}

/** True for `€18` and `Price: €18`: the same statement, once with a label. */
const isWithin = (part: string, text: string) => ` ${text} `.includes(` ${part} `)

/** Returns the rows of the table whose columns match the names of most fields. */
function rowsOf(items: Schema, { tables, root, path, evidence }: Place): object[] {
  const fields = Object.entries(isRecord(items['properties']) ? items['properties'] : {})
  const fitted = tables
    .map((table) => ({ table, columns: fields.map(([name]) => columnFor(name, table)) }))
    .map(({ table, columns }) => ({ table, columns, found: columns.filter((at) => at !== undefined).length }))
    .toSorted((one, other) => other.found - one.found)
  const [best] = fitted
  if (!best || best.found < Math.min(2, fields.length)) return []
  const rows: object[] = []
  for (const cells of best.table.rows) {
    const row = fields.flatMap(([name, schema], at) => {
      const column = best.columns[at]
      const cell = column === undefined ? undefined : cells[column]
      const value = cell ? coerce(cell, firstShape(schema, root)) : undefined
      if (cell && value !== undefined) evidence.set(`${path}[${rows.length}].${name}`, quoteOf(cell, best.table))
      return value === undefined ? [] : [[name, value] as const]
    })
    if (row.length > 0) rows.push(Object.fromEntries(row))
  }
  return rows
}

const quoteOf = (quote: string, { where }: Table): Evidence => ({
  quote,
  source: 'table',
  ...(where !== undefined && { where }),
})

function columnFor(name: string, { columns }: Table): number | undefined {
  const fits = columns.map((column) => fitOf(namesFor(name), column))
  const best = Math.max(...fits, 0)
  return best >= 0.5 ? fits.indexOf(best) : undefined
}

function valuesOf(items: Schema, place: Place): unknown[] {
  const ranked = rankedFacts(place)
  const [best] = ranked
  if (!best) return []
  const same = ranked.filter(({ fact }) => fact.name === best.fact.name).map(({ fact }) => fact)
  const parts =
    same.length > 1
      ? same
      : same.flatMap((fact) =>
          String(fact.value)
            .split(/\s*[,;]\s+/)
            .map((value) => ({ ...fact, value })),
        )
  const values = new Map<unknown, Fact>()
  for (const part of parts) {
    const value = coerce(part.value, items)
    if (value !== undefined && !values.has(value)) values.set(value, part)
  }
  ;[...values.values()].forEach((fact, at) => place.evidence.set(`${place.path}[${at}]`, evidenceOf(fact)))
  return [...values.keys()]
}

function bestValue(schema: Schema, place: Place): unknown {
  for (const { fact } of rankedFacts(place)) {
    const value = isNotPerson(place, fact) ? undefined : coerce(fact.value, schema)
    if (value === undefined || value === '') continue
    place.evidence.set(place.path, evidenceOf(fact))
    return value
  }
  return undefined
}

const evidenceOf = ({ value, source, where }: Fact): Evidence => ({
  quote: String(value),
  source,
  ...(where !== undefined && { where }),
})

/** True for an author that is a URL or an account name, as on many pages. */
const isNotPerson = ({ names }: Place, { value }: Fact) =>
  names[0] === 'author' && /^https?:|^@|facebook|^admin$|^\d+$/i.test(String(value))

const rankedFacts = ({ facts, names }: Place) =>
  facts
    .map((fact) => ({ fact, fit: fitOf(names, fact.name) }))
    .filter(({ fit }) => fit >= minFit)
    .map(({ fact, fit }) => ({ fact, score: fit * fact.weight }))
    .toSorted((one, other) => other.score - one.score)

const firstShape = (schema: unknown, root: Schema): Schema =>
  isRecord(schema) ? (shapesOf(schema, root)[0] ?? {}) : {}
