import { filledIn, toolWords } from './fill-in.ts'
import type { Offered } from './offered.ts'

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
