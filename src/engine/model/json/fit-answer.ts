import { isRecord } from '../../../util/json.ts'
import { isObject, type Schema, shapesOf } from './schema-forms.ts'

/** `cost`: distance of the value from the shape: one for each repair, far more for a misfit. */
type Fit = { value: unknown; cost: number }
const repair = 1
const surplus = 10
const misfit = 1000

/** Maximum number of attempts for one answer: shapes of unions multiply with the depth. */
const maxAttempts = 20_000
type Run = { root: Schema; left: number }

/**
 * Repairs an answer without guessing: wrappers, names with other case or separators, surplus names in closed objects,
 * numbers as text, single values instead of lists. Anything else is unchanged, and the validator reports it.
 */
export const fitted = (value: unknown, schema: Schema): unknown =>
  fit(value, schema, { root: schema, left: maxAttempts }).value

function fit(value: unknown, schema: unknown, run: Run): Fit {
  const best: Fit = { value, cost: Infinity }
  if (value === null || !isRecord(schema)) return { value, cost: 0 }
  for (const shape of shapesOf(schema, run.root)) {
    if (--run.left < 0 || best.cost === 0) break
    const next = fitShape(value, shape, run)
    if (next.cost < best.cost) Object.assign(best, next)
  }
  return best.cost === Infinity ? { value, cost: 0 } : best
}

function fitShape(value: unknown, shape: Schema, run: Run): Fit {
  if ('const' in shape) return fitChoice(value, [shape['const']])
  if (Array.isArray(shape['enum'])) return fitChoice(value, shape['enum'])
  if (isObject(shape)) return fitObject(value, shape, run)
  if (shape['type'] === 'array') return fitList(value, shape, run)
  return fitScalar(value, shape['type'])
}

/** Unwraps the only value of a list or an object. */
function only(value: unknown): unknown {
  const inside: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : []
  return inside.length === 1 ? only(inside[0]) : value
}

function fitScalar(value: unknown, type: unknown): Fit {
  if (type === undefined || isOfType(value, type)) return { value, cost: 0 }
  const inner = only(value)
  const read = isOfType(inner, type) ? inner : converted(inner, type)
  return read === undefined ? { value, cost: misfit } : { value: read, cost: repair }
}

const isOfType = (value: unknown, type: unknown) =>
  type === 'integer' ? Number.isInteger(value) : typeof value === type

function converted(value: unknown, type: unknown): unknown {
  if (type === 'string') return typeof value === 'number' ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  if (type === 'boolean')
    return new Map([
      ['true', true],
      ['false', false],
    ]).get(value.trim().toLowerCase())
  return type === 'number' || type === 'integer' ? numberIn(value) : undefined
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/**
 * Parses a number in a text that otherwise has only a currency or percent sign; undefined if ambiguous, such as 1,299.
 */
function numberIn(text: string): number | undefined {
  const digits = text
    .normalize('NFKC')
    .replace('\u2212', '-')
    .replace(/\p{L}+/gu, (word) => (currencies.has(word) ? '' : word))
    .replace(/[\p{Sc}%]/gu, '')
    .trim()
  const grouped = /^[-+]?\d{1,3}(?:([ '’.,])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/.exec(digits)
  const [, group = ''] = grouped ?? []
  const isTwofold = /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/.test(digits)
  if (isTwofold || (!grouped && !/^[-+]?\d+(?:[.,]\d+)?$/.test(digits))) return undefined
  const isDecimal = /^[-+]?0[.,]\d+$/.test(digits)
  return Number((isDecimal ? digits : digits.replaceAll(group || ' ', '')).replace(',', '.'))
}

function fitChoice(value: unknown, choices: readonly unknown[]): Fit {
  if (choices.includes(value)) return { value, cost: 0 }
  const inner = only(value)
  const alike = choices.filter((each) => each === inner || isSameName(String(each), String(inner)))
  return alike.length === 1 ? { value: alike[0], cost: repair } : { value, cost: misfit }
}

/** Returns a name without case and separators; a name of separators alone is unchanged. */
const bare = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '') || name
const isSameName = (one: string, other: string) => bare(one) === bare(other)

function fitList(value: unknown, { items }: Schema, run: Run): Fit {
  if (Array.isArray(value)) {
    const fits = value.map((each) => fit(each, items, run))
    return { value: fits.map((each) => each.value), cost: costOf(fits) }
  }
  const alone = fit([value], { type: 'array', items }, run)
  const lists = isRecord(value) ? Object.values(value).filter(Array.isArray) : []
  const inner = lists.length === 1 ? fit(lists[0], { type: 'array', items }, run) : alone
  const best = inner.cost < alone.cost || namesIn(value, items, run) === 0 ? inner : alone
  return { ...best, cost: best.cost + repair }
}

const costOf = (fits: readonly Fit[]) => fits.reduce((sum, { cost }) => sum + cost, 0)

/** Returns the number of names in an object that its schema defines. */
function namesIn(value: unknown, schema: unknown, { root }: Run): number {
  const shapes = isRecord(schema) ? shapesOf(schema, root) : []
  const known = new Set(
    shapes.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])).map(bare),
  )
  return isRecord(value) ? Object.keys(value).filter((name) => known.has(bare(name))).length : 0
}

function fitObject(value: unknown, shape: Schema, run: Run): Fit {
  const properties = isRecord(shape['properties']) ? shape['properties'] : {}
  if (isRecord(value) && (Object.keys(properties).length === 0 || namesIn(value, shape, run) > 0))
    return fitFields(value, properties, shape, run)
  const inner = listOrInner(value, properties, shape, run)
  return inner ? { ...inner, cost: inner.cost + repair } : { value, cost: isRecord(value) ? surplus : misfit }
}

/** Puts a list into the only list field of an object, or unwraps an object from another one or from a list. */
function listOrInner(value: unknown, properties: Schema, shape: Schema, run: Run): Fit | undefined {
  const [list, ...others] = Object.entries(properties).filter(([, each]) => fitsList(each, run))
  if (Array.isArray(value) && value.length !== 1 && list && others.length === 0) {
    const items = fit(value, list[1], run)
    return { ...items, value: { [list[0]]: items.value } }
  }
  const inside: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : []
  const [wrapped, ...more] = inside.filter((each) => typeof each === 'object' && each !== null)
  if (wrapped === undefined || more.length > 0) return undefined
  const inner = fitObject(wrapped, shape, run)
  return namesIn(inner.value, shape, run) > 0 ? inner : undefined
}

const fitsList = (schema: unknown, { root }: Run) =>
  isRecord(schema) && shapesOf(schema, root).some(({ type }) => type === 'array')

function fitFields(value: Record<string, unknown>, properties: Schema, shape: Schema, run: Run): Fit {
  const { additionalProperties: others, unevaluatedProperties, patternProperties } = shape
  const names = Object.keys(properties)
  const nameFor = (key: string) => {
    const alike = names.filter((name) => isSameName(name, key))
    return Object.hasOwn(properties, key) ? key : alike.length === 1 ? alike[0] : undefined
  }
  const byName = Map.groupBy(Object.entries(value), ([key]) => nameFor(key))
  const own = names.flatMap((name) => {
    const entries = byName.get(name) ?? []
    const exact = entries.find(([key]) => key === name) ?? entries[0]
    const isClear = Object.hasOwn(value, name) || new Set(entries.map(([, each]) => JSON.stringify(each))).size === 1
    return exact && isClear ? [{ ...fit(exact[1], properties[name], run), name }] : []
  })
  const isClosed = others === false || unevaluatedProperties === false
  const unknown = byName.get(undefined) ?? []
  // Patterns of names are left to the validator, because it has a time limit.
  const extra = (isClosed && patternProperties === undefined ? [] : unknown).map(([name, each]) => ({
    ...fit(each, others, run),
    name,
  }))
  const fields = [...own, ...extra]
  return {
    value: Object.fromEntries(fields.map((each) => [each.name, each.value])),
    cost:
      costOf(fields) + unknown.length * surplus + (own.some(({ name }) => !Object.hasOwn(value, name)) ? repair : 0),
  }
}
