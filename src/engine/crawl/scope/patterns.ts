import type { RE2JS } from 're2js'
import { fail } from '../../../core/error.ts'
import { decoded } from './encoding.ts'
import { limitedTest, type Expression } from './limited-test.ts'
import { placeOfFault } from './pattern-fault.ts'

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
): Promise<(url: URL, visited: string) => 'excluded' | 'notIncluded' | undefined> {
  const excluded = await testsOf('excludePaths', rules.excludePaths, warn)
  const included = await testsOf('includePaths', rules.includePaths, warn)
  if (excluded.length === 0 && included.length === 0) return () => undefined
  return (url, visited) => {
    const written = rules.regexOnFullURL ? visited : url.pathname
    const read = decoded(written)
    const holds = (test: (text: string) => boolean) => test(written) || (read !== undefined && test(read))
    if (excluded.some(holds)) return 'excluded'
    return included.length > 0 && !included.some(holds) ? 'notIncluded' : undefined
  }
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
    if (kind === 'backtracking') warn(`The pattern ${named(where)} uses what RE2 lacks; it runs under a time limit.`)
    return limitedTest(make, () =>
      warn(`The pattern ${named(where)} takes too long; from here on it counts as not matching.`),
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
