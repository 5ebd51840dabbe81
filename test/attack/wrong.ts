import type { JsonSchema } from '../../src/kernel/json-schema.ts'

type Path = readonly (string | number)[]
/** A value with one wrong part at `path`, and the same value with a right part there. */
export type Wrong = { path: Path; wrong: unknown; right: unknown }

/** Values that do not become the type, even if input is read leniently. */
const otherTypes: Readonly<Record<string, readonly unknown[]>> = {
  boolean: ['surely not', 7, { surely: 'not' }, [[true]], [true, false]],
  integer: ['seven', 1.5, true, { surely: 'not' }, [[7]], [1, 2]],
  number: ['seven', true, { surely: 'not' }, [[7]], [1, 2]],
  string: [true, { surely: 'not' }, [['a']], ['a', 'b']],
  array: [{ surely: 'not' }, true, [[[{ surely: 'not' }]]]],
  object: [7, true, [[{}]], [{}, {}]],
}
/** Values by field name that have the right type, but are invalid. */
const meaningless: Readonly<Record<string, readonly unknown[]>> = {
  country: ['ZZ', '??', '12'],
  profile: [{ name: ' \t' }, { name: '' }, {}],
  includeTags: [['  ']],
  excludeTags: [['  ']],
  includeDomains: [['no spaces allowed'], ['https://a.example/path'], ['.']],
  excludeDomains: [['no spaces allowed'], ['.']],
  languages: [['not a language!'], ['-']],
  startDate: ['2025-13-45', 'yesterday'],
}
/** Lists in which an empty string is ignored, because forms send one for an empty field. */
const skipsBlanks = /^(?:include|exclude)(?:Paths|Tags)\[\]$/
/** Valid values by field name, for fields with rules that the schema states only in words. */
const rightByName: Readonly<Record<string, unknown>> = {
  url: 'https://example.com/',
  crawl: 'https://example.com/',
  webhook: 'https://example.com/hook',
  urls: ['https://example.com/'],
  sources: ['web'],
  acts: [{ type: 'back' }],
  actions: [{ type: 'wait', milliseconds: 5 }],
  webhookSecret: 'a long secret',
  text: 'every 30 minutes',
  cron: '0 9 * * *',
  attributes: [{ selector: 'a', attribute: 'href' }],
  formats: ['markdown'],
  country: 'DE',
  languages: ['de'],
  includeDomains: ['example.com'],
  excludeDomains: ['example.com'],
  events: ['page'],
  requestsPerMinute: { crawl: 5 },
  base64: 'bmFtZQ==',
  filename: 'a.txt',
  startDate: '2025-01-02',
  schedule: { text: 'every 30 minutes' },
  scope: 'e5',
  timeout: 30_000,
}
/** Further fields that objects of these kinds need, although no schema says so. */
const needed: Readonly<Record<string, object>> = {
  wait: { milliseconds: 5 },
  click: { selector: 'a', target: 'e5' },
  doubleClick: { target: 'e5' },
  hover: { target: 'e5' },
  drag: { target: 'e5', to: 'e6' },
  fill: { target: 'e5', value: 'a' },
  select: { target: 'e5', options: ['a'] },
  upload: { target: 'e5', files: [{ name: 'a.txt', base64: 'bmFtZQ==' }] },
  write: { text: 'a' },
  type: { value: 'a' },
  press: { key: 'Enter' },
  executeJavascript: { script: '1' },
  navigate: { url: 'https://example.com/' },
  tab: { do: 'list' },
  dialog: { accept: true },
}

type Spot = { name: string; schema: JsonSchema; root: JsonSchema }
const maxDepth = 7

const resolve = (schema: JsonSchema, root: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {})

/** Returns variants of an example, each with one part that is wrong, at any depth. */
export function wrongs(root: JsonSchema, example: object): Wrong[] {
  return Object.entries(root.properties ?? {}).flatMap(([name, schema]) =>
    wrongIn({ name, schema, root }, 0).map((each) => within(name, each, example)),
  )
}

function within(name: string, { path, wrong, right }: Wrong, rest: object): Wrong {
  return { path: [name, ...path], wrong: { ...rest, [name]: wrong }, right: { ...rest, [name]: right } }
}

function wrongIn(spot: Spot, depth: number): Wrong[] {
  const schema = resolve(spot.schema, spot.root)
  const at = { ...spot, schema }
  const right = rightFor(at)
  const own = wrongFor(at).map((wrong): Wrong => ({ path: [], wrong, right }))
  return depth > maxDepth ? own : [...own, ...branchesOf(at).flatMap((branch) => deeper(branch, depth + 1))]
}

function deeper(spot: Spot, depth: number): Wrong[] {
  const { name, root } = spot
  const { properties = {}, items } = spot.schema
  const ofFields = kindsOf(spot).flatMap((rest) =>
    Object.entries(properties).flatMap(([field, schema]) =>
      wrongIn({ name: field, schema, root }, depth).map((each) => within(field, each, rest)),
    ),
  )
  const ofItems = items ? wrongIn({ name: `${name}[]`, schema: items, root }, depth) : []
  const besides = name === 'formats' ? ['markdown'] : []
  const inList = ({ path, wrong, right }: Wrong) => ({
    path: [0, ...path],
    wrong: [wrong, ...besides],
    right: [right, ...besides],
  })
  return [...ofFields, ...ofItems.map(inList)]
}

/** Valid objects of a schema: one of each kind if it has several. */
function kindsOf(spot: Spot): object[] {
  const { properties = {} } = spot.schema
  if (spot.schema.type !== 'object') return [{}]
  const least = smallest(spot) as Record<string, unknown>
  const kinds = properties['type'] && resolve(properties['type'], spot.root).enum
  return (kinds ?? [least['type']]).map((type) => ({
    ...least,
    ...(type !== undefined && { type }),
    ...fieldsIn(properties, needed[String(type)] ?? {}),
  }))
}

const fieldsIn = (properties: object, values: object) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(properties, name)))

const branchesOf = ({ name, schema, root }: Spot): Spot[] => {
  const branches = schema.anyOf ?? schema.oneOf
  if (!branches) return [{ name, schema, root }]
  return branches.flatMap((branch) => branchesOf({ name, schema: resolve(branch, root), root }))
}

/** Values that are invalid in each of several schemas. */
function wrongFor(spot: Spot): unknown[] {
  const branches = branchesOf(spot)
  const types = branches.map(
    ({ schema: { type, const: only } }) => type ?? (only === undefined ? undefined : typeof only),
  )
  const known = types.filter((type) => typeof type === 'string' && type !== 'null') as string[]
  const isAny = known.length + types.filter((type) => type === 'null').length < types.length
  if (isAny) return []
  const lists = known.map((type) => otherTypes[type] ?? [])
  const ofNoType = (lists[0] ?? []).filter((value) => lists.every((list) => list.some((each) => isSame(each, value))))
  const isOneKind = branches.length === 1
  return [...ofNoType, ...(meaningless[spot.name] ?? []), ...(isOneKind ? outOfBounds(branches[0]!) : [])]
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const blanksFor = ({ name }: Spot) => (skipsBlanks.test(name) ? ['  \t\n'] : ['', '  \t\n'])

function outOfBounds(spot: Spot): unknown[] {
  const { enum: options, const: only, minimum, maximum, minLength, maxLength, minItems, maxItems } = spot.schema
  return [
    ...(options === undefined && only === undefined ? [] : ['surely not', 'xyzzy', '~']),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...((minLength ?? 0) > 0 && options === undefined ? blanksFor(spot) : []),
    ...(maxLength === undefined || maxLength > 20_000 ? [] : ['x'.repeat(maxLength + 1)]),
    ...((minItems ?? 0) > 0 ? [[]] : []),
    ...(maxItems === undefined || maxItems > 1000 ? [] : [Array.from({ length: maxItems + 1 }, () => itemOf(spot))]),
  ]
}

const itemOf = ({ name, schema: { items = {} }, root }: Spot): unknown =>
  rightFor({ name: `${name}[]`, schema: resolve(items, root), root })

function byName(name: string): unknown {
  const list = name.endsWith('[]') ? rightByName[name.slice(0, -2)] : undefined
  return Array.isArray(list) ? list[0] : rightByName[name]
}

function fits(
  value: unknown,
  { type, enum: options, items, minimum = -Infinity, maximum = Infinity }: JsonSchema,
): boolean {
  if (options) return options.includes(value)
  if (Array.isArray(value) && items?.enum) return value.every((each) => items.enum?.includes(each))
  if (typeof value === 'number')
    return (type === 'integer' || type === 'number') && value >= minimum && value <= maximum
  return type === (Array.isArray(value) ? 'array' : typeof value)
}

function rightFor(spot: Spot): unknown {
  const named = byName(spot.name)
  const isRight = named !== undefined && branchesOf(spot).some((branch) => fits(named, branch.schema))
  return isRight ? named : smallest(spot)
}

function smallest(spot: Spot): unknown {
  const [branch] = branchesOf(spot)
  if (branch && branch.schema !== spot.schema) return rightFor(branch)
  const { const: only, enum: options, type, minItems = 0 } = spot.schema
  if (only !== undefined) return only
  if (options) return options[0]
  if (type === 'object') return requiredOf(spot)
  if (type === 'array') return Array.from({ length: minItems }, () => itemOf(spot))
  return type === undefined ? {} : scalarOf(spot.schema)
}

function requiredOf({ schema: { required = [], properties = {} }, root }: Spot): object {
  const right = (name: string) => rightFor({ name, schema: resolve(properties[name] ?? {}, root), root })
  return Object.fromEntries(required.map((name) => [name, right(name)]))
}

function scalarOf({ type, format, minimum = 1, maximum = Infinity }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return Math.min(Math.max(minimum, 1), maximum)
  if (type === 'boolean') return true
  return format === 'uuid' ? '0190c2a0-0000-7000-8000-000000000000' : 'abc'
}
