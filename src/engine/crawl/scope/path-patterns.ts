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

/** Size of a program from which on linear is not soon: its time is that of the text, times this. */
const maxProgram = 1_000

/**
 * Judges addresses by the patterns of a crawl, which are searched for in the path (or in the whole address), as it is
 * written and as people read it. RE2 takes them where it can, in time linear in the text; those with look-ahead or
 * back-references run as JavaScript under a limit of time.
 */
export async function createPatterns(
  rules: PatternRules,
  warn: (text: string) => void,
): Promise<(url: URL, visited: string) => PatternMatch['reason'] | undefined> {
  const matchOf = await createPatternMatches(rules, warn)
  return (url, visited) => matchOf(url, visited)?.reason
}

/** Which pattern keeps an address out; where none of `includePaths` fits, it is all of them. */
export type PatternMatch = { reason: 'excluded'; index: number } | { reason: 'notIncluded' }

/** The same, with the pattern that decides. */
export async function createPatternMatches(
  rules: PatternRules,
  warn: (text: string) => void,
): Promise<(url: URL, visited: string) => PatternMatch | undefined> {
  const excluded = await testsOf('excludePaths', rules.excludePaths, warn)
  const included = await testsOf('includePaths', rules.includePaths, warn)
  if (excluded.length === 0 && included.length === 0) return () => undefined
  return (url, visited) => {
    const written = rules.regexOnFullURL ? visited : url.pathname
    const read = decoded(written)
    const holds = (test: (text: string) => boolean) => test(written) || (read !== undefined && test(read))
    const index = excluded.findIndex(holds)
    if (index !== -1) return { reason: 'excluded', index }
    return included.length > 0 && !included.some(holds) ? { reason: 'notIncluded' } : undefined
  }
}

export type PatternReading = Where & {
  /** By RE2, or as JavaScript under a limit of time: it uses what RE2 lacks. */
  by: 'RE2' | 'JavaScript'
}

/** How each pattern is understood. Fails as `checkPatterns` does. */
export async function readPatterns(fields: PatternFields): Promise<PatternReading[]> {
  const compiled = await Promise.all(
    (['includePaths', 'excludePaths'] as const).map((field) => compileAll(field, fields[field])),
  )
  return compiled.flat().map(({ compiled: { kind }, ...where }) => ({
    ...where,
    by: kind === 'backtracking' ? 'JavaScript' : 'RE2',
  }))
}

/** Fails with BAD_REQUEST where a pattern is valid neither for RE2 nor in JavaScript: which one, in which field, and where in it. */
export async function checkPatterns(fields: {
  [K in keyof PatternFields]?: PatternFields[K] | undefined
}): Promise<void> {
  for (const field of ['includePaths', 'excludePaths'] as const) await compileAll(field, fields[field] ?? [])
}

async function testsOf(field: keyof PatternFields, patterns: readonly string[], warn: (text: string) => void) {
  return (await compileAll(field, patterns)).map(({ compiled: { kind, compile: make }, ...where }) => {
    if (kind === 'linear') {
      const expression = make()
      return (text: string) => expression.test(text)
    }
    if (kind === 'backtracking')
      warn(`The pattern ${named(where)} uses features RE2 lacks; it runs under a time limit.`)
    return limitedTest(make, () =>
      warn(`The pattern ${named(where)} takes too long; from now on it counts as not matching.`),
    )
  })
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
  // Without Unicode mode `\p{…}` is taken for the letter p; with it, needless escapes are faults.
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

/** A pattern may be as long as a book; a message may not. */
function named({ field, index, pattern }: Where): string {
  return `"${pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern}" in ${field}[${index}]`
}

const limitMs = 50
const maxTimeouts = 3
/** The same links stand on page after page, and a run under a limit costs a hundred times an ordinary one. */
const maxRemembered = 2_000

/** The error comes from the realm of the script, where `Error` is another one. */
const isExpired = (cause: unknown) => (cause as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

type Expression = { test(text: string): boolean }

/**
 * A test of texts with an expression that may take for ever. A text that takes longer than 50 ms does not match; after
 * three such texts none does, and `giveUp` is called, once.
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
      // Other errors are of the expression and the text (its stack, its size), and come again.
      if (!isExpired(cause)) return false
      // It was stopped anywhere, perhaps half through a change of what it remembers.
      globals.expression = compile()
      return undefined
    }
  }
  return (text) => {
    if (timeouts >= maxTimeouts) return false
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    // The limit is one of real time: a busy machine can use it up, hardly twice in a row.
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

/** Beyond it the place is a guess: finding it costs a compilation each. */
const maxTries = 50

/**
 * Where the fault of an expression is, by index. RE2 names the text at fault, not where it stands, so the first place
 * counts where the expression up to there has the same fault.
 */
function placeOfFault(pattern: string, compile: (text: string) => void): number {
  const { error, input } = compileErrorOf(pattern, compile) ?? {}
  if (error === undefined || !input) return Math.max(0, pattern.length - 1)
  // RE2 gives the whole expression for a group without end: the last one that opens where all is closed is meant.
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
