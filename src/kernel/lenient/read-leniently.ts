import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { aliasesOf, idFields, isShownWord, listSyntax, pageFields, shorthands } from './field-aliases.ts'
import {
  codeMeant,
  commaParts,
  flagMeant,
  isAbsent,
  jsonIn,
  maxListLength,
  numberMeant,
  patternParts,
  plainName,
  quotedList,
  refMeant,
  textMeant,
  urlMeant,
  urlParts,
  wordMeant,
} from './field-values.ts'
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

const ofInput = new WeakMap<AnyOperation, Node>()
const ofArguments = new WeakMap<Tool, Node>()

/** Normalises an input in wire format. */
export function readInput(operation: AnyOperation, sent: Sent): Read {
  const node = made(ofInput, operation, () => nodeOf(operation.input))
  return readBy(operation.name, [operation], node, sent)
}

/**
 * Normalises the arguments of an agent: the arguments it was shown or the wire input. `own` are arguments of the
 * surface itself.
 */
export function readArguments(tool: Tool, own: z.ZodObject, sent: Sent): Read {
  const node = made(ofArguments, tool, () => [...formsOf(tool), own].map(nodeOf).reduce(merged))
  return readBy(tool.name, operationsOf(tool), node, sent)
}

function made<K extends object>(nodes: WeakMap<K, Node>, key: K, make: () => Node): Node {
  const node = nodes.get(key) ?? make()
  nodes.set(key, node)
  return node
}

function readBy(name: string, operations: readonly AnyOperation[], node: Node, sent: Sent): Read {
  // Oversized input is left unchanged, for validation to reject.
  if (operations.some((operation) => sizeFaults(limitsOf(operation), sent).length > 0)) return { input: sent }
  const notes: string[] = []
  const report: Place['report'] = (path, as) => void notes.push(noteOf(path, as))
  const input = meantBy(node, unwrapped(node, sent, report), { path: [], context: name, report })
  return isRecord(input) ? { input, warning: sentenceOf(notes) } : { input: sent }
}

const wrappers: readonly string[] = ['arguments', 'args', 'input', 'params', 'parameters', 'kwargs', 'body', 'request']

/** Some clients send the whole input as one argument. */
function unwrapped({ shape }: Node, sent: Sent, report: Place['report']): Sent {
  const [name = '', ...others] = Object.keys(sent)
  if (others.length > 0 || !wrappers.includes(name) || shape.kind !== 'object' || shape.fields.has(name)) return sent
  const value = sent[name]
  const inside = typeof value === 'string' ? jsonIn(value) : value
  if (!isRecord(inside)) return sent
  report([name], 'the whole input')
  return inside
}

/** The normalised value, or the value itself if it is unambiguous or valid; valid values are not copied. */
function meantBy(node: Node, value: unknown, place: Place): unknown {
  const { shape } = node
  if (value === null || value === undefined || shape.kind === 'any') return value
  if (shape.kind === 'object') return objectMeant(node, shape, value, place)
  if (shape.kind === 'list') return listMeant(node, shape.item, value, place)
  if (shape.kind === 'choice') return choiceMeant(shape, value, place)
  if (shape.kind === 'map') return fromJson(node, value, place)
  if (shape.kind === 'either') return eitherMeant(shape.options, value, place)
  return scalarMeant(node, value, place)
}

function scalarMeant(node: Node, value: unknown, place: Place): unknown {
  const { path, report } = place
  const { shape } = node
  const inside = shape.kind === 'text' && typeof value === 'string' ? quotedIn(node, value, place) : undefined
  if (inside !== undefined) return reported(inside.text, () => report(path, inside.as))
  if (isPlain(node, value) || node.accepts(value)) return value
  if (Array.isArray(value)) return onlyItem(node, value, place)
  if (shape.kind === 'number') return changed(value, numberMeant(value), () => report(path, 'a number'))
  if (shape.kind === 'word') return oneWord(shape.words, value, place)
  if (shape.kind === 'text') return textIn(node, value, place)
  const flag = flagMeant(value)
  return changed(value, flag, () => report(path, String(flag)))
}

/** Fields whose strings name an element of a snapshot. */
const refFields: readonly string[] = ['target', 'to', 'scope']

/** The ref or URL that a text in the notation of a snapshot or of markdown stands for. */
function quotedIn(node: Node, text: string, { path, context }: Place): { text: string; as: string } | undefined {
  const ref = refFields.includes(context) ? refMeant(text) : undefined
  if (ref !== undefined) return ref === text ? undefined : { text: ref, as: 'a ref' }
  const url = namesUrl(path) ? urlMeant(text) : undefined
  return url !== undefined && node.accepts(url) ? { text: url, as: 'the address of a link' } : undefined
}

function onlyItem(node: Node, list: readonly unknown[], place: Place): unknown {
  if (list.length !== 1 || Array.isArray(list[0])) return list
  const only = meantBy(node, list[0], { ...place, report: () => {} })
  return node.accepts(only) ? reported(only, () => place.report(place.path, 'one value')) : list
}

function oneWord(words: readonly string[], value: unknown, { path, report }: Place): unknown {
  const word = typeof value === 'string' ? wordMeant(value, words) : undefined
  return changed(value, word, () => report(path, word ?? ''))
}

/** True if the value cannot be read in another way, valid or not. */
function isPlain({ shape }: Node, value: unknown): boolean {
  if (shape.kind === 'text') return typeof value === 'string' && !/^\s|\s$/.test(value)
  if (shape.kind === 'word') return typeof value === 'string' && shape.words.includes(value)
  return typeof value === (shape.kind === 'flag' ? 'boolean' : 'number')
}

/** A number is not a URL, though 5 could be read as the host 0.0.0.5. */
const namesUrl = (path: Place['path']) => /urls?$/i.test(String(path.findLast((key) => typeof key === 'string')))

function textIn(node: Node, value: unknown, { path, report }: Place): unknown {
  if (typeof value === 'string')
    return node.accepts(value.trim()) ? reported(value.trim(), () => report(path, 'it is without spaces')) : value
  const text = namesUrl(path) ? undefined : textMeant(value)
  return text !== undefined && node.accepts(text) ? reported(text, () => report(path, 'a text')) : value
}

function changed(value: unknown, meant: unknown, report: () => void): unknown {
  return meant === undefined ? value : reported(meant, report)
}

function reported<T>(value: T, report: () => void): T {
  report()
  return value
}

function fromJson(node: Node, value: unknown, { path, report }: Place): unknown {
  const inside = typeof value === 'string' ? jsonIn(value) : undefined
  return isRecord(inside) && node.accepts(inside) ? reported(inside, () => report(path, 'JSON')) : value
}

function objectMeant(node: Node, shape: ObjectShape, value: unknown, place: Place): unknown {
  const { path, report, context } = place
  if (isRecord(value)) return fieldsMeant(shape, value, place)
  if (Array.isArray(value) && value.length === 1 && isRecord(value[0]))
    return reported(fieldsMeant(shape, value[0], place), () => report(path, 'one value'))
  if (typeof value !== 'string') return value
  const inside = jsonIn(value)
  if (isRecord(inside)) return reported(fieldsMeant(shape, inside, place), () => report(path, 'JSON'))
  const field = Object.hasOwn(shorthands, context) ? shorthands[context] : undefined
  const short = field === undefined || inside !== undefined ? undefined : { [field]: value.trim() }
  return short && node.accepts(short) ? reported(short, () => report(path, `${context}.${field}`)) : value
}

function fieldsMeant(shape: ObjectShape, sent: Record<string, unknown>, place: Place): Record<string, unknown> {
  const named = withOwnNames(sent, shape, place)
  const out: [string, unknown][] = []
  let isChanged = named !== sent
  for (const [name, value] of Object.entries(named)) {
    const field = shape.fields.get(name)
    const meant = field ? fieldMeant(field, name, value, place) : value
    isChanged ||= meant !== value
    if (meant !== undefined || value === undefined) out.push([name, meant])
  }
  const read = isChanged ? Object.fromEntries(out) : sent
  return shape.fields.get('code')?.shape.kind === 'text' ? withCode(read, shape, place) : read
}

/** Undefined for a field without information. */
function fieldMeant(field: Node, name: string, value: unknown, { path, report }: Place): unknown {
  const at = [...path, name]
  if (value === null && !field.takesNull && field.isOptional) return undefined
  if (field.isOptional && field.shape.kind !== 'any' && isAbsent(value) && !field.accepts(value))
    return reported(undefined, () => report(at, 'absent'))
  return meantBy(field, value, { path: at, context: name, report })
}

function withCode(read: Record<string, unknown>, shape: ObjectShape, { path, report }: Place): Record<string, unknown> {
  const { code: text, language: named } = read
  if (typeof text !== 'string') return read
  const takesLanguage = shape.fields.has('language')
  const { code, language, notes } = codeMeant(text, takesLanguage && typeof named === 'string' ? named : undefined)
  for (const note of notes) report([...path, 'code'], note)
  if (notes.length === 0) return read
  return { ...read, code, ...(language !== undefined && takesLanguage && { language }) }
}

function choiceMeant(shape: ChoiceShape, value: unknown, place: Place): unknown {
  const inside = typeof value === 'string' ? jsonIn(value) : value
  if (!isRecord(inside)) return value
  if (inside !== value) place.report(place.path, 'JSON')
  // A field of the named kind is not an alias of the kind.
  const isNamed = shape.options.has(String(inside[shape.key]))
  const named = isNamed ? inside : fieldsMeant(shape.kindOnly, inside, place)
  const kind = String(named[shape.key])
  const chosen = shape.options.get(kind)?.shape
  return chosen?.kind === 'object' ? fieldsMeant(chosen, named, { ...place, context: kind }) : named
}

function listMeant(node: Node, item: Node, value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return itemsMeant(item, value, place)
  const list = typeof value === 'string' ? itemsIn(node, item, value, place) : [value]
  if (list === undefined || list.length > maxOfAny) return value
  place.report(place.path, 'a list')
  return itemsMeant(item, list, place)
}

/** Shortcut for plain values, whose lists may be long. */
const scalars: readonly string[] = ['text', 'number', 'flag', 'word']
const isGlanced = ({ shape }: Node, context: string) =>
  scalars.includes(shape.kind) && !refFields.includes(context) && context !== 'urls'

function itemsMeant(item: Node, list: readonly unknown[], { path, report, context }: Place): readonly unknown[] {
  if (isGlanced(item, context) && list.every((each) => isPlain(item, each))) return list
  const read = list.map((each, index) => meantBy(item, each, { path: [...path, index], context, report }))
  return read.some((each, index) => each !== list[index]) ? read : list
}

/** The items of a list sent as one string; undefined if it may be one item or several. */
function itemsIn(node: Node, item: Node, text: string, { path, context }: Place): readonly unknown[] | undefined {
  const inside = jsonIn(text) ?? quotedList(text)
  if (inside !== undefined) return Array.isArray(inside) ? inside : [inside]
  if (text.length > maxListLength) return undefined
  const syntax = Object.hasOwn(listSyntax, context) ? listSyntax[context] : undefined
  if (syntax === 'whole') return [text]
  if (syntax === 'urls') return urlParts(text)
  if (syntax === 'patterns') return patternParts(text)
  const parts = commaParts(text)
  if (parts.length < 2) return [text]
  const fits = (list: readonly string[]) =>
    node.accepts(itemsMeant(item, list, { path, context, report: () => {} })) ? [list] : []
  const possible = [...fits([text]), ...fits(parts)]
  return possible.length === 1 ? possible[0] : undefined
}

type Reading = { value: unknown; notes: (() => void)[]; isValid: boolean; isFor: boolean }

/** The value in the only form that is valid; the value itself if no form is, or if two forms differ. */
function eitherMeant(options: readonly Node[], value: unknown, place: Place): unknown {
  // A string with JSON stands for its parsed value.
  const isJson = typeof value === 'string' && jsonIn(value) !== undefined
  const readings = options.map((option) => readAs(option, value, place)).filter(({ isFor }) => !isJson || !isFor)
  const valid = readings.filter(({ isValid }) => isValid)
  const ofKind = valid.filter(({ isFor }) => isFor)
  const chosen =
    oneOf(ofKind.length > 0 ? ofKind : valid) ?? (valid.length === 0 ? oneOf(fitting(readings)) : undefined)
  for (const note of chosen?.notes ?? []) note()
  return chosen ? chosen.value : value
}

/** Faults are best reported for the form that was meant. */
const fitting = (readings: readonly Reading[]) => readings.filter(({ isFor }) => isFor)

function oneOf([first, ...others]: readonly Reading[]): Reading | undefined {
  return others.every((other) => isDeepStrictEqual(other.value, first?.value)) ? first : undefined
}

function readAs(option: Node, value: unknown, { path, context, report }: Place): Reading {
  const notes: (() => void)[] = []
  const meant = meantBy(option, value, {
    path,
    context,
    report: (at, as) => void notes.push(() => report(at, as)),
  })
  return { value: meant, notes, isValid: option.accepts(meant), isFor: isOfKind(option, value) }
}

function isOfKind({ shape }: Node, value: unknown): boolean {
  if (typeof value === 'string') return shape.kind === 'text' || shape.kind === 'word'
  if (Array.isArray(value)) return shape.kind === 'list'
  if (isRecord(value)) return ['object', 'choice', 'map'].includes(shape.kind)
  return shape.kind === (typeof value === 'boolean' ? 'flag' : 'number')
}

/** Cache of the field meant by each unknown name, per object schema and context. */
const known = new WeakMap<ObjectShape, Map<string, Meant>>()
type Meant = (name: string) => string | undefined

/** Renames fields to their canonical names. Ambiguous and unknown names stay, so that validation reports them. */
function withOwnNames(sent: Sent, shape: ObjectShape, { path, context, report }: Place): Sent {
  if (shape.isOpen || Object.keys(sent).every((name) => shape.fields.has(name))) return sent
  const renamed = new Map<string, string>()
  for (const [field, names] of claimsIn(sent, shape, context)) {
    const isGiven = Object.hasOwn(sent, field) && sent[field] !== null
    const all = isGiven ? [field, ...names] : names
    // Two names with two values may be meant as two things.
    if (all.some((name) => !isDeepStrictEqual(sent[name], sent[all[0] ?? '']))) continue
    for (const name of names) renamed.set(name, field)
  }
  for (const [name, field] of renamed) if (!isShownWord(name, field, context)) report([...path, name], field)
  return withPageFields(rewritten(sent, shape, renamed), shape, { path, context, report })
}

/** Unknown names of the object, by the field that each stands for. */
function claimsIn(sent: Sent, shape: ObjectShape, context: string): ReadonlyMap<string, readonly string[]> {
  const meant = meantIn(shape, context)
  const claims = new Map<string, string[]>()
  for (const name of Object.keys(sent)) {
    const field = shape.fields.has(name) || sent[name] === null ? undefined : meant(name)
    if (field !== undefined) claims.set(field, [...(claims.get(field) ?? []), name])
  }
  return claims
}

/** Drops unknown names without a value. */
function rewritten(sent: Sent, { fields }: ObjectShape, renamed: ReadonlyMap<string, string>): Sent {
  const taken = new Set(renamed.values())
  const all = Object.entries(sent)
  const kept = all.filter(([name, value]) => value !== null || (fields.has(name) && !taken.has(name)))
  if (kept.length === all.length && renamed.size === 0) return sent
  return Object.fromEntries(kept.map(([name, value]) => [renamed.get(name) ?? name, value]))
}

function meantIn(shape: ObjectShape, context: string): Meant {
  const ofContexts = known.get(shape) ?? new Map<string, Meant>()
  known.set(shape, ofContexts)
  const meant = ofContexts.get(context) ?? finder(shape, context)
  ofContexts.set(context, meant)
  return meant
}

const maxNameLength = 100
const withoutS = (name: string) => name.replace(/s$/, '')

/** Matches by spelling, then by alias, then by singular or plural: `url` for `urls`. */
function finder({ fields }: ObjectShape, context: string): Meant {
  const names = [...fields.keys()]
  const isOnlyId = idFields.filter((name) => fields.has(name)).length === 1
  const spelt = byKey(names, (name) => [plainName(name)])
  const aliased = byKey(names, (name) => aliasesOf(name, context, isOnlyId).map(plainName))
  const counted = byKey(names, (name) => [withoutS(plainName(name))])
  return (name) => {
    if (name.length > maxNameLength) return undefined
    const plain = plainName(name)
    return spelt.get(plain) ?? aliased.get(plain) ?? counted.get(withoutS(plain))
  }
}

/** Fields by their keys; a key shared by two fields is left out. */
function byKey(names: readonly string[], keysOf: (name: string) => readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>()
  for (const name of names) for (const key of new Set(keysOf(name))) found.set(key, found.has(key) ? undefined : name)
  return new Map([...found].flatMap(([key, name]) => (name === undefined ? [] : [[key, name] as const])))
}

/** Moves page options that were sent beside `scrapeOptions` into it. */
function withPageFields(sent: Sent, shape: ObjectShape, { path, report }: Place): Sent {
  const page = shape.fields.get('scrapeOptions')
  const given = sent['scrapeOptions'] ?? {}
  if (page?.shape.kind !== 'object' || !isRecord(given)) return sent
  const meant = meantIn(page.shape, 'scrapeOptions')
  const moved = Object.keys(sent).flatMap((name) => {
    const field = shape.fields.has(name) ? undefined : fieldOf(page, meant, name)
    return field !== undefined && pageFields.includes(field) && !Object.hasOwn(given, field) ? [{ name, field }] : []
  })
  if (moved.length === 0) return sent
  for (const { name, field } of moved) report([...path, name], `scrapeOptions.${field}`)
  const rest = Object.entries(sent).filter(([name]) => !moved.some((each) => each.name === name))
  const inPage = moved.map(({ name, field }) => [field, sent[name]])
  return { ...Object.fromEntries(rest), scrapeOptions: { ...given, ...Object.fromEntries(inPage) } }
}

const fieldOf = ({ shape }: Node, meant: Meant, name: string) =>
  shape.kind === 'object' && shape.fields.has(name) ? name : meant(name)
