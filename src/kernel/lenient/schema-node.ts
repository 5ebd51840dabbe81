import { z } from 'zod'
import { dotted } from '../issues.ts'

/** Part of a schema, in the form that reading a value needs; built once per operation. */
export type Node = {
  /** True if the value is valid unchanged. */
  accepts(value: unknown): boolean
  isOptional: boolean
  takesNull: boolean
  shape: Shape
}
export type ObjectShape = { kind: 'object'; fields: ReadonlyMap<string, Node>; isOpen: boolean }
export type ChoiceShape = {
  kind: 'choice'
  key: string
  /** An object with only the field that names the kind. */
  kindOnly: ObjectShape
  options: ReadonlyMap<string, Node>
}
type Shape =
  | { kind: 'text' }
  | { kind: 'number' }
  | { kind: 'flag' }
  | { kind: 'word'; words: readonly string[] }
  | { kind: 'list'; item: Node }
  | ObjectShape
  /** Object with names that the caller chooses, such as headers: its fields are not read. */
  | { kind: 'map' }
  | ChoiceShape
  | { kind: 'either'; options: readonly Node[] }
  | { kind: 'any' }

export function nodeOf(schema: z.core.$ZodType): Node {
  const inner = innerOf(schema)
  const node = inner ? nodeOf(inner) : { isOptional: false, takesNull: false, shape: shapeOf(schema) }
  const { type } = schema instanceof z.ZodType ? schema.def : { type: 'unknown' }
  return {
    accepts: (value) => isValid(schema, value),
    isOptional: node.isOptional || ['optional', 'default', 'prefault', 'unknown', 'any'].includes(type),
    takesNull:
      node.takesNull ||
      ['nullable', 'null', 'unknown', 'any'].includes(type) ||
      (node.shape.kind === 'either' && node.shape.options.some(({ takesNull }) => takesNull)),
    shape: node.shape,
  }
}

/** Zod throws for some invalid values, such as an object with a `length` that is not a number. */
function isValid(schema: z.core.$ZodType, value: unknown): boolean {
  try {
    return z.safeParse(schema, value).success
  } catch {
    return false
  }
}

/** The schema of the value itself, without wrappers such as optional, default and pipe. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
    ? schema.def.innerType
    : undefined
}

function shapeOf(schema: z.core.$ZodType): Shape {
  if (schema instanceof z.ZodObject) return objectShape(schema)
  if (schema instanceof z.ZodArray) return { kind: 'list', item: nodeOf(schema.def.element) }
  if (schema instanceof z.ZodRecord) return { kind: 'map' }
  if (schema instanceof z.ZodDiscriminatedUnion) return choiceShape(schema)
  if (schema instanceof z.ZodUnion) return { kind: 'either', options: schema.def.options.map(nodeOf) }
  return scalarShape(schema)
}

function scalarShape(schema: z.core.$ZodType): Shape {
  if (schema instanceof z.ZodEnum) return wordShape(schema.options)
  if (schema instanceof z.ZodLiteral) return wordShape([...schema.values])
  const { type } = schema instanceof z.ZodType ? schema.def : { type: 'unknown' }
  // A schema with a custom check names its type only in its metadata.
  const isText = type === 'string' || (schema instanceof z.ZodCustom && schema.meta()?.['type'] === 'string')
  if (isText) return { kind: 'text' }
  if (type === 'boolean') return { kind: 'flag' }
  return { kind: type === 'number' ? 'number' : 'any' }
}

const wordShape = (values: readonly unknown[]): Shape => ({
  kind: 'word',
  words: values.filter((value) => typeof value === 'string'),
})

function objectShape(schema: z.ZodObject): ObjectShape {
  const { catchall } = schema.def
  const fields = new Map(Object.entries(schema.def.shape).map(([name, field]) => [name, nodeOf(field)]))
  return { kind: 'object', fields, isOpen: catchall !== undefined && !(catchall instanceof z.ZodNever) }
}

function choiceShape({ def }: z.ZodDiscriminatedUnion): Shape {
  const options = new Map<string, Node>()
  for (const option of def.options) {
    const node = nodeOf(option)
    const key = node.shape.kind === 'object' ? node.shape.fields.get(def.discriminator) : undefined
    for (const word of key?.shape.kind === 'word' ? key.shape.words : []) options.set(word, node)
  }
  const kindOnly = objectShape(z.object({ [def.discriminator]: z.enum([...options.keys()]) }))
  return { kind: 'choice', key: def.discriminator, kindOnly, options }
}

/** Joins two forms of an input into one with the fields of both. A field of both is valid if either form accepts it. */
export function merged(first: Node, second: Node): Node {
  const accepts = (value: unknown) => first.accepts(value) || second.accepts(value)
  return {
    accepts,
    isOptional: first.isOptional || second.isOptional,
    takesNull: first.takesNull && second.takesNull,
    shape: mergedShape(first, second),
  }
}

function mergedShape(first: Node, second: Node): Shape {
  const [one, other] = [first.shape, second.shape]
  if (one.kind === 'object' && other.kind === 'object') {
    const names = new Set([...one.fields.keys(), ...other.fields.keys()])
    const fields = new Map([...names].map((name) => [name, ofBoth(one.fields.get(name), other.fields.get(name))]))
    return { kind: 'object', fields, isOpen: one.isOpen && other.isOpen }
  }
  if (one.kind === 'object' && other.kind === 'text') return { kind: 'either', options: [first, second] }
  return one
}

function ofBoth(one: Node | undefined, other: Node | undefined): Node {
  if (one && other) return merged(one, other)
  const only = one ?? other
  if (!only) throw new Error('the field belongs to neither form')
  return only
}

export type Path = readonly (string | number)[]
/** Reports that a value was read as something else, by the name of its field: values may be secret. */
export type Report = (path: Path, as: string) => void

const maxNotes = 5
const maxNameLength = 60

/** Joins notes to one sentence; undefined without notes. */
export function sentenceOf(notes: readonly string[]): string | undefined {
  if (notes.length === 0) return undefined
  const more = notes.length > maxNotes ? ` and ${notes.length - maxNotes} more` : ''
  return `Read ${notes.slice(0, maxNotes).join(', ')}${more}.`
}

export const noteOf = (path: Path, as: string): string => `${shortName(dotted(path))} as ${as}`

const shortName = (name: string) =>
  (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name).toWellFormed()

/** Position of a value. `context`: the field, kind of action or operation to which it belongs. */
export type Place = { path: Path; context: string; report: Report }
