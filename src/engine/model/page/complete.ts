import { isRecord } from '../../../util/json.ts'
import { allowsNull, isObject, type Schema, shapesOf } from '../json/schema-forms.ts'
import { within } from './json-by-model.ts'

type Place = { root: Schema; path: string; missing: string[] }

/**
 * Sets each required field that is not on the page to null if the schema allows null; nothing is invented. `missing`
 * lists the paths of all such fields, such as `offers[1].price`.
 */
export function completed(value: unknown, schema: unknown): { value: unknown; missing: string[] } {
  const missing: string[] = []
  return isRecord(schema)
    ? { value: complete(value, schema, { root: schema, path: '', missing }), missing }
    : { value, missing }
}

function complete(value: unknown, schema: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null || !isRecord(schema)) return value
  const shapes = shapesOf(schema, place.root)
  if (Array.isArray(value)) {
    const { items } = shapes.find(({ type }) => type === 'array') ?? {}
    return value.map((each, at) => complete(each, items, { ...place, path: `${place.path}[${at}]` }))
  }
  const entries: [string, unknown][] = Object.entries(value)
  const { properties, required } = nearest(shapes.filter(isObject), Object.keys(value))
  const propertyOf = (name: string) => (isRecord(properties) ? properties[name] : undefined)
  const pathOf = (name: string) => within(place.path, name)
  const gaps = [required ?? []].flat().filter((name): name is string => typeof name === 'string')
  const open = [...new Set(gaps)].filter((name) => entries.every(([key, each]) => key !== name || each === null))
  place.missing.push(...open.map(pathOf))
  const nulls = open.filter((name) => allowsNull(propertyOf(name), place.root)).map((name) => [name, null] as const)
  const fields = entries.map(
    ([name, each]) => [name, complete(each, propertyOf(name), { ...place, path: pathOf(name) })] as const,
  )
  return Object.fromEntries([...fields, ...nulls])
}

/** Returns the shape of a union that has most of the names. */
function nearest(shapes: readonly Schema[], names: readonly string[]): Schema {
  const shared = ({ properties }: Schema) =>
    names.filter((name) => isRecord(properties) && Object.hasOwn(properties, name)).length
  return shapes.reduce((one, other) => (shared(other) > shared(one) ? other : one), shapes[0] ?? {})
}
