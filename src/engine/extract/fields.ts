import { isRecord } from '../../util/json.ts'

const maxDepth = 6

/** Paths of the fields that a schema names, outside of lists. */
export function fieldsOf(schema: unknown, before = '', depth = 0): string[] {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  if (!isRecord(properties) || depth > maxDepth) return []
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = before === '' ? name : `${before}.${name}`
    return [path, ...fieldsOf(inner, path, depth + 1)]
  })
}

/** Those that the data lacks; of a field that is missing whole its parts are not named. */
export function missingFrom(data: unknown, fields: readonly string[]): string[] {
  const missing = fields.filter((path) => !has(data, path.split('.')))
  return missing.filter((path) => !missing.some((other) => path.startsWith(`${other}.`)))
}

const has = (data: unknown, [name = '', ...rest]: readonly string[]): boolean =>
  isRecord(data) && Object.hasOwn(data, name) && (rest.length === 0 || has(data[name], rest))

/** What a page says beyond the fields that the schema names is left out, unless the schema says that it may be there. */
export function onlyNamed(json: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return json
  const { properties, items, additionalProperties } = schema
  if (Array.isArray(json)) return json.map((each) => onlyNamed(each, items))
  if (!isRecord(json) || !isRecord(properties)) return json
  const kept = Object.entries(json).filter(([name]) => additionalProperties || Object.hasOwn(properties, name))
  return Object.fromEntries(kept.map(([name, each]) => [name, onlyNamed(each, properties[name])]))
}
