import type { Issue } from './issues.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'
import type { AnyOperation } from './operation.ts'

/** Size limits of a value, as far as its schema states them. */
export type SizeLimits = {
  /** Types that the schema accepts; undefined: any. */
  kinds?: readonly Kind[]
  list?: { most: number; item: SizeLimits }
  map?: { most: number; fields: Readonly<Record<string, SizeLimits>>; other: SizeLimits }
}
export type Kind = 'array' | 'object' | 'string' | 'number' | 'boolean' | 'null'

/** Maximum fields of an object, unknown ones included, and items of a value without a schema. */
export const maxOfAny = 1000

const known = new WeakMap<AnyOperation, SizeLimits>()

/** Limits of the operation's input, computed at its first call. */
export function limitsOf(operation: AnyOperation): SizeLimits {
  const limits = known.get(operation) ?? sizeLimits(inputSchema(operation))
  known.set(operation, limits)
  return limits
}

/** Reads the limits of a schema. `test/attack/limits.test.ts` finds lists and maps without a limit of their own. */
function sizeLimits(root: JsonSchema): SizeLimits {
  const partOf = (schema: JsonSchema): SizeLimits => {
    const target = schema.$ref === undefined ? schema : root.$defs?.[schema.$ref.replace('#/$defs/', '')]
    const branches = target?.anyOf ?? target?.oneOf
    return branches ? branches.map(partOf).reduce(either) : ofOne(target ?? {})
  }
  const ofOne = (schema: JsonSchema): SizeLimits => {
    const kinds = kindsOf(schema)
    if (kinds === undefined) return {}
    const { items, maxItems = maxOfAny, properties = {}, additionalProperties: other } = schema
    return {
      kinds,
      ...(kinds.includes('array') && { list: { most: maxItems, item: partOf(items ?? {}) } }),
      ...(kinds.includes('object') && {
        map: {
          most: schema.maxProperties ?? maxOfAny,
          fields: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, partOf(field)])),
          other: typeof other === 'object' ? partOf(other) : {},
        },
      }),
    }
  }
  return partOf(root)
}

function kindsOf({ type }: JsonSchema): Kind[] | undefined {
  return type === undefined ? undefined : [type].flat().map((name) => (name === 'integer' ? 'number' : (name as Kind)))
}

/** Combines the limits of two alternative schemas: the larger one applies. */
function either(a: SizeLimits, b: SizeLimits): SizeLimits {
  if (!a.kinds || !b.kinds) return {}
  const list =
    a.list && b.list
      ? { most: Math.max(a.list.most, b.list.most), item: either(a.list.item, b.list.item) }
      : (a.list ?? b.list)
  const map = a.map && b.map ? eitherMap(a.map, b.map) : (a.map ?? b.map)
  return { kinds: [...new Set([...a.kinds, ...b.kinds])], ...(list && { list }), ...(map && { map }) }
}

type MapLimits = NonNullable<SizeLimits['map']>

function eitherMap(a: MapLimits, b: MapLimits): MapLimits {
  const names = [...new Set([...Object.keys(a.fields), ...Object.keys(b.fields)])]
  const fields = names.map((name) => [
    name,
    either(a.fields[name] ?? b.fields[name]!, b.fields[name] ?? a.fields[name]!),
  ])
  return { most: Math.max(a.most, b.most), fields: Object.fromEntries(fields), other: either(a.other, b.other) }
}

/** Maximum nesting depth of lists and objects. */
const maxDepth = 64
const maxFaults = 20

/** Maximum number of lists and objects that a schema describes. */
const maxObjects = 1000

type Walk = { path: (string | number)[]; faults: Issue[]; objects: number }

/**
 * Returns at most `maxFaults` places where a value exceeds its limits. It runs before the schema, which creates an
 * issue for each wrong item: half a million items would need hundreds of megabytes.
 */
export function sizeFaults(limits: SizeLimits, value: unknown): Issue[] {
  const walk: Walk = { path: [], faults: [], objects: 0 }
  check(value, limits, walk)
  return walk.faults
}

function check(value: unknown, limits: SizeLimits, walk: Walk): void {
  if (typeof value !== 'object' || value === null) return
  // The schema reports a value of the wrong type.
  if (!isOf(limits, value)) return
  if (walk.path.length >= maxDepth) return addFault(walk, `Too deep: expected at most ${maxDepth} levels`)
  if (limits.kinds && (walk.objects += 1) > maxObjects)
    return addFault(walk, `Too big: expected at most ${maxObjects} objects and lists in all`)
  if (Array.isArray(value)) checkList(value, limits, walk)
  else checkMap(value as Record<string, unknown>, limits, walk)
}

function checkList(list: readonly unknown[], { list: own }: SizeLimits, walk: Walk): void {
  const { item = {}, most = Infinity } = own ?? {}
  if (list.length > most) return addFault(walk, `Too big: expected array to have <=${most} items`)
  // In a short list, the schema reports wrong items, more clearly than here.
  const isLong = list.length > maxOfAny
  for (const [index, each] of list.entries()) {
    if (walk.faults.length >= maxFaults) return
    const isWrong = isLong && !isOf(item, each)
    if (!isWrong && typeof each !== 'object') continue
    within(walk, index, () =>
      isWrong ? addFault(walk, `Expected ${item.kinds?.join(' or ')}`) : check(each, item, walk),
    )
  }
}

function checkMap(map: Record<string, unknown>, { map: own }: SizeLimits, walk: Walk): void {
  const { fields = {}, other = {}, most = Infinity } = own ?? {}
  const names = Object.keys(map)
  if (names.length > most) return addFault(walk, `Too big: expected object to have <=${most} keys`)
  for (const name of names) {
    if (walk.faults.length >= maxFaults) return
    const limits = Object.hasOwn(fields, name) ? fields[name] : undefined
    within(walk, name, () => check(map[name], limits ?? other, walk))
  }
}

function within(walk: Walk, key: string | number, run: () => void): void {
  walk.path.push(key)
  run()
  walk.path.pop()
}

const addFault = ({ path, faults }: Walk, message: string) =>
  void faults.push({ path: [...path], message, code: 'too_big' })

const isOf = ({ kinds }: SizeLimits, value: unknown) => kinds === undefined || kinds.includes(kindOf(value))

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as Kind
}
