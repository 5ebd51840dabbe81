import { isRecord } from '../../util/json.ts'

/** What one page says; the pages come best first. */
export type Saying = { url: string; json: unknown }
export type Merged = {
  data: unknown
  /** The URLs that each value comes from, by its path, such as `company.name` or `products[0]`. */
  sources: Record<string, string[]>
  /** Paths of which the pages say different things. */
  disputed: string[]
}

/**
 * What many pages say, as one object. Lists are joined, and what two pages list alike is one item. Of other values the
 * one that most sites give wins, then the one that most pages give, then the one of the best page: a site with many pages
 * does not outvote two others.
 */
export function mergePages(pages: readonly Saying[]): Merged {
  const sources: Merged['sources'] = {}
  const disputed: string[] = []
  const data = merge(pages, '', { sources, disputed })
  return { data, sources, disputed }
}

type Notes = Pick<Merged, 'sources' | 'disputed'>

function merge(all: readonly Saying[], path: string, notes: Notes): unknown {
  const sayings = all.filter(({ json }) => !isEmpty(json))
  const kind = mostGiven(sayings.map(({ url, json }) => ({ url, json: shapeOf(json) })))?.[0]?.json
  const alike = sayings.filter(({ json }) => shapeOf(json) === kind)
  if (kind === 'object') return mergeObjects(alike, path, notes)
  if (kind === 'list') return joinLists(alike, path, notes)
  const winners = mostGiven(alike)
  if (!winners?.[0]) return undefined
  if (winners.length < alike.length && alike.every(({ json }) => isShort(json))) notes.disputed.push(path)
  notes.sources[path] = urlsOf(winners)
  return winners[0].json
}

function mergeObjects(sayings: readonly Saying[], path: string, notes: Notes): object {
  const keys = [...new Set(sayings.flatMap(({ json }) => Object.keys(json as object)))]
  const entries = keys.map((key) => {
    const inner = sayings.map(({ url, json }) => ({ url, json: isRecord(json) ? json[key] : undefined }))
    return [key, merge(inner, path === '' ? key : `${path}.${key}`, notes)] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

type Item = { sayings: Saying[] }

function joinLists(sayings: readonly Saying[], path: string, notes: Notes): unknown[] {
  const byIdentity = new Map<string, Item[]>()
  const items: Item[] = []
  for (const saying of sayings.flatMap(({ url, json }) => (json as unknown[]).map((each) => ({ url, json: each })))) {
    if (isEmpty(saying.json)) continue
    const identity = identityOf(saying.json)
    const known = byIdentity.get(identity) ?? []
    const same = known.find((item) => isSameItem(item, saying))
    if (same) same.sayings.push(saying)
    else {
      const item = { sayings: [saying] }
      items.push(item)
      byIdentity.set(identity, [...known, item])
    }
  }
  return items.map((item, index) => {
    notes.sources[`${path}[${index}]`] = urlsOf(item.sayings)
    return merge(item.sayings, '', { sources: {}, disputed: [] })
  })
}

/** What tells one thing of a list from another, the most telling first. */
const identifying = ['id', 'sku', 'isbn', 'email', 'url', 'name', 'title'] as const

function identityOf(item: unknown): string {
  if (!isRecord(item)) return normalised(item)
  const key = identifying.find((each) => !isEmpty(item[each]))
  return key === undefined ? normalised(item) : `${key} ${normalised(item[key])}`
}

/** Two things of one page with one name are two; so are those of which two pages say different things. */
function isSameItem({ sayings }: Item, { url, json }: Saying): boolean {
  return sayings.every((known) => {
    if (normalised(known.json) === normalised(json)) return true
    return known.url !== url && isRecord(known.json) && isRecord(json) && agree(known.json, json)
  })
}

const agree = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  Object.entries(one).every(
    ([key, value]) => isEmpty(value) || isEmpty(other[key]) || normalised(value) === normalised(other[key]),
  )

/** Those that give the value which most sites give. */
function mostGiven<S extends Saying>(sayings: readonly S[]): S[] | undefined {
  const groups = Map.groupBy(sayings, ({ json }) => normalised(json))
  // Sorting keeps the order of those that are equal: the best page is first.
  const [best] = [...groups.values()].toSorted(
    (one, other) => sitesOf(other) - sitesOf(one) || urlsOf(other).length - urlsOf(one).length,
  )
  return best
}

const sitesOf = (sayings: readonly Saying[]) => new Set(sayings.map(({ url }) => URL.parse(url)?.host)).size
const urlsOf = (sayings: readonly Saying[]) => [...new Set(sayings.map(({ url }) => url))]

const shapeOf = (json: unknown) => (Array.isArray(json) ? 'list' : isRecord(json) ? 'object' : 'value')

/** Pages write one thing with other capitals and spaces. */
const normalised = (json: unknown): string =>
  (typeof json === 'string' ? json : JSON.stringify(json)).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** No two pages write a longer text alike, which is no dispute. */
const isShort = (json: unknown) => normalised(json).length <= 80

const isEmpty = (json: unknown): boolean =>
  json === undefined ||
  json === null ||
  (typeof json === 'string' && json.trim() === '') ||
  (typeof json === 'object' && Object.keys(json).length === 0)

const maxDepth = 6

/** Paths of the fields that a schema names, outside of lists. */
export function fieldsOf(schema: unknown, before = '', depth = 0): string[] {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  if (!isRecord(properties) || depth > maxDepth) return []
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = before === '' ? name : `${before}.${name}`
    return [path, ...fieldsOf(inner, path, depth + 1)]
  })
}

/** Those that the data lacks; of a field that is missing whole its parts are not named. */
export function missingFrom(data: unknown, fields: readonly string[]): string[] {
  const missing = fields.filter((path) => !has(data, path.split('.')))
  return missing.filter((path) => !missing.some((other) => path.startsWith(`${other}.`)))
}

const has = (data: unknown, [name = '', ...rest]: readonly string[]): boolean =>
  isRecord(data) && Object.hasOwn(data, name) && (rest.length === 0 || has(data[name], rest))

/** What a page says beyond the fields that the schema names is left out, unless the schema says that it may be there. */
export function onlyNamed(json: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return json
  const { properties, items, additionalProperties } = schema
  if (Array.isArray(json)) return json.map((each) => onlyNamed(each, items))
  if (!isRecord(json) || !isRecord(properties)) return json
  const kept = Object.entries(json).filter(([name]) => additionalProperties || Object.hasOwn(properties, name))
  return Object.fromEntries(kept.map(([name, each]) => [name, onlyNamed(each, properties[name])]))
}
