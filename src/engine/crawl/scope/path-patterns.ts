import { createContext, Script } from 'node:vm'
import type { RE2JS } from 're2js'
import { fail } from '../../../kernel/error.ts'
import { decoded } from './crawl-place.ts'

export type PatternFields = { includePaths: readonly string[]; excludePaths: readonly string[] }
export type PatternRules = PatternFields & { regexOnFullURL: boolean }

type Where = { field: keyof PatternFields; index: number; pattern: string }
type Compiled = { kind: 'linear' | 'large' | 'backtracking'; compile: () => Expression }
type Fault = { message: string; at: number }
type Outcome = Compiled | ({ kind: 'fault' } & Fault)
type Re2 = typeof RE2JS

/** Program size from which linear matching is too slow: its time is the text length times this size. */
const maxProgram = 1_000

/**
 * Creates a function that judges URLs by the patterns of a crawl. Patterns are searched for in the path (or the whole
 * URL), both as written and percent-decoded. RE2 runs them if it can, in time linear in the text; patterns with
 * look-ahead or back-references run as JavaScript with a time limit.
 */
export async function createPatterns(
  rules: PatternRules,
  warn: (text: string) => void,
): Promise<(url: URL, visited: string) => PatternMatch['reason'] | undefined> {
  const matchOf = await createPatternMatches(rules, warn)
  return (url, visited) => matchOf(url, visited)?.reason
}

/** The pattern that rejects a URL; `notIncluded` if no entry of `includePaths` matches. */
export type PatternMatch = { reason: 'excluded'; index: number } | { reason: 'notIncluded' }

/** Same as `createPatterns`, but also returns the deciding pattern. */
export async function createPatternMatches(
  rules: PatternRules,
  warn: (text: string) => void,
): Promise<(url: URL, visited: string) => PatternMatch | undefined> {
  const excluded = await testsOf('excludePaths', rules.excludePaths, warn)
  const included = await testsOf('includePaths', rules.includePaths, warn)
  if (excluded.length === 0 && included.length === 0) return () => undefined
  return (url, visited) => {
    const holds = ({ test, isForUrl }: PatternTest) => {
      const written = isForUrl || rules.regexOnFullURL ? visited : url.pathname
      const read = decoded(written)
      return test(written) || (read !== undefined && test(read))
    }
    const index = excluded.findIndex(holds)
    if (index !== -1) return { reason: 'excluded', index }
    return included.length > 0 && !included.some(holds) ? { reason: 'notIncluded' } : undefined
  }
}

export type PatternReading = Where & {
  /** The engine: RE2, or JavaScript with a time limit for patterns that use features RE2 lacks. */
  by: 'RE2' | 'JavaScript'
}

/** Returns the engine that runs each pattern. Fails as `checkPatterns` does. */
export async function readPatterns(fields: PatternFields): Promise<PatternReading[]> {
  const compiled = await Promise.all(
    (['includePaths', 'excludePaths'] as const).map((field) => compileAll(field, fields[field])),
  )
  return compiled.flat().map(({ compiled: { kind }, ...where }) => ({
    ...where,
    by: kind === 'backtracking' ? 'JavaScript' : 'RE2',
  }))
}

/**
 * Fails with BAD_REQUEST if a pattern is valid neither in RE2 nor in JavaScript. The error names the pattern, its field
 * and the position.
 */
export async function checkPatterns(fields: {
  [K in keyof PatternFields]?: PatternFields[K] | undefined
}): Promise<void> {
  for (const field of ['includePaths', 'excludePaths'] as const) await compileAll(field, fields[field] ?? [])
}

/** `isForUrl`: the pattern begins with a scheme, which no path does, so the whole URL is meant. */
type PatternTest = { test: (text: string) => boolean; isForUrl: boolean }
const beginsWithScheme = /^\^?https?\\?:/i

async function testsOf(
  field: keyof PatternFields,
  patterns: readonly string[],
  warn: (text: string) => void,
): Promise<PatternTest[]> {
  const testOf = ({ compiled: { kind, compile: make }, ...where }: Awaited<ReturnType<typeof compileAll>>[number]) => {
    if (kind === 'linear') {
      const expression = make()
      return (text: string) => expression.test(text)
    }
    if (kind === 'backtracking')
      warn(`The pattern ${named(where)} uses features RE2 lacks; it runs under a time limit.`)
    return limitedTest(make, () =>
      warn(`The pattern ${named(where)} takes too long; from now on it counts as not matching.`),
    )
  }
  const compiled = await compileAll(field, patterns)
  return compiled.map((each) => ({ test: testOf(each), isForUrl: beginsWithScheme.test(each.pattern) }))
}

async function compileAll(field: keyof PatternFields, patterns: readonly string[]) {
  if (patterns.length === 0) return []
  const re2 = (await import('re2js')).RE2JS
  return patterns.map((pattern, index) => {
    const compiled = compileOne(re2, pattern)
    return compiled.kind === 'fault' ? refuse({ field, index, pattern }, compiled) : { field, index, pattern, compiled }
  })
}

function refuse(where: Where, { message, at }: Fault): never {
  const text = `The pattern ${named(where)} is not a valid regular expression: ${message}, at character ${at + 1}.`
  return fail('BAD_REQUEST', {
    message: text,
    details: [{ path: [where.field, where.index], message: text, code: 'invalid_pattern' }],
  })
}

function compileOne(re2: Re2, pattern: string): Outcome {
  try {
    const translated = re2.translateRegExp(pattern)
    const compile = () => re2.compile(translated, re2.LOOKBEHINDS)
    return { kind: compile().programSize() > maxProgram ? 'large' : 'linear', compile }
  } catch {
    return compileAsJavaScript(re2, pattern)
  }
}

function compileAsJavaScript(re2: Re2, pattern: string): Outcome {
  // Without Unicode mode `\p{…}` matches the letter p; with it, needless escapes are errors.
  const attempts = ['u', ''].map((flags) => attempt(() => new RegExp(pattern, flags)))
  const regExp = attempts.find((each) => each instanceof RegExp)
  if (regExp) return { kind: 'backtracking', compile: () => regExp }
  const message = String(attempts.at(-1)).split(': ').at(-1) ?? ''
  return { kind: 'fault', message, at: placeOfFault(pattern, (text) => void re2.compile(text)) }
}

function attempt(compile: () => RegExp): unknown {
  try {
    return compile()
  } catch (cause) {
    return cause
  }
}

/** Quotes a pattern in a message, shortened to 100 characters. */
function named({ field, index, pattern }: Where): string {
  return `"${pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern}" in ${field}[${index}]`
}

const limitMs = 50
const maxTimeouts = 3
/**
 * Maximum number of remembered results. Pages share most of their links, and a run with a time limit costs a hundred
 * times an ordinary one.
 */
const maxRemembered = 2_000

/** True for a timeout. The error comes from the script's own realm, whose `Error` differs from ours. */
const isExpired = (cause: unknown) => (cause as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

type Expression = { test(text: string): boolean }

/**
 * Returns a function that tests texts with an expression that may never finish. A text that takes longer than 50 ms
 * twice in a row does not match; after three such texts none does, and `giveUp` is called once.
 */
export function limitedTest(compile: () => Expression, giveUp: () => void): (text: string) => boolean {
  const script = new Script('expression.test(text)')
  const globals = { expression: compile(), text: '' }
  const context = createContext(globals)
  const known = new Map<string, boolean>()
  let timeouts = 0
  const run = (text: string): boolean | undefined => {
    globals.text = text
    try {
      return script.runInContext(context, { timeout: limitMs }) === true
    } catch (cause) {
      // Other errors depend on the expression and the text (such as stack size), and would recur.
      if (!isExpired(cause)) return false
      // The expression was interrupted, perhaps in the middle of changing its state.
      globals.expression = compile()
      return undefined
    }
  }
  return (text) => {
    if (timeouts >= maxTimeouts) return false
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    // The limit is wall-clock time: a busy machine can exceed it, but hardly twice in a row.
    const result = run(text) ?? run(text)
    if (result === undefined) {
      timeouts += 1
      if (timeouts === maxTimeouts) giveUp()
    }
    if (known.size >= maxRemembered) known.clear()
    known.set(text, result ?? false)
    return result ?? false
  }
}

/** Limit of tried positions, each of which costs a compilation; beyond it the position is a guess. */
const maxTries = 50

/**
 * Returns the index of the error in an expression. RE2 returns the faulty text, not its position, so the first position
 * at which the expression so far has the same error is used.
 */
function placeOfFault(pattern: string, compile: (text: string) => void): number {
  const { error, input } = compileErrorOf(pattern, compile) ?? {}
  if (error === undefined || !input) return Math.max(0, pattern.length - 1)
  // If a group is not closed, RE2 returns the whole expression. The error is at the last opening parenthesis outside
  // all closed groups.
  if (error.startsWith('missing closing )'))
    return placesOf(pattern, '(').findLast((at) => !compileErrorOf(pattern.slice(0, at), compile)) ?? 0
  const text = error.startsWith('unexpected )') ? ')' : input
  const places = placesOf(pattern, text)
  const isHere = (at: number) => compileErrorOf(pattern.slice(0, at + text.length), compile)?.error === error
  return places.find(isHere) ?? places[0] ?? 0
}

function compileErrorOf(
  pattern: string,
  compile: (text: string) => void,
): { error: string; input: string } | undefined {
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
