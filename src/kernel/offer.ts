import { didYouMean } from '../util/words.ts'
import { fail } from './error.ts'
import type { AnyOperation, Offered } from './operation.ts'

/** For readers who choose among all of them. */
export const allOffered: Offered = { has: () => true }

/**
 * A text with the names in braces replaced by what they stand for; undefined where one of them stands for nothing. So texts for
 * agents name only tools that are offered.
 */
export function filledIn(text: string, words: ReadonlyMap<string, string>): string | undefined {
  const slots = text.matchAll(slot)
  return [...slots].every(([, name = '']) => words.has(name))
    ? text.replace(slot, (_, name: string) => words.get(name) ?? '')
    : undefined
}

const slot = /\{(\w+)\}/g

/** Tools, to be filled in by their names. */
export const toolWords = (names: Iterable<string>): ReadonlyMap<string, string> =>
  new Map([...names].map((name) => [name, name]))

/** By the code of an error: ways to say what to do next, with tools in braces. The first that can be said is. */
export type NextSteps = Readonly<Record<string, readonly string[]>>

/** The sentences of our own words that name no tool but those that are offered. */
export function onlyOffered(text: string, names: readonly string[], offered: Offered): string {
  const others = names.filter((name) => !offered.has(name))
  if (others.length === 0) return text
  const named = namedIn(others)
  return text
    .split(/(?<=[.!?]) (?=[A-Z])/)
    .filter((sentence) => !named.test(sentence))
    .join(' ')
}

/** Names of one word are words of English, too, unless something is to be done with them. */
function namedIn(names: readonly string[]): RegExp {
  const compound = names.filter((name) => name.includes('_'))
  const plain = names.filter((name) => !name.includes('_'))
  const forms = [
    ...(compound.length > 0 ? [`(?:${compound.join('|')})`] : []),
    ...(plain.length > 0 ? [`(?:[Ww]ith|[Uu]se|[Cc]all) (?:${plain.join('|')})`] : []),
  ]
  return new RegExp(`\\b(?:${forms.join('|')})\\b`)
}

/** The first way to say it that names only tools that are offered. */
export function firstSayable(ways: readonly string[], names: readonly string[], offered: Offered): string | undefined {
  const words = toolWords(names.filter((name) => offered.has(name)))
  for (const way of ways) {
    const said = filledIn(way, words)
    if (said !== undefined) return said
  }
  return undefined
}

/** Names of tools that are chosen together, by one word. */
export type ToolSets = Readonly<Record<string, readonly string[]>>

const maxNameLength = 60

/**
 * The tools, of those that are offered, that a choice stands for: names, sets and `all`, separated by commas. Undefined where
 * nothing is chosen. Fails with BAD_REQUEST for a name that is neither.
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
  const all: ToolSets = { ...sets, all: offered }
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
  /** Without these tools it is not offered. */
  readonly needs: readonly string[]
  /**
   * A line each, with tools and arguments in braces; one that names what is not there is left out. Of several ways to say a line the
   * first is taken that can be said.
   */
  readonly steps: readonly (string | readonly string[])[]
}
export type PromptField = { readonly name: string; readonly description: string; readonly required?: true }

/** Where the ids come from that an argument of this name can have. */
export type IdSource = {
  readonly operation: AnyOperation
  readonly input: object
  /** Newest first. */
  idsIn(output: object): readonly string[]
}

/** What a function of the library is called: `crawl_status` is `crawlStatus`. */
export const functionName = (operation: string) =>
  operation.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Whether it begins a job that brings pages, which are read by functions of their own. */
export const bringsPages = ({ follow }: AnyOperation): boolean => follow?.answers === 'pages'
