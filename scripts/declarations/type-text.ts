import type { JsonSchema } from '../../src/kernel/json-schema.ts'

/** Turns the name of a definition into the name of its type. */
export type NameOf = (definition: string) => string

/** The TypeScript type of what a schema takes. Fails for what schemas of the program do not use, so that nothing becomes `unknown` by accident. */
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
    // Named fields must fit an index beside them.
    const index = others ? `${indent}  [name: string]: unknown\n` : ''
    return `{\n${fields(schema, nameOf, `${indent}  `)}${index}${indent}}`
  },
}

/** The fields of an object, a line each, with what is said of them. */
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
