import { didYouMean } from '../../util/closest.ts'
import { fail } from '../error.ts'

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
