import { isRecord } from '../../../util/json.ts'
import { coerce } from './coerce.ts'
import type { Fact, Table } from './facts.ts'
import { fitOf, namesFor } from './names.ts'

type Schema = Record<string, unknown>
export type Material = { facts: readonly Fact[]; tables: readonly Table[] }
/** `missing` are paths of required or described fields that the page does not say. */
export type Filled = { value: unknown; missing: string[] }

const leastFit = 0.35
const maxDepth = 6

/**
 * Fills a JSON Schema from what a page says under such names. What it does not say is left out and listed; nothing is
 * made up. Unions are read as their first object, list or value that is not null.
 */
export function fillSchema(schema: Schema, material: Material): Filled {
  const missing: string[] = []
  const value = fill(schema, { ...material, root: schema, missing, path: '', names: [], depth: 0 })
  return { value: value ?? (isObject(resolve(schema, schema)) ? {} : null), missing }
}

type Place = Material & { root: Schema; missing: string[]; path: string; names: readonly string[]; depth: number }

function fill(written: Schema, place: Place): unknown {
  const schema = resolve(written, place.root)
  if (place.depth > maxDepth) return undefined
  if ('const' in schema) return undefined
  if (isObject(schema)) return fillObject(schema, place)
  if (typesOf(schema).includes('array')) return fillList(schema, place)
  return bestValue(schema, place)
}

function fillObject(schema: Schema, place: Place): object | undefined {
  const properties = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})
  const filled = properties.flatMap(([name, each]) => {
    if (!isRecord(each)) return []
    const path = place.path === '' ? name : `${place.path}.${name}`
    const value = fill(each, { ...within(place, name), path, names: namesFor(name), depth: place.depth + 1 })
    if (value === undefined) place.missing.push(path)
    return value === undefined ? [] : [[name, value] as const]
  })
  return filled.length > 0 ? Object.fromEntries(filled) : undefined
}

/** Inside of an object of that name its own facts count more than those of the same name elsewhere. */
function within(place: Place, name: string): Place {
  const prefix = `${name.toLowerCase()}.`
  const own = place.facts.filter((fact) => fact.name.toLowerCase().startsWith(prefix))
  const inner = own.map((fact) => ({ ...fact, name: fact.name.slice(prefix.length) }))
  return inner.length > 0 ? { ...place, facts: [...inner, ...place.facts] } : place
}

function fillList(schema: Schema, place: Place): unknown[] | undefined {
  const items = isRecord(schema['items']) ? resolve(schema['items'], place.root) : {}
  const list = isObject(items) ? rowsOf(items, place) : valuesOf(items, place)
  return list.length > 0 ? list : undefined
}

/** The table whose columns have the names of most of the fields, a row each. */
function rowsOf(items: Schema, { tables, root }: Place): object[] {
  const fields = Object.entries(isRecord(items['properties']) ? items['properties'] : {})
  const fitted = tables
    .map((table) => ({ table, columns: fields.map(([name]) => columnFor(name, table)) }))
    .map(({ table, columns }) => ({ table, columns, found: columns.filter((at) => at !== undefined).length }))
    .toSorted((one, other) => other.found - one.found)
  const [best] = fitted
  if (!best || best.found < Math.min(2, fields.length)) return []
  return best.table.rows
    .map((row) =>
      Object.fromEntries(
        fields.flatMap(([name, schema], at) => {
          const column = best.columns[at]
          const cell = column === undefined ? undefined : row[column]
          const rule = isRecord(schema) ? resolve(schema, root) : {}
          const value = cell ? coerce(cell, rule) : undefined
          return value === undefined ? [] : [[name, value] as const]
        }),
      ),
    )
    .filter((row) => Object.keys(row).length > 0)
}

function columnFor(name: string, { columns }: Table): number | undefined {
  const fits = columns.map((column) => fitOf(namesFor(name), column))
  const best = Math.max(...fits, 0)
  return best >= 0.5 ? fits.indexOf(best) : undefined
}

function valuesOf(items: Schema, place: Place): unknown[] {
  const ranked = rankedFacts(place)
  const [best] = ranked
  if (!best) return []
  const same = ranked.filter(({ fact }) => fact.name === best.fact.name).map(({ fact }) => fact.value)
  const parts = same.length > 1 ? same : same.flatMap((value) => String(value).split(/\s*[,;]\s+/))
  return [...new Set(parts.map((part) => coerce(part, items)).filter((value) => value !== undefined))]
}

function bestValue(schema: Schema, place: Place): unknown {
  for (const { fact } of rankedFacts(place)) {
    const value = isNoPerson(place, fact) ? undefined : coerce(fact.value, schema)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

/** Addresses and accounts stand in place of authors' names on many pages. */
const isNoPerson = ({ names }: Place, { value }: Fact) =>
  names[0] === 'author' && /^https?:|^@|facebook|^admin$|^\d+$/i.test(String(value))

const rankedFacts = ({ facts, names }: Place) =>
  facts
    .map((fact) => ({ fact, fit: fitOf(names, fact.name) }))
    .filter(({ fit }) => fit >= leastFit)
    .map(({ fact, fit }) => ({ fact, score: fit * fact.weight }))
    .toSorted((one, other) => other.score - one.score)

const typesOf = (schema: Schema): unknown[] => [schema['type']].flat()
const isObject = (schema: Schema) => typesOf(schema).includes('object') || isRecord(schema['properties'])

/** Follows references within the schema, and takes the first of a union that is not null. */
function resolve(schema: Schema, root: Schema, depth = 0): Schema {
  if (depth > 20) return {}
  const { $ref: reference } = schema
  if (typeof reference === 'string') {
    const found = reference.startsWith('#') ? at(root, reference.slice(1).split('/').filter(Boolean)) : undefined
    return isRecord(found) ? resolve(found, root, depth + 1) : {}
  }
  const union = [schema['anyOf'], schema['oneOf'], schema['allOf']].find(Array.isArray)
  const member = union?.find((each) => isRecord(each) && each['type'] !== 'null')
  return isRecord(member)
    ? resolve({ ...schema, anyOf: undefined, oneOf: undefined, allOf: undefined, ...member }, root, depth + 1)
    : schema
}

const at = (node: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), node)
