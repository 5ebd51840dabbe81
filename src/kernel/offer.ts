import { didYouMean } from '../util/words.ts'
import { errors } from './error-table.ts'
import { type AppError, fail, failure } from './error.ts'
import type { AnyOperation, Offered } from './operation.ts'

/** Offer of all tools, for readers that may choose among them. */
export const allOffered: Offered = { has: () => true }

/**
 * Replaces names in braces by their values; undefined if one has no value. Keeps texts for agents from naming tools
 * that are not offered.
 */
export function filledIn(text: string, words: ReadonlyMap<string, string>): string | undefined {
  const slots = text.matchAll(slot)
  return [...slots].every(([, name = '']) => words.has(name))
    ? text.replace(slot, (_, name: string) => words.get(name) ?? '')
    : undefined
}

const slot = /\{(\w+)\}/g

/** Replacements for the names of tools. */
export const toolWords = (names: Iterable<string>): ReadonlyMap<string, string> =>
  new Map([...names].map((name) => [name, name]))

/**
 * By error code: alternative sentences about the next step, with tools in braces. The first one that can be filled in
 * is used.
 */
export type NextSteps = Readonly<Record<string, readonly string[]>>

/** The sentences of a program text that name only tools that are offered. */
export function onlyOffered(text: string, names: readonly string[], offered: Offered): string {
  const others = names.filter((name) => !offered.has(name))
  if (others.length === 0) return text
  const named = namedIn(others)
  return text
    .split(/(?<=[.!?]) (?=[A-Z])/)
    .filter((sentence) => !named.test(sentence))
    .join(' ')
}

/** One-word tool names are also English words, so they count only as the object of a verb. */
function namedIn(names: readonly string[]): RegExp {
  const compound = names.filter((name) => name.includes('_'))
  const plain = names.filter((name) => !name.includes('_'))
  const forms = [
    ...(compound.length > 0 ? [`(?:${compound.join('|')})`] : []),
    ...(plain.length > 0 ? [`(?:[Ww]ith|[Uu]se|[Cc]all) (?:${plain.join('|')})`] : []),
  ]
  return new RegExp(`\\b(?:${forms.join('|')})\\b`)
}

/** Tools that are selected together by one name. */
export type ToolSets = Readonly<Record<string, readonly string[]>>

const maxNameLength = 60

/**
 * The offered tools selected by a choice: names and sets, `all` among them, separated by commas. Undefined if nothing
 * is selected. Fails with BAD_REQUEST for an unknown name.
 */
export function chosenTools(
  choice: string,
  offered: readonly string[],
  sets: ToolSets = {},
): readonly string[] | undefined {
  const words = choice
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  if (words.length === 0) return undefined
  const all: ToolSets = { all: offered, ...sets }
  const chosen = new Set(words.flatMap((word) => (Object.hasOwn(all, word) ? all[word] : undefined) ?? [word]))
  const unknown = words.find((word) => !Object.hasOwn(all, word) && !offered.includes(word))
  if (unknown !== undefined) fail('BAD_REQUEST', { message: noSuchTool(unknown, offered, Object.keys(all)) })
  return offered.filter((name) => chosen.has(name))
}

function noSuchTool(word: string, offered: readonly string[], sets: readonly string[]): string {
  const name = word.slice(0, maxNameLength)
  const others = ` The tools are ${offered.join(', ')}; the sets are ${sets.join(', ')}.`
  return `There is no tool ${name} to offer.${didYouMean(name, [...offered, ...sets]) || others}`
}

/** A task that people start by a command of their client. */
export type PromptText = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptField[]
  /** The prompt is not offered without these tools. */
  readonly needs: readonly string[]
  /**
   * One line each, with tools and arguments in braces; a line that names something missing is left out. Of
   * alternatives for a line, the first that can be filled in is used.
   */
  readonly steps: readonly (string | readonly string[])[]
}
export type PromptField = { readonly name: string; readonly description: string; readonly required?: true }

/** Source of the possible ids of an argument with this name. */
export type IdSource = {
  readonly operation: AnyOperation
  readonly input: object
  /** Newest first. */
  idsIn(output: object): readonly string[]
}

/** Name of the library function: `crawl_status` is `crawlStatus`. */
export const functionName = (operation: string) =>
  operation.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** True if it starts a job whose pages are read by separate functions. */
export const returnsPages = ({ follow }: AnyOperation): boolean => follow?.answers === 'pages'

type Service = { title: string; path?: RegExp; field?: string; instead: string }

/** Services that clients of the public API ask for and that are not here, each with what answers a similar question. */
export const notOffered = {
  traces: {
    title: 'traces, snapshots and threads of agents',
    path: /^\/v2\/agent\/(?:threads|[^/]+\/(?:trace|snapshots))(?:\/|$)/,
    instead: 'GET /v2/agent/{id} returns the answer with its sources, quotes, conflicts and pages.',
  },
  research: {
    title: 'the index of papers',
    path: /^\/v2\/search\/research(?:\/|$)/,
    instead: 'POST /v2/search with categories ["research"] finds papers, and POST /v2/scrape reads one.',
  },
  developer: {
    title: 'the index of code',
    path: /^\/v2\/search\/developer(?:\/|$)/,
    instead: 'POST /v2/search with categories ["github"] finds repositories and issues.',
  },
  catalogue: {
    title: 'the catalogue of data providers',
    path: /^\/exchange(?:\/|$)/,
    field: 'alexandria',
    instead: 'POST /v2/search finds pages on any subject, and POST /v2/extract returns data of them.',
  },
  deepResearch: {
    title: 'deep research of version 1',
    path: /^\/v1\/deep-research(?:\/|$)/,
    instead: 'POST /v2/agent searches, reads and answers a question with its sources.',
  },
  uploads: {
    title: 'addresses to upload files to',
    path: /^\/v2\/parse\/upload-url(?:\/|$)/,
    instead: 'POST /v2/parse takes the file itself, as multipart/form-data.',
  },
} as const satisfies Record<string, Service>

const services: readonly Service[] = Object.values(notOffered)
const refusalOf = (service: Service | undefined): AppError | undefined =>
  service &&
  failure('FEATURE_UNAVAILABLE', {
    // Programs for Firecrawl show the message alone.
    message: `Gossamer does not have ${service.title}. ${service.instead}`,
    hint: errors.NOT_FOUND.hint,
  })

/** The refusal of a known route that this server does not offer; undefined for an unknown route. */
export const refusalOfPath = (path: string): AppError | undefined =>
  refusalOf(services.find((service) => service.path?.test(path)))

/** The refusal of an input that asks for a service by one of its fields. */
export const refusalOfFields = (input: object): AppError | undefined =>
  refusalOf(services.find(({ field }) => field !== undefined && Object.hasOwn(input, field)))
