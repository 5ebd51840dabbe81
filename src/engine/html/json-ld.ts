import { looseJson } from './loose-json.ts'
import type { Survey } from './survey.ts'

/** What the structured data (JSON-LD) of a page says about it. */
export type JsonLd = {
  /** Names of schema.org without its address, in the order of the page, each once. */
  types: readonly string[]
  author: string | undefined
  published: string | undefined
  modified: string | undefined
}
type Node = Readonly<Record<string, unknown>>

const maxChars = 500_000
const maxNodes = 2000
/** Graphs and the things inside things are no deeper than pages write them. */
const maxDepth = 4
const articles = /(?:Article|Posting|Report|WebPage|CreativeWork|Book|Recipe|VideoObject|Review)$/

/** Reads all scripts of structured data; one that is broken or very long is passed over. */
export function jsonLdOf(survey: Survey): JsonLd {
  const nodes = jsonLdData(survey)
    .flatMap((data) => [...nodesIn(data)])
    .slice(0, maxNodes)
  // An article says when it was written; the site around it may have dates of its own.
  const ranked = nodes.toSorted((one, other) => rankOf(one) - rankOf(other))
  const first = (key: string) => ranked.map((node) => node[key]).find((value): value is string => isText(value))
  return {
    types: [...new Set(nodes.flatMap(typesOf))],
    author: ranked.map((node) => namesIn(node['author'])).find(Boolean),
    published: first('datePublished')?.trim(),
    modified: first('dateModified')?.trim(),
  }
}

/** The data of each script, as it is written. */
export function jsonLdData(survey: Survey): unknown[] {
  return survey
    .named('script')
    .filter((script) => /^\s*application\/ld\+json\b/i.test(script.getAttribute('type') ?? ''))
    .map((script) => script.textContent)
    .filter((text) => text.length <= maxChars)
    .map(looseJson)
}

/** Every object with a type, the outer before those inside it. */
export function* nodesIn(data: unknown, depth = 0): Generator<Node> {
  if (typeof data !== 'object' || data === null || depth > maxDepth) return
  if (!Array.isArray(data) && '@type' in data) yield data as Node
  // Lists in lists in lists are nothing that a page writes.
  const values = Array.isArray(data) ? data.flat(1).filter((each) => !Array.isArray(each)) : Object.values(data)
  for (const value of values.slice(0, 200)) yield* nodesIn(value, depth + (Array.isArray(data) ? 0 : 1))
}

const typesOf = (node: Node): string[] =>
  [node['@type']]
    .flat()
    .filter(isText)
    .map((type) => type.replace(/^.*[/#:]/, ''))

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function rankOf(node: Node): number {
  const types = typesOf(node)
  if (types.some((type) => articles.test(type) && type !== 'WebPage')) return 0
  return types.includes('WebPage') ? 1 : 2
}

/** An author is a name, a person, or a list of them. */
function namesIn(author: unknown): string | undefined {
  const names = [author].flat().flatMap((each) => {
    const name: unknown = typeof each === 'object' && each !== null ? (each as Node)['name'] : each
    return [name].flat().filter(isText)
  })
  return [...new Set(names.map((name) => name.trim()))].slice(0, 20).join(', ') || undefined
}
