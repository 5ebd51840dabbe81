import type { JsonSchema } from '../../src/kernel/json-schema.ts'

/** Maps the name of a definition to the name of its type. */
export type NameOf = (definition: string) => string

/** TypeScript type for a schema. Throws on schema features the program does not use, so none becomes `unknown`. */
export function typeText(schema: JsonSchema, nameOf: NameOf, indent = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.replace('#/$defs/', ''))
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return union(branches.map((branch) => typeText(branch, nameOf, indent)))
  if (schema.allOf) return schema.allOf.map((part) => `(${typeText(part, nameOf, indent)})`).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeText({ ...schema, type }, nameOf, indent)))
  if (schema.type === undefined) return 'unknown'
  const make = types[schema.type]
  if (!make) throw new Error(`No TypeScript type is known for ${JSON.stringify(schema)}.`)
  return make(schema, nameOf, indent)
}

type Make = (schema: JsonSchema, nameOf: NameOf, indent: string) => string

const types: Readonly<Record<string, Make>> = {
  string: () => 'string',
  number: () => 'number',
  integer: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items, prefixItems }, nameOf, indent) => {
    if (prefixItems) return `[${prefixItems.map((item) => typeText(item, nameOf, indent)).join(', ')}]`
    const item = typeText(items ?? {}, nameOf, indent)
    return /^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`
  },
  object: (schema, nameOf, indent) => {
    const { properties = {}, additionalProperties: others } = schema
    const rest = others && Object.keys(others).length > 0 ? typeText(others, nameOf, indent) : 'unknown'
    if (Object.keys(properties).length === 0) return others ? `{ [name: string]: ${rest} }` : 'Record<string, never>'
    // Named fields must be compatible with the index signature.
    const index = others ? `${indent}  [name: string]: unknown\n` : ''
    return `{\n${fields(schema, nameOf, `${indent}  `)}${index}${indent}}`
  },
}

/** Fields of an object, one per line, with their descriptions. */
export function fields({ properties = {}, required = [] }: JsonSchema, nameOf: NameOf, indent: string): string {
  return Object.entries(properties)
    .map(([name, field]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
      const type = typeText(field, nameOf, indent)
      const isRequired = required.includes(name)
      return `${comment(field.description, indent)}${indent}${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}\n`
    })
    .join('')
}

export const comment = (text: string | undefined, indent: string) =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`

const union = (members: readonly string[]) => [...new Set(members)].join(' | ') || 'never'
