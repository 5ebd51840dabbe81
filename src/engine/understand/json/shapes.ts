import { isRecord } from '../../../util/json.ts'

/** A JSON Schema of any draft from 4 to 2020-12. */
export type Schema = Record<string, unknown>

const maxShapes = 8
/** Parts that are looked at for one value: references may lead in circles, and unions of unions multiply. */
const maxParts = 300

/**
 * The shapes a value may have: references followed, members of `allOf` merged, and one shape for each member of `anyOf`
 * and `oneOf` and for each of several types. `null` is no shape: what is not said is left out.
 */
export function shapesOf(written: Schema, root: Schema, budget = { parts: maxParts }): Schema[] {
  if (--budget.parts < 0) return []
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = written
  const parts = [...(typeof reference === 'string' ? [referred(reference, root)] : []), ...listed(allOf)]
  const whole = parts.reduce<Schema[]>(
    (shapes, part) => shapes.flatMap((shape) => shapesOf(part, root, budget).map((each) => merged(shape, each))),
    [own],
  )
  const union = [...listed(anyOf), ...listed(oneOf)]
  const members = union.flatMap((member) => shapesOf(member, root, budget))
  const shapes = union.length === 0 ? whole : whole.flatMap((shape) => members.map((each) => merged(shape, each)))
  return shapes.flatMap(byType).slice(0, maxShapes)
}

const listed = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : [])

function referred(reference: string, root: Schema): Schema {
  if (!reference.startsWith('#')) return {}
  const keys = reference.slice(1).split('/').filter(Boolean).map(unescaped)
  const found = keys.reduce<unknown>(
    (node, key) => (isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined),
    root,
  )
  return isRecord(found) ? found : {}
}

/** As in JSON Pointer (RFC 6901) within a fragment of a URL. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return key
  }
}

function merged(one: Schema, other: Schema): Schema {
  const properties = [one['properties'], other['properties']].filter(isRecord)
  return { ...one, ...other, ...(properties.length > 0 && { properties: Object.assign({}, ...properties) as unknown }) }
}

function byType(shape: Schema): Schema[] {
  const { type } = shape
  if (!Array.isArray(type)) return type === 'null' ? [] : [shape]
  return type.filter((name) => name !== 'null').map((name: unknown) => ({ ...shape, type: name }))
}
