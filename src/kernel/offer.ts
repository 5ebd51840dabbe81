import { didYouMean } from '../util/words.ts'
import { errors } from './error-table.ts'
import { type AppError, fail, failure } from './error.ts'
import type { AnyOperation, Offered } from './operation.ts'

/** Offer of all tools, for texts whose readers may choose the tools. */
export const allOffered: Offered = { has: () => true }

/**
 * Replaces names in braces by their values. Undefined if a name has no value, so that texts for agents name no tool
 * that is not offered.
 */
export function filledIn(text: string, words: ReadonlyMap<string, string>): string | undefined {
  const slots = text.matchAll(slot)
  return [...slots].every(([, name = '']) => words.has(name))
    ? text.replace(slot, (_, name: string) => words.get(name) ?? '')
    : undefined
}

const slot = /\{(\w+)\}/g

/** Values with which `filledIn` replaces the names of these tools. */
export const toolWords = (names: Iterable<string>): ReadonlyMap<string, string> =>
  new Map([...names].map((name) => [name, name]))

/**
 * Sentences about the next step by error code, with tools in braces. Of several sentences, the first that can be filled
 * in is used.
 */
export type NextSteps = Readonly<Record<string, readonly string[]>>

/** Removes sentences that name tools that are not offered. */
export function onlyOffered(text: string, names: readonly string[], offered: Offered): string {
  const others = names.filter((name) => !offered.has(name))
  if (others.length === 0) return text
  const named = namedIn(others)
  return text
    .split(/(?<=[.!?]) (?=[A-Z])/)
    .filter((sentence) => !named.test(sentence))
    .join(' ')
}

/** Matches names of tools. Names of one word are also English words, so they match only after a verb such as `use`. */
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
 * Returns the tools that a choice selects: names of tools and sets (such as `all`), separated by commas. Undefined for
 * an empty choice. Fails with BAD_REQUEST for an unknown name.
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
   * Lines of the prompt, with tools and arguments in braces. A line with an unknown name is left out. For a line with
   * alternatives, the first that can be filled in is used.
   */
  readonly steps: readonly (string | readonly string[])[]
}
export type PromptField = { readonly name: string; readonly description: string; readonly required?: true }

/** Operation that lists the possible values of an id argument. */
export type IdSource = {
  readonly operation: AnyOperation
  readonly input: object
  /** Newest first. */
  idsIn(output: object): readonly string[]
}

/** Name of the library function: `crawl_status` is `crawlStatus`. */
export const functionName = (operation: string) =>
  operation.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** True if the operation starts a job with pages, which separate functions of the library read. */
export const returnsPages = ({ follow }: AnyOperation): boolean => follow?.answers === 'pages'

type Service = { title: string; path?: RegExp; field?: string; instead: string }

/** Services of the public API that Gossamer does not have, each with the call to use instead. */
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
    instead: 'POST /v2/search finds pages on any subject, and POST /v2/extract returns data from them.',
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

/** Returns the error for a route of a service that Gossamer does not have; undefined for any other route. */
export const refusalOfPath = (path: string): AppError | undefined =>
  refusalOf(services.find((service) => service.path?.test(path)))

/** Returns the error for an input with a field of a service that Gossamer does not have. */
export const refusalOfFields = (input: object): AppError | undefined =>
  refusalOf(services.find(({ field }) => field !== undefined && Object.hasOwn(input, field)))
