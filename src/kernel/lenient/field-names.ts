import { isDeepStrictEqual } from 'node:util'
import { aliasesOf, idFields, isShownWord, pageFields } from './field-aliases.ts'
import { plainName } from './field-values.ts'
import type { Node, ObjectShape, Place } from './schema-node.ts'
import { isRecord } from '../../util/json.ts'

type Sent = Readonly<Record<string, unknown>>

/** Cache of the field meant by each unknown name, per object schema and context. */
const known = new WeakMap<ObjectShape, Map<string, Meant>>()
type Meant = (name: string) => string | undefined

/** Renames fields to their canonical names. Ambiguous and unknown names stay, so that validation reports them. */
export function withOwnNames(sent: Sent, shape: ObjectShape, { path, context, tell }: Place): Sent {
  if (shape.isOpen || Object.keys(sent).every((name) => shape.fields.has(name))) return sent
  const renamed = new Map<string, string>()
  for (const [field, names] of claimsIn(sent, shape, context)) {
    const isGiven = Object.hasOwn(sent, field) && sent[field] !== null
    const all = isGiven ? [field, ...names] : names
    // Two names with two values may be meant as two things.
    if (all.some((name) => !isDeepStrictEqual(sent[name], sent[all[0] ?? '']))) continue
    for (const name of names) renamed.set(name, field)
  }
  for (const [name, field] of renamed) if (!isShownWord(name, field, context)) tell([...path, name], field)
  return withPageFields(rewritten(sent, shape, renamed), shape, { path, context, tell })
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
function withPageFields(sent: Sent, shape: ObjectShape, { path, tell }: Place): Sent {
  const page = shape.fields.get('scrapeOptions')
  const given = sent['scrapeOptions'] ?? {}
  if (page?.shape.kind !== 'object' || !isRecord(given)) return sent
  const meant = meantIn(page.shape, 'scrapeOptions')
  const moved = Object.keys(sent).flatMap((name) => {
    const field = shape.fields.has(name) ? undefined : fieldOf(page, meant, name)
    return field !== undefined && pageFields.includes(field) && !Object.hasOwn(given, field) ? [{ name, field }] : []
  })
  if (moved.length === 0) return sent
  for (const { name, field } of moved) tell([...path, name], `scrapeOptions.${field}`)
  const rest = Object.entries(sent).filter(([name]) => !moved.some((each) => each.name === name))
  const inPage = moved.map(({ name, field }) => [field, sent[name]])
  return { ...Object.fromEntries(rest), scrapeOptions: { ...given, ...Object.fromEntries(inPage) } }
}

const fieldOf = ({ shape }: Node, meant: Meant, name: string) =>
  shape.kind === 'object' && shape.fields.has(name) ? name : meant(name)
