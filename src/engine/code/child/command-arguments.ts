/** An invalid command; the message is for the author of the code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export type Arguments = { words: readonly string[]; options: ReadonlyMap<string, string> }

/** Options with a value; all others are flags. */
const withValue = new Set(
  'depth selector text url load fn timeout name quality session viewport-width viewport-height domain path'.split(' '),
)
const longNames: Readonly<Record<string, string>> = {
  i: 'interactive',
  c: 'compact',
  d: 'depth',
  s: 'selector',
  n: 'name',
  f: 'full',
}

export function parseArguments(given: readonly string[]): Arguments {
  const words: string[] = []
  const options = new Map<string, string>()
  let isPlain = false
  for (let at = 0; at < given.length; at++) {
    const word = given[at]!
    const [, written, value] = (isPlain ? undefined : /^--?([a-z][\w-]*)(?:=([\s\S]*))?$/.exec(word)) ?? []
    if (!isPlain && word === '--') isPlain = true
    else if (written === undefined) words.push(word)
    else {
      const name = longNames[written] ?? written
      const takesNext = value === undefined && withValue.has(name)
      options.set(name, value ?? (takesNext ? (given[++at] ?? '') : ''))
    }
  }
  return { words, options }
}
