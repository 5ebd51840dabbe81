import { isRecord } from '../../util/json.ts'

/** One value of an object, by the path that leads to it, such as `offers[0].price`. */
export type Leaf = { path: string; value: string | number | boolean }

const isLeaf = (value: unknown): value is Leaf['value'] =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || typeof value === 'boolean'

export function leavesOf(value: unknown, path = ''): Leaf[] {
  if (isLeaf(value)) return [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((each, at) => leavesOf(each, `${path}[${at}]`))
  return isRecord(value) ? Object.entries(value).flatMap(([key, each]) => leavesOf(each, within(path, key))) : []
}

const within = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

/** The value with only those of its leaves; what is empty without the others goes as well. */
export function onlyLeaves(value: unknown, paths: ReadonlySet<string>, path = ''): unknown {
  if (isLeaf(value)) return paths.has(path) ? value : undefined
  if (Array.isArray(value)) {
    const kept = value.map((each, at) => onlyLeaves(each, paths, `${path}[${at}]`)).filter((each) => each !== undefined)
    return kept.length > 0 ? kept : undefined
  }
  if (!isRecord(value)) return undefined
  const kept = Object.entries(value).flatMap(([key, each]) => {
    const left = onlyLeaves(each, paths, within(path, key))
    return left === undefined ? [] : [[key, left] as const]
  })
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
