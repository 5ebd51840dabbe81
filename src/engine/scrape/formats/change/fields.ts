import { isRecord } from '../../../../util/json.ts'

type ChangedFields = Record<string, { previous: unknown; current: unknown }>

/** The fields whose values differ, whatever the order of keys within them; a value that is not there is null. */
export function changedFields(before: object, now: object): ChangedFields {
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(now))]
  const names = [...new Set([...old.keys(), ...current.keys()])]
  const changes = names
    .map((name) => ({ name, previous: old.get(name) ?? null, current: current.get(name) ?? null }))
    .filter((field) => sorted(field.previous) !== sorted(field.current))
  return Object.fromEntries(changes.map(({ name, ...values }) => [name, values]))
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )
