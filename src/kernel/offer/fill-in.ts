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
