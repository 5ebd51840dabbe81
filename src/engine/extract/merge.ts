import { isRecord, ownValue } from '../../util/json.ts'

/** Data from one page; lists of these are sorted best page first. */
type PageResult = { url: string; json: unknown }
type Merged = {
  data: unknown
  /** URLs that each value was taken from, by its path, such as `company.name` or `products[0]`. */
  sources: Record<string, string[]>
  /** Paths whose values differ between pages. */
  disputed: string[]
}

/**
 * Merges the data of many pages into one object. Lists are joined, and items of two pages that agree become one. For
 * other values, the one that most sites give wins, then the one that most pages give, then that of the best page, so a
 * site with many pages does not outvote two others.
 */
export function mergePages(pages: readonly PageResult[]): Merged {
  const sources: Merged['sources'] = {}
  const disputed: string[] = []
  const data = merge(pages, '', { sources, disputed })
  return { data, sources, disputed }
}

type Notes = Pick<Merged, 'sources' | 'disputed'>

function merge(all: readonly PageResult[], path: string, notes: Notes): unknown {
  const results = all.filter(({ json }) => !isEmpty(json))
  const kind = mostCommon(results.map(({ url, json }) => ({ url, json: shapeOf(json) })))?.[0]?.json
  const alike = results.filter(({ json }) => shapeOf(json) === kind)
  if (kind === 'object') return mergeObjects(alike, path, notes)
  if (kind === 'list') return joinLists(alike, path, notes)
  const winners = mostCommon(alike)
  if (!winners?.[0]) return undefined
  if (winners.length < alike.length && alike.every(({ json }) => isShort(json))) notes.disputed.push(path)
  notes.sources[path] = urlsOf(winners)
  return winners[0].json
}

function mergeObjects(results: readonly PageResult[], path: string, notes: Notes): object {
  const keys = [...new Set(results.flatMap(({ json }) => Object.keys(json as object)))]
  const entries = keys.map((key) => {
    const inner = results.map(({ url, json }) => ({ url, json: isRecord(json) ? ownValue(json, key) : undefined }))
    return [key, merge(inner, path === '' ? key : `${path}.${key}`, notes)] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function joinLists(results: readonly PageResult[], path: string, notes: Notes): unknown[] {
  const byIdentity = new Map<string, PageResult[][]>()
  const items: PageResult[][] = []
  for (const result of results.flatMap(({ url, json }) => (json as unknown[]).map((each) => ({ url, json: each })))) {
    if (isEmpty(result.json)) continue
    const identity = identityOf(result.json)
    const known = byIdentity.get(identity) ?? []
    const same = known.find((item) => isSameItem(item, result))
    if (same) same.push(result)
    else {
      const item = [result]
      items.push(item)
      byIdentity.set(identity, [...known, item])
    }
  }
  return items.map((item, index) => {
    notes.sources[`${path}[${index}]`] = urlsOf(item)
    return merge(item, '', { sources: {}, disputed: [] })
  })
}

/** Fields that identify an item of a list; the most specific is first. */
const identifying = ['id', 'sku', 'isbn', 'email', 'url', 'name', 'title'] as const

function identityOf(item: unknown): string {
  if (!isRecord(item)) return normalised(item)
  const key = identifying.find((each) => !isEmpty(item[each]))
  return key === undefined ? normalised(item) : `${key} ${normalised(item[key])}`
}

/** True if each known result of the item equals the new one, or is from another page and does not contradict it. */
function isSameItem(item: readonly PageResult[], { url, json }: PageResult): boolean {
  return item.every((known) => {
    if (normalised(known.json) === normalised(json)) return true
    return known.url !== url && isRecord(known.json) && isRecord(json) && agree(known.json, json)
  })
}

const agree = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  Object.entries(one).every(([key, value]) => {
    const theirs = ownValue(other, key)
    return isEmpty(value) || isEmpty(theirs) || normalised(value) === normalised(theirs)
  })

/** Returns the results with the value that most sites give. */
function mostCommon<S extends PageResult>(results: readonly S[]): S[] | undefined {
  const groups = Map.groupBy(results, ({ json }) => normalised(json))
  // Sorting is stable, so the best page comes first among equals.
  const [best] = [...groups.values()].toSorted(
    (one, other) => sitesOf(other) - sitesOf(one) || urlsOf(other).length - urlsOf(one).length,
  )
  return best
}

const sitesOf = (results: readonly PageResult[]) => new Set(results.map(({ url }) => URL.parse(url)?.host)).size
const urlsOf = (results: readonly PageResult[]) => [...new Set(results.map(({ url }) => url))]

const shapeOf = (json: unknown) => (Array.isArray(json) ? 'list' : isRecord(json) ? 'object' : 'value')

/** Ignores case and white space, which differ between pages. */
const normalised = (json: unknown): string =>
  (typeof json === 'string' ? json : JSON.stringify(json)).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Longer texts usually differ between pages, which does not make them disputed. */
const isShort = (json: unknown) => normalised(json).length <= 80

const isEmpty = (json: unknown): boolean =>
  json === undefined ||
  json === null ||
  (typeof json === 'string' && json.trim() === '') ||
  (typeof json === 'object' && Object.keys(json).length === 0)

const maxDepth = 6

/** Returns the paths of the fields that a schema names, except in lists. */
export function fieldsOf(schema: unknown, before = '', depth = 0): string[] {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  if (!isRecord(properties) || depth > maxDepth) return []
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = before === '' ? name : `${before}.${name}`
    return [path, ...fieldsOf(inner, path, depth + 1)]
  })
}

/** Returns the fields missing from the data; for a missing object, not its fields as well. */
export function missingFrom(data: unknown, fields: readonly string[]): string[] {
  const missing = fields.filter((path) => !has(data, path))
  return missing.filter((path) => !missing.some((other) => path.startsWith(`${other}.`)))
}

/** True if the data has a field at this path; names may contain dots themselves. */
const has = (data: unknown, path: string): boolean =>
  isRecord(data) &&
  Object.entries(data).some(
    ([name, inner]) => name === path || (path.startsWith(`${name}.`) && has(inner, path.slice(name.length + 1))),
  )
