import type { ElementIndex } from '../dom/element-index.ts'
import { parseJson } from '../../../util/json.ts'
import { oneLine } from '../dom/dom-tree.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { parseFragment } from '../parse/parse-html.ts'

/** A schema.org entity from any syntax. Pages write arbitrary values, so every property must be checked. */
export type Entity = Readonly<Record<string, unknown>>

export const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the type names without the URL of the vocabulary. */
export const typesOf = (node: Entity): string[] =>
  listOf(node['@type']).flatMap((type) => (isText(type) ? type.replace(/^.*[/#:]/, '') : []))

export const listOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value.slice(0, maxList).flat() : [value]).filter(
    (each) => each !== undefined && each !== null,
  )

const maxList = 1000
const maxMarkup = 20_000

/**
 * Returns plain text on one line, without the (possibly escaped) markup that shops put into texts; undefined if empty.
 */
export function textOf(value: unknown, maxCharacters = 300): string | undefined {
  const [first] = listOf(value)
  if (typeof first === 'number') return String(first)
  if (isEntity(first)) {
    // A name must be text; nested entities are not followed.
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

/** Looks up the entities of a property and resolves references by `@id`. */
export type Graph = { entities(node: Entity, key: string): Entity[] }

export function graphOf(nodes: readonly Entity[]): Graph {
  const byId = new Map<unknown, Entity>()
  for (const node of nodes) {
    const id = node['@id']
    const before = typeof id === 'string' ? byId.get(id) : node
    if (!before || Object.keys(node).length > Object.keys(before).length) byId.set(id, node)
  }
  const resolved = (node: Entity) => byId.get(node['@id']) ?? node
  return { entities: (node, key) => listOf(node[key]).filter(isEntity).map(resolved) }
}

/** Drops undefined properties. */
export const known = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** Page data taken from JSON-LD. */
type JsonLd = {
  /** Distinct schema.org type names without the vocabulary URL, in page order. */
  types: readonly string[]
  author: string | undefined
  published: string | undefined
  modified: string | undefined
}

const maxChars = 500_000
const maxNodes = 2000
/** Maximum nesting of entities; real pages stay below. */
const maxDepth = 4
const articles = /(?:Article|Posting|Report|WebPage|CreativeWork|Book|Recipe|VideoObject|Review)$/

/** Reads all JSON-LD scripts; skips broken and very long ones. */
export function jsonLdOf(elements: ElementIndex): JsonLd {
  const nodes = jsonLdData(elements)
    .flatMap((data) => [...entitiesIn(data)])
    .slice(0, maxNodes)
  // Dates of the article take precedence over those of the site.
  const ranked = nodes.toSorted((one, other) => rankOf(one) - rankOf(other))
  const first = (key: string) => ranked.map((node) => node[key]).find((value): value is string => isText(value))
  return {
    types: [...new Set(nodes.flatMap(typesOf))],
    author: ranked.map((node) => namesIn(node['author'])).find(Boolean),
    published: first('datePublished')?.trim(),
    modified: first('dateModified')?.trim(),
  }
}

/** Returns the longest article or job posting in the data of a page, with its headline; undefined without one. */
export function articleIn(elements: ElementIndex): { headline: string | undefined; body: string } | undefined {
  const candidates = jsonLdData(elements)
    .flatMap((data) => [...entitiesIn(data)])
    .flatMap((node) => {
      const ofJob = typesOf(node).includes('JobPosting') ? node['description'] : undefined
      const body = [node['articleBody'], node['text'], ofJob].find(isText)
      return body === undefined ? [] : { headline: textOf(node['headline'] ?? node['name'] ?? node['title']), body }
    })
  return candidates.toSorted((one, other) => other.body.length - one.body.length)[0]
}

export const jsonLdTexts = (elements: ElementIndex): string[] =>
  elements
    .named('script')
    .filter((script) => /^\s*application\/ld\+json\b/i.test(script.getAttribute('type') ?? ''))
    .map((script) => script.textContent)

/** Parses the data of each JSON-LD script. */
export const jsonLdData = (elements: ElementIndex): unknown[] =>
  jsonLdTexts(elements)
    .filter((text) => text.length <= maxChars)
    .map(looseJson)

/** Yields all typed objects, outer before inner. */
export function* entitiesIn(data: unknown, depth = 0): Generator<Entity> {
  if (typeof data !== 'object' || data === null || depth > maxDepth) return
  if (isEntity(data) && '@type' in data) yield data
  // Lists nested deeper do not occur on real pages.
  const values = Array.isArray(data) ? data.flat(1).filter((each) => !Array.isArray(each)) : Object.values(data)
  for (const value of values.slice(0, 200)) yield* entitiesIn(value, depth + (Array.isArray(data) ? 0 : 1))
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function rankOf(node: Entity): number {
  const types = typesOf(node)
  if (types.some((type) => articles.test(type) && type !== 'WebPage')) return 0
  return types.includes('WebPage') ? 1 : 2
}

/** An author is a name, a person, or a list of them. */
function namesIn(author: unknown): string | undefined {
  const names = [author].flat().flatMap((each) => {
    const name: unknown = typeof each === 'object' && each !== null ? (each as Entity)['name'] : each
    return [name].flat().filter(isText)
  })
  return [...new Set(names.map((name) => name.trim()))].slice(0, 20).join(', ') || undefined
}

/**
 * Parses JSON as found on pages: wrapped in comments or CDATA, with HTML entities for quotes, comments, trailing
 * commas, line breaks in strings, or several values in a row, which become a list. Returns undefined if it cannot be
 * repaired.
 */
export function looseJson(text: string): unknown {
  const bare = withoutWrapper(text)
  return (
    parseJson(bare) ??
    parseJson(repaired(bare)) ??
    (bare.includes('&') ? parseJson(repaired(withoutEntities(bare))) : undefined) ??
    parseJson(`[${repaired(bare.replace(/\}\s*(?=\{)/g, '},'))}]`)
  )
}

const opening = /^(?:\uFEFF|\s|<!--|\/\/\s*<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)+/
/** Plain suffixes rather than a repeating pattern, which would take quadratic time on long runs of blanks. */
const endings = [';', '-->', ']]>', '//', '/*', '*/']

function withoutWrapper(text: string): string {
  let bare = text.replace(opening, '').trimEnd()
  for (;;) {
    const ending = endings.find((each) => bare.endsWith(each))
    if (!ending) return bare
    bare = bare.slice(0, -ending.length).trimEnd()
  }
}

const entities: Readonly<Record<string, string>> = { quot: '"', '#34': '"', '#x22': '"', '#39': "'", amp: '&' }

const withoutEntities = (text: string) =>
  text.replace(/&(quot|#34|#x22|#39|amp);/gi, (_, name: string) => entities[name.toLowerCase()] ?? '')

const quoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?/y
const plain = /[^"/,]+/y

function repaired(text: string): string {
  const pieces: string[] = []
  for (let at = 0; at < text.length;) {
    const { piece, length } = pieceAt(text, at)
    pieces.push(piece)
    at += length
  }
  return pieces.join('')
}

function pieceAt(text: string, at: number): { piece: string; length: number } {
  const string = matchAt(quoted, text, at)
  if (string) return { piece: repairedString(string), length: string.length }
  const run = matchAt(plain, text, at)
  if (run) return { piece: run, length: run.length }
  if (text.startsWith('//', at)) return { piece: '', length: lengthTo(text, '\n', at) }
  if (text.startsWith('/*', at)) return { piece: '', length: lengthTo(text, '*/', at) }
  const isTrailing = text[at] === ',' && /^\s*[\]}]/.test(text.slice(at + 1, at + 200))
  return { piece: isTrailing ? '' : (text[at] ?? ''), length: 1 }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function lengthTo(text: string, end: string, at: number): number {
  const index = text.indexOf(end, at + 2)
  return (index < 0 ? text.length : index + end.length) - at
}

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** JSON allows no raw control characters in strings and only a few escapes (RFC 8259, section 7). */
const repairedString = (string: string) =>
  string
    .replace(/\\(u(?![\da-f]{4})|[^"\\/bfnrtu])/gi, '$1')
    // oxlint-disable-next-line no-control-regex -- the search is for these
    .replace(/[\0-\x1F]/g, (control) => named[control] ?? ' ')
