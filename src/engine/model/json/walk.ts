import { isRecord } from '../../../util/json.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const holders = {
  one: 'additionalProperties additionalItems items contains not if then else propertyNames unevaluatedItems unevaluatedProperties',
  list: 'allOf anyOf oneOf prefixItems items',
  named: 'properties patternProperties $defs definitions dependentSchemas dependencies',
}
const one = new Set(holders.one.split(' '))
const list = new Set(holders.list.split(' '))
const named = new Set(holders.named.split(' '))

/** The schema with each schema directly in it replaced. A property that is called like a keyword is none. */
export function mapInside(schema: Schema, map: (inner: Schema) => Schema): Schema {
  const mapped = (value: unknown) => (isRecord(value) ? map(value) : value)
  const inside = ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (list.has(keyword) && Array.isArray(value)) return [keyword, value.map(mapped)]
    if (one.has(keyword)) return [keyword, mapped(value)]
    if (!named.has(keyword) || !isRecord(value)) return [keyword, value]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each)]))]
  }
  return Object.fromEntries(Object.entries(schema).map(inside))
}

export const without = (schema: Schema, keywords: ReadonlySet<string>): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.has(keyword)))
