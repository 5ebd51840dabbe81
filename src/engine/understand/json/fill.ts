import { isRecord } from '../../../util/json.ts'
import { coerce, fitOf, namesFor } from './fit-values.ts'
import type { Evidence, Fact } from './named-facts.ts'
import type { Table } from './labels.ts'

/** A JSON Schema of any draft from 4 to 2020-12. */
type Schema = Record<string, unknown>

const maxShapes = 8
/** Maximum number of subschemas to visit for one value: references may be circular, and nested unions multiply. */
const maxParts = 300

/**
 * Returns the possible shapes of a value: references resolved, members of `allOf` merged, and one shape for each member
 * of `anyOf` and `oneOf` and for each of several types. `null` is not a shape, because missing values are omitted.
 */
function shapesOf(written: Schema, root: Schema, budget = { parts: maxParts }): Schema[] {
  if (--budget.parts < 0) return []
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = written
  const parts = [...(typeof reference === 'string' ? [referred(reference, root)] : []), ...listed(allOf)]
  const whole = parts.reduce<Schema[]>(
    (shapes, part) => shapes.flatMap((shape) => shapesOf(part, root, budget).map((each) => merged(shape, each))),
    [own],
  )
  const union = [...listed(anyOf), ...listed(oneOf)]
  const members = union.flatMap((member) => shapesOf(member, root, budget))
  const shapes = union.length === 0 ? whole : whole.flatMap((shape) => members.map((each) => merged(shape, each)))
  return shapes.flatMap(byType).slice(0, maxShapes)
}

const listed = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : [])

function referred(reference: string, root: Schema): Schema {
  if (!reference.startsWith('#')) return {}
  const keys = reference.slice(1).split('/').filter(Boolean).map(unescaped)
  const found = keys.reduce<unknown>(
    (node, key) => (isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined),
    root,
  )
  return isRecord(found) ? found : {}
}

/** Decodes a JSON Pointer (RFC 6901) in a URL fragment. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return key
  }
}

function merged(one: Schema, other: Schema): Schema {
  const properties = [one['properties'], other['properties']].filter(isRecord)
  return { ...one, ...other, ...(properties.length > 0 && { properties: Object.assign({}, ...properties) as unknown }) }
}

function byType(shape: Schema): Schema[] {
  const { type } = shape
  if (!Array.isArray(type)) return type === 'null' ? [] : [shape]
  return type.filter((name) => name !== 'null').map((name: unknown) => ({ ...shape, type: name }))
}

export type Material = { facts: readonly Fact[]; tables: readonly Table[] }
/** `missing` lists the paths of fields not on the page; `evidence` maps each path to the source of its value. */
export type Filled = { value: unknown; missing: string[]; evidence: Record<string, Evidence> }

const leastFit = 0.35
const maxDepth = 6
/** Maximum number of fields to fill. A recursive schema has millions. */
const maxFields = 500

/**
 * Fills a JSON Schema from the values that a page states under matching names. Missing values are omitted and listed;
 * nothing is invented. Of a union, takes the shape with the most values, the first of equals.
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
  // All fields of one object come before those nested in them.
  const lookedFor = Math.min(properties.length, place.budget.fields)
  place.budget.fields -= lookedFor
  const filled = properties.flatMap(([name, each], at) => {
    if (!isRecord(each)) return []
    const path = place.path === '' ? name : `${place.path}.${name}`
    const inner = () => ({ ...within(place, name), path, names: namesFor(name), depth: place.depth + 1 })
    const value = at < lookedFor ? fill(each, inner()) : undefined
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
  const list = isObject(items) ? rowsOf(items, place) : valuesOf(items, place)
  return list.length > 0 ? list : undefined
}

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

const firstShape = (schema: unknown, root: Schema): Schema =>
  isRecord(schema) ? (shapesOf(schema, root)[0] ?? {}) : {}

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
    const value = isNoPerson(place, fact) ? undefined : coerce(fact.value, schema)
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

/** Many pages give URLs and account names as authors. */
const isNoPerson = ({ names }: Place, { value }: Fact) =>
  names[0] === 'author' && /^https?:|^@|facebook|^admin$|^\d+$/i.test(String(value))

const rankedFacts = ({ facts, names }: Place) =>
  facts
    .map((fact) => ({ fact, fit: fitOf(names, fact.name) }))
    .filter(({ fit }) => fit >= leastFit)
    .map(({ fact, fit }) => ({ fact, score: fit * fact.weight }))
    .toSorted((one, other) => other.score - one.score)

const isObject = (shape: Schema) => shape['type'] === 'object' || isRecord(shape['properties'])
