import type { JsonSchema } from '../../../../kernel/json-schema.ts'

export type FieldKind = 'text' | 'long' | 'number' | 'switch' | 'choice' | 'list' | 'file' | 'json'
/** An input field of an operation as a form shows it. */
export type Field = {
  name: string
  kind: FieldKind
  options: readonly string[]
  about: string
  isRequired: boolean
  fallback: unknown
}

/** Texts that may be longer are written on several lines. */
const lineLength = 4096

/** Fields of a form for a schema, in its order. What has no form of its own is written as JSON. */
export function fieldsOf(root: JsonSchema): Field[] {
  return Object.entries(root.properties ?? {}).map(([name, schema]) => {
    const choices = choicesOf(root, schema)
    return {
      name,
      kind: kindOf(root, choices),
      options: optionsOf(choices),
      about: schema.description ?? '',
      isRequired: root.required?.includes(name) ?? false,
      fallback: schema.default,
    }
  })
}

/** What a value may be, without null: a field that may be null is left out instead. */
function choicesOf(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  const target = schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {})
  const nested = target.anyOf ?? target.oneOf
  if (nested) return nested.flatMap((each) => choicesOf(root, each))
  const types = [target.type ?? []].flat()
  const all = types.length > 1 ? types.map((type) => ({ ...target, type })) : [target]
  return all.filter(({ type }) => type !== 'null')
}

function kindOf(root: JsonSchema, choices: readonly JsonSchema[]): FieldKind {
  const isEvery = (...types: string[]) => choices.every(({ type }) => typeof type === 'string' && types.includes(type))
  const [only] = choices
  if (!only) return 'json'
  if (isEvery('boolean')) return 'switch'
  if (isEvery('number', 'integer')) return 'number'
  if (isEvery('string')) return kindOfText(choices)
  if (choices.length > 1) return 'json'
  if (only.type === 'array') return choicesOf(root, only.items ?? {}).some(isSimple) ? 'list' : 'json'
  return only.properties?.['base64'] && only.properties['filename'] ? 'file' : 'json'
}

function kindOfText(choices: readonly JsonSchema[]): FieldKind {
  if (choices.every((each) => each.enum !== undefined || each.const !== undefined)) return 'choice'
  return choices.some(({ maxLength = 0 }) => maxLength > lineLength && maxLength !== 16_384) ? 'long' : 'text'
}

const isSimple = ({ type }: JsonSchema) => type === 'string' || type === 'number' || type === 'integer'

const optionsOf = (choices: readonly JsonSchema[]) =>
  choices.flatMap((each) => each.enum ?? (each.const === undefined ? [] : [each.const])).map(String)

/** A line each; what is no text is written as JSON. */
export const toLines = (value: unknown) =>
  (Array.isArray(value) ? value : []).map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')

export function fromLines(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? undefined : lines.map(fromLine)
}

function fromLine(line: string): unknown {
  if (!/^\s*[{[]|^\s*-?\d+(?:\.\d+)?\s*$/.test(line)) return line.trim()
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}
