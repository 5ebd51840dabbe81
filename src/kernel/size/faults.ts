import type { Issue } from '../issues.ts'
import { type Kind, mostOfAny, type SizeLimits } from './limits.ts'

/** Lists and objects in one another. */
const maxDepth = 64
const maxFaults = 20

/** In all, where the schema says what is in them. */
const maxObjects = 1000

type Walk = { path: (string | number)[]; faults: Issue[]; objects: number }

/**
 * Some places where a value holds more than its limits. To be asked before the schema is, which looks at each item and
 * keeps an issue for each that is wrong: of half a million, some hundred megabytes.
 */
export function sizeFaults(limits: SizeLimits, value: unknown): Issue[] {
  const walk: Walk = { path: [], faults: [], objects: 0 }
  look(value, limits, walk)
  return walk.faults
}

function look(value: unknown, limits: SizeLimits, walk: Walk): void {
  if (typeof value !== 'object' || value === null) return
  // A value of another kind than the schema takes is one fault of the schema's.
  if (!isOf(limits, value)) return
  if (walk.path.length >= maxDepth) return tell(walk, `Too deep: expected at most ${maxDepth} levels`)
  if (limits.kinds && (walk.objects += 1) > maxObjects)
    return tell(walk, `Too big: expected at most ${maxObjects} objects and lists in all`)
  if (Array.isArray(value)) lookAtList(value, limits, walk)
  else lookAtMap(value as Record<string, unknown>, limits, walk)
}

function lookAtList(list: readonly unknown[], { list: own }: SizeLimits, walk: Walk): void {
  const { item = {}, most = Infinity } = own ?? {}
  if (list.length > most) return tell(walk, `Too big: expected array to have <=${most} items`)
  // Of a short list the schema tells it better.
  const isLong = list.length > mostOfAny
  for (const [index, each] of list.entries()) {
    if (walk.faults.length >= maxFaults) return
    const isWrong = isLong && !isOf(item, each)
    if (!isWrong && typeof each !== 'object') continue
    within(walk, index, () => (isWrong ? tell(walk, `Expected ${item.kinds?.join(' or ')}`) : look(each, item, walk)))
  }
}

function lookAtMap(map: Record<string, unknown>, { map: own }: SizeLimits, walk: Walk): void {
  const { fields = {}, other = {}, most = Infinity } = own ?? {}
  const names = Object.keys(map)
  if (names.length > most) return tell(walk, `Too big: expected object to have <=${most} keys`)
  for (const name of names) {
    if (walk.faults.length >= maxFaults) return
    const limits = Object.hasOwn(fields, name) ? fields[name] : undefined
    within(walk, name, () => look(map[name], limits ?? other, walk))
  }
}

function within(walk: Walk, key: string | number, run: () => void): void {
  walk.path.push(key)
  run()
  walk.path.pop()
}

const tell = ({ path, faults }: Walk, message: string) =>
  void faults.push({ path: [...path], message, code: 'too_big' })

const isOf = ({ kinds }: SizeLimits, value: unknown) => kinds === undefined || kinds.includes(kindOf(value))

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as Kind
}
