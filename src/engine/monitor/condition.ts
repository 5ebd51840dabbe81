import type { CheckedPage, Condition, PageStatus } from '../../schema/monitor/monitor.ts'
import { isRecord } from '../../util/json.ts'

/** Which pages somebody is told of. Those of a first check are all new, which is no news unless it was asked for. */
export function isTold(
  { status, snapshot }: Pick<CheckedPage, 'status' | 'snapshot'>,
  { status: wanted, field }: Condition,
  { isFirst }: { isFirst: boolean },
): boolean {
  const usual: PageStatus[] = isFirst && !field ? ['error'] : ['new', 'changed', 'removed', 'error']
  if (!(wanted ?? usual).includes(status)) return false
  return field === undefined || (snapshot !== null && isMet(field, snapshot.json))
}

function isMet({ path, is, value: wanted }: NonNullable<Condition['field']>, json: object): boolean {
  const value = valueAt(json, path)
  if (value === undefined) return false
  if (is === 'contains') return Array.isArray(value) ? value.includes(wanted) : String(value).includes(String(wanted))
  const [one, other] = [amountOf(value), amountOf(wanted)]
  const areAmounts = one !== undefined && other !== undefined
  if (is === '=' || is === '!=') return (areAmounts ? one === other : value === wanted) === (is === '=')
  if (!areAmounts) return false
  return { '<': one < other, '<=': one <= other, '>': one > other, '>=': one >= other }[is]
}

/** Pages often give a number as text. */
function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const amount = Number(value)
  return Number.isNaN(amount) ? undefined : amount
}

/** The value at a path such as `offers[0].price`; undefined where there is none. */
function valueAt(json: unknown, path: string): unknown {
  return (path.match(/[^.[\]]+/g) ?? []).reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)]
    return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }, json)
}
