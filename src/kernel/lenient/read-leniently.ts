import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { shorthands, withOwnNames } from './field-names.ts'
import { readCode, isAbsent, isPlain, jsonIn, listsIn, refFields, reported, readScalar } from './field-values.ts'
import {
  type ChoiceShape,
  merged,
  type Node,
  nodeOf,
  noteOf,
  type ObjectShape,
  type Place,
  sentenceOf,
} from './schema-node.ts'
import type { AnyOperation } from '../operation.ts'
import { limitsOf, maxOfAny, sizeFaults } from '../size-limits.ts'
import { formsOf, operationsOf, type Tool } from '../tool.ts'
import { isRecord } from '../../util/json.ts'

type Sent = Record<string, unknown>
/** The normalised input (the same object if nothing changed), and one sentence about the changes. */
export type Read = { input: Sent; warning?: string | undefined }

const inputNodes = new WeakMap<AnyOperation, Node>()
const argumentNodes = new WeakMap<Tool, Node>()

/** Normalises an input in wire format. */
export function readInput(operation: AnyOperation, sent: Sent): Read {
  const node = cached(inputNodes, operation, () => nodeOf(operation.input))
  return readBy(operation.name, [operation], node, sent)
}

/**
 * Normalises the arguments of an agent, which may be those of the tool or fields of the wire input. `own`: arguments
 * that the surface adds to every tool.
 */
export function readArguments(tool: Tool, own: z.ZodObject, sent: Sent): Read {
  const node = cached(argumentNodes, tool, () => [...formsOf(tool), own].map(nodeOf).reduce(merged))
  return readBy(tool.name, operationsOf(tool), node, sent)
}

function cached<K extends object>(nodes: WeakMap<K, Node>, key: K, make: () => Node): Node {
  const node = nodes.get(key) ?? make()
  nodes.set(key, node)
  return node
}

function readBy(name: string, operations: readonly AnyOperation[], node: Node, sent: Sent): Read {
  // Oversized input is left unchanged, for validation to reject.
  if (operations.some((operation) => sizeFaults(limitsOf(operation), sent).length > 0)) return { input: sent }
  const notes: string[] = []
  const report: Place['report'] = (path, as) => void notes.push(noteOf(path, as))
  const input = readValue(node, unwrapped(node, sent, report), { path: [], context: name, report })
  return isRecord(input) ? { input, warning: sentenceOf(notes) } : { input: sent }
}

const wrappers: readonly string[] = ['arguments', 'args', 'input', 'params', 'parameters', 'kwargs', 'body', 'request']

/** Returns the input of clients that send all of it as one argument. */
function unwrapped({ shape }: Node, sent: Sent, report: Place['report']): Sent {
  const [name = '', ...others] = Object.keys(sent)
  if (others.length > 0 || !wrappers.includes(name) || shape.kind !== 'object' || shape.fields.has(name)) return sent
  const value = sent[name]
  const inside = typeof value === 'string' ? jsonIn(value) : value
  if (!isRecord(inside)) return sent
  report([name], 'the whole input')
  return inside
}

/** Normalises a value. Returns the same value, not a copy, if it is valid or its meaning is unclear. */
function readValue(node: Node, value: unknown, place: Place): unknown {
  const { shape } = node
  if (value === null || value === undefined || shape.kind === 'any') return value
  if (shape.kind === 'object') return readObject(node, shape, value, place)
  if (shape.kind === 'list') return readList(node, shape.item, value, place)
  if (shape.kind === 'choice') return readChoice(shape, value, place)
  if (shape.kind === 'map') return fromJson(node, value, place)
  if (shape.kind === 'either') return readEither(shape.options, value, place)
  return readScalar(node, value, place)
}

function fromJson(node: Node, value: unknown, { path, report }: Place): unknown {
  const inside = typeof value === 'string' ? jsonIn(value) : undefined
  return isRecord(inside) && node.accepts(inside) ? reported(inside, () => report(path, 'JSON')) : value
}

function readObject(node: Node, shape: ObjectShape, value: unknown, place: Place): unknown {
  const { path, report, context } = place
  if (isRecord(value)) return readFields(shape, value, place)
  if (Array.isArray(value) && value.length === 1 && isRecord(value[0]))
    return reported(readFields(shape, value[0], place), () => report(path, 'one value'))
  if (typeof value !== 'string') return value
  const inside = jsonIn(value)
  if (isRecord(inside)) return reported(readFields(shape, inside, place), () => report(path, 'JSON'))
  const field = Object.hasOwn(shorthands, context) ? shorthands[context] : undefined
  const short = field === undefined || inside !== undefined ? undefined : { [field]: value.trim() }
  return short && node.accepts(short) ? reported(short, () => report(path, `${context}.${field}`)) : value
}

function readFields(shape: ObjectShape, sent: Record<string, unknown>, place: Place): Record<string, unknown> {
  const named = withOwnNames(sent, shape, place)
  const out: [string, unknown][] = []
  let isChanged = named !== sent
  for (const [name, value] of Object.entries(named)) {
    const field = shape.fields.get(name)
    const meant = field ? readField(field, name, value, place) : value
    isChanged ||= meant !== value
    if (meant !== undefined || value === undefined) out.push([name, meant])
  }
  const read = isChanged ? Object.fromEntries(out) : sent
  return shape.fields.get('code')?.shape.kind === 'text' ? withCode(read, shape, place) : read
}

/** Normalises the value of a field; undefined if the value means that the field is absent. */
function readField(field: Node, name: string, value: unknown, { path, report }: Place): unknown {
  const at = [...path, name]
  if (value === null && !field.takesNull && field.isOptional) return undefined
  if (field.isOptional && field.shape.kind !== 'any' && isAbsent(value) && !field.accepts(value))
    return reported(undefined, () => report(at, 'absent'))
  return readValue(field, value, { path: at, context: name, report })
}

function withCode(read: Record<string, unknown>, shape: ObjectShape, { path, report }: Place): Record<string, unknown> {
  const { code: text, language: named } = read
  if (typeof text !== 'string') return read
  const takesLanguage = shape.fields.has('language')
  const { code, language, notes } = readCode(text, takesLanguage && typeof named === 'string' ? named : undefined)
  for (const note of notes) report([...path, 'code'], note)
  if (notes.length === 0) return read
  return { ...read, code, ...(language !== undefined && takesLanguage && { language }) }
}

function readChoice(shape: ChoiceShape, value: unknown, place: Place): unknown {
  const inside = typeof value === 'string' ? jsonIn(value) : value
  if (!isRecord(inside)) return value
  if (inside !== value) place.report(place.path, 'JSON')
  // If the kind is known, no other field can be an alias of it.
  const isNamed = shape.options.has(String(inside[shape.key]))
  const named = isNamed ? inside : readFields(shape.kindOnly, inside, place)
  const kind = String(named[shape.key])
  const chosen = shape.options.get(kind)?.shape
  return chosen?.kind === 'object' ? readFields(chosen, named, { ...place, context: kind }) : named
}

function readList(node: Node, item: Node, value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return readItems(item, value, place)
  const list = typeof value === 'string' ? itemsIn(node, item, value, place) : [value]
  if (list === undefined || list.length > maxOfAny) return value
  place.report(place.path, 'a list')
  return readItems(item, list, place)
}

const scalars: readonly string[] = ['text', 'number', 'flag', 'word']
/** True if the items of a list need not be read one by one, provided that all are plain values. */
const maySkip = ({ shape }: Node, context: string) =>
  scalars.includes(shape.kind) && !refFields.includes(context) && context !== 'urls'

function readItems(item: Node, list: readonly unknown[], { path, report, context }: Place): readonly unknown[] {
  if (maySkip(item, context) && list.every((each) => isPlain(item, each))) return list
  const read = list.map((each, index) => readValue(item, each, { path: [...path, index], context, report }))
  return read.some((each, index) => each !== list[index]) ? read : list
}

/** Returns the items of a list sent as one string; undefined if it may be one item or several. */
function itemsIn(node: Node, item: Node, text: string, { path, context }: Place): readonly unknown[] | undefined {
  const readings = listsIn(text, context)
  if (readings.length < 2) return readings[0]
  const valid = readings.filter((list) => node.accepts(readItems(item, list, { path, context, report: () => {} })))
  return valid.length === 1 ? valid[0] : undefined
}

/** Reading of a value by one form of a union. `isOfKind`: the value has the type of that form. */
type Reading = { value: unknown; notes: (() => void)[]; isValid: boolean; isOfKind: boolean }

/**
 * Reads a value by the form of a union that accepts it, or, if none does, by the form that has its type. Returns it
 * unchanged if two such forms read it differently.
 */
function readEither(options: readonly Node[], value: unknown, place: Place): unknown {
  // JSON in a string is read as the value that it contains, not as a text.
  const isJson = typeof value === 'string' && jsonIn(value) !== undefined
  const readings = options.map((option) => readAs(option, value, place)).filter((each) => !isJson || !each.isOfKind)
  const valid = readings.filter(({ isValid }) => isValid)
  const preferred = ofKind(valid)
  // Without a valid reading, validation reports the faults of the form that has the type of the value.
  const chosen =
    oneOf(preferred.length > 0 ? preferred : valid) ?? (valid.length === 0 ? oneOf(ofKind(readings)) : undefined)
  for (const note of chosen?.notes ?? []) note()
  return chosen ? chosen.value : value
}

const ofKind = (readings: readonly Reading[]) => readings.filter((each) => each.isOfKind)

/** The first reading, if all have the same value. */
function oneOf([first, ...others]: readonly Reading[]): Reading | undefined {
  return others.every((other) => isDeepStrictEqual(other.value, first?.value)) ? first : undefined
}

function readAs(option: Node, value: unknown, { path, context, report }: Place): Reading {
  const notes: (() => void)[] = []
  const read = readValue(option, value, {
    path,
    context,
    report: (at, as) => void notes.push(() => report(at, as)),
  })
  return { value: read, notes, isValid: option.accepts(read), isOfKind: isOfKind(option, value) }
}

function isOfKind({ shape }: Node, value: unknown): boolean {
  if (typeof value === 'string') return shape.kind === 'text' || shape.kind === 'word'
  if (Array.isArray(value)) return shape.kind === 'list'
  if (isRecord(value)) return ['object', 'choice', 'map'].includes(shape.kind)
  return shape.kind === (typeof value === 'boolean' ? 'flag' : 'number')
}
