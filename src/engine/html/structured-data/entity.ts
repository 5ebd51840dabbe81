import { oneLine } from '../dom/dom.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { parseFragment } from '../parse/parse.ts'

/** A schema.org entity from any syntax. Pages write anything, so no property can be trusted. */
export type Entity = Readonly<Record<string, unknown>>

export const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Type names without the URL of the vocabulary. */
export const typesOf = (node: Entity): string[] =>
  listOf(node['@type']).flatMap((type) => (typeof type === 'string' ? type.replace(/^.*[/#:]/, '') : []))

export const listOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value.slice(0, maxList).flat() : [value]).filter(
    (each) => each !== undefined && each !== null,
  )

const maxList = 1000
const maxMarkup = 20_000

/** Plain text in one line, without the (perhaps escaped) markup that shops put into texts; undefined when empty. */
export function textOf(value: unknown, maxCharacters = 300): string | undefined {
  const [first] = listOf(value)
  if (typeof first === 'number') return String(first)
  if (isEntity(first)) {
    // A name must be text; a nested entity is not followed.
    const name = first['name'] ?? first['@value'] ?? first['value']
    return isEntity(name)
      ? undefined
      : textOf(
          listOf(name).find((each) => !isEntity(each)),
          maxCharacters,
        )
  }
  if (typeof first !== 'string') return undefined
  const text = oneLine(sanitiseText(withoutMarkup(first.slice(0, maxMarkup))))
  return text.slice(0, maxCharacters).trim() || undefined
}

function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text
  return parseFragment(text.replace(/<[^<>]*>/g, ' ')).textContent.replace(/<[^<>]*>/g, ' ')
}

/** Looks up the entities of a property; references by `@id` are resolved. */
export type Graph = { entities(node: Entity, key: string): Entity[] }

export function graphOf(nodes: readonly Entity[]): Graph {
  const byId = new Map<unknown, Entity>()
  for (const node of nodes) {
    const id = node['@id']
    const withoutUndefined = typeof id === 'string' ? byId.get(id) : node
    if (!withoutUndefined || Object.keys(node).length > Object.keys(withoutUndefined).length) byId.set(id, node)
  }
  const resolved = (node: Entity) => byId.get(node['@id']) ?? node
  return { entities: (node, key) => listOf(node[key]).filter(isEntity).map(resolved) }
}

/** Drops undefined properties. */
export const known = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
