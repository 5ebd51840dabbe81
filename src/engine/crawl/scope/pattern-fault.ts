/** Beyond it the place is a guess: finding it costs a compilation each. */
const maxTries = 50

/**
 * Where the fault of an expression is, by index. RE2 names the text at fault, not where it stands, so the first place
 * counts where the expression up to there has the same fault.
 */
export function placeOfFault(pattern: string, compile: (text: string) => void): number {
  const { error, input } = faultOf(pattern, compile) ?? {}
  if (error === undefined || !input) return Math.max(0, pattern.length - 1)
  // RE2 gives the whole expression for a group without end: the last one that opens where all is closed is meant.
  if (error.startsWith('missing closing )'))
    return placesOf(pattern, '(').findLast((at) => !faultOf(pattern.slice(0, at), compile)) ?? 0
  const text = error.startsWith('unexpected )') ? ')' : input
  const places = placesOf(pattern, text)
  const isHere = (at: number) => faultOf(pattern.slice(0, at + text.length), compile)?.error === error
  return places.find(isHere) ?? places[0] ?? 0
}

function faultOf(pattern: string, compile: (text: string) => void): { error: string; input: string } | undefined {
  try {
    compile(pattern)
    return undefined
  } catch (cause) {
    const { error, input } = cause as { error?: unknown; input?: unknown }
    return { error: String(error), input: typeof input === 'string' ? input : '' }
  }
}

function placesOf(pattern: string, text: string): number[] {
  const places: number[] = []
  for (let at = pattern.indexOf(text); at !== -1 && places.length < maxTries; at = pattern.indexOf(text, at + 1))
    places.push(at)
  return places
}
