import { z } from 'zod'
import { dotted } from '../issues.ts'

/** What a schema says about how a value may be read; made once for each operation. */
export type Node = {
  /** Whether the value is valid as it is, which nothing changes then. */
  accepts(value: unknown): boolean
  /** Whether the field may be left out, and whether null says something. */
  isOptional: boolean
  takesNull: boolean
  shape: Shape
}
type Fields = ReadonlyMap<string, Node>
export type ObjectShape = { kind: 'object'; fields: Fields; isOpen: boolean }
export type ChoiceShape = {
  kind: 'choice'
  key: string
  /** The object as far as all its kinds are alike: the field that names the kind. */
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
  /** Names with values of the caller's own, such as headers and schemas: never looked into. */
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

/** Zod throws where it compares a `length` that is no number; such a value is none that is meant. */
function isValid(schema: z.core.$ZodType, value: unknown): boolean {
  try {
    return z.safeParse(schema, value).success
  } catch {
    return false
  }
}

/** The schema of the value itself, below what says that it may be absent or what it becomes. */
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
  // What has a check of its own says in its JSON Schema what callers send.
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

/** An object that may come in either form: fields of both, each as the first has it where that can hold the other's values. */
export function merged(first: Node, second: Node): Node {
  const accepts = (value: unknown) => first.accepts(value) || second.accepts(value)
  return {
    accepts,
    isOptional: first.isOptional || second.isOptional,
    // What is not null in one form is left out in the other.
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
  if (!only) throw new Error('a field of neither form')
  return only
}

export type Path = readonly (string | number)[]
/** Says what was read differently. Names of fields only: values may be secret. */
export type Tell = (path: Path, as: string) => void

const maxNotes = 5
const maxNameLength = 60

/** One short sentence; undefined where all was read as it came. */
export function sentenceOf(notes: readonly string[]): string | undefined {
  if (notes.length === 0) return undefined
  const more = notes.length > maxNotes ? ` and ${notes.length - maxNotes} more` : ''
  return `Read ${notes.slice(0, maxNotes).join(', ')}${more}.`
}

export const noteOf = (path: Path, as: string): string => `${shortName(dotted(path))} as ${as}`

const shortName = (name: string) =>
  (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name).toWellFormed()

/** Where a value stands: `context` is the kind of action, the field or the operation that it belongs to. */
export type Place = { path: Path; context: string; tell: Tell }
