import { jsonrepair } from 'jsonrepair'
import { parseJson } from '../../../util/json.ts'

/** Prose may be full of brackets; where none of the first begins JSON, none does. */
const maxStarts = 20
const maxRepairs = 3

/**
 * What JSON a text may hold, the likeliest first: the text itself, fenced blocks, what stands between brackets; then what
 * repair makes of the same, such as of an answer that was cut; last, brackets within what cannot be read. Objects and lists only.
 */
export function* candidates(text: string): Generator<object> {
  const fences = fenced(text)
  const { outer, inner } = bracketed(text)
  yield* each([text, ...fences, ...outer], parsed)
  yield* each([...fences, ...outer].filter((place) => !parsed(place)).slice(0, maxRepairs), repaired)
  yield* each(inner, parsed)
}

function* each(places: readonly string[], read: (place: string) => object | undefined): Generator<object> {
  for (const place of places) {
    const value = read(place)
    if (value) yield value
  }
}

/** The last fence may never close. */
const fenced = (text: string): string[] =>
  [...text.matchAll(/```[a-z0-9]*\s*([\s\S]*?)(?:```|$)/gi)].flatMap(([, inside]) => inside?.trim() || [])

/** What never closes is taken to the end, and others may begin in it. What lies in JSON that can be read is part of it. */
function bracketed(text: string): { outer: string[]; inner: string[] } {
  const outer: string[] = []
  const inner: string[] = []
  let passed = 0
  for (const { index } of [...text.matchAll(/[{[]/g)].slice(0, maxStarts)) {
    const end = endOfValue(text, index)
    const place = text.slice(index, end)
    if (index >= passed) outer.push(place)
    else if (!parsed(outer.at(-1) ?? '')) inner.push(place)
    passed = Math.max(passed, end ?? 0)
  }
  return { outer, inner }
}

/** Where the value closes that begins at a bracket. */
function endOfValue(text: string, start: number): number | undefined {
  const token = /"(?:[^"\\]|\\[\s\S])*"|[{}[\]]/g
  token.lastIndex = start
  let depth = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '{' || found[0] === '[') depth += 1
    else if (found[0] === '}' || found[0] === ']') depth -= 1
    if (depth === 0) return token.lastIndex
  }
  return undefined
}

const objectOnly = (value: unknown): object | undefined =>
  typeof value === 'object' && value !== null ? value : undefined

const parsed = (text: string): object | undefined => objectOnly(parseJson(text))

function repaired(text: string): object | undefined {
  try {
    return parsed(jsonrepair(text))
  } catch {
    return undefined
  }
}
