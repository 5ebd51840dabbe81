import { AppError } from '../../../../kernel/error.ts'
import { checkPatterns, createPatterns, type PatternFields } from '../../../crawl/scope/path-patterns.ts'
import type { Diagnosis, JobCase, JobRule, Validation } from '../case.ts'

type Field = keyof PatternFields
type Patterns = PatternFields & { regexOnFullURL: boolean; url: string }

/** Rules about includePaths and excludePaths. Their advice is checked against the start URL. */
export const patternRules: readonly JobRule[] = [
  {
    id: 'bad-pattern',
    asks: /regex|pattern|includepaths|excludepaths|regular expression|invalid|400/i,
    finds: async (job) => (job.code === 'BAD_REQUEST' ? badPattern(patternsOf(job)) : undefined),
  },
  {
    id: 'start-not-included',
    asks: /includepaths|excludepaths|pattern|filter|few|no pages?|0 pages?|nothing|empty|only/i,
    finds: async (job) => ((job.crawl?.counts.done ?? 2) <= 1 ? startLeftOut(patternsOf(job)) : undefined),
  },
]

function patternsOf({ request, crawl, url }: JobCase): Patterns | undefined {
  const given = crawl?.options ?? request
  const start = crawl?.options?.url ?? url
  if (!given || start === null || start === undefined) return undefined
  const list = (field: Field) => {
    const value = (given as Partial<Record<Field, unknown>>)[field]
    return Array.isArray(value) ? value.map(String) : []
  }
  const regexOnFullURL = (given as { regexOnFullURL?: unknown }).regexOnFullURL === true
  return { includePaths: list('includePaths'), excludePaths: list('excludePaths'), regexOnFullURL, url: start }
}

async function badPattern(patterns: Patterns | undefined): Promise<Diagnosis | undefined> {
  const fault = patterns && (await faultOf(patterns))
  if (!patterns || fault === undefined) return undefined
  const fields = (['includePaths', 'excludePaths'] as const).filter((field) => patterns[field].length > 0)
  const mended = await Promise.all(
    fields.map(async (field) => [field, await Promise.all(patterns[field].map(mend))] as const),
  )
  const parameters: Partial<PatternFields> = Object.fromEntries(mended)
  return {
    says: `${fault} Patterns are regular expressions, not globs, so * must follow something, and brackets must be closed or escaped. Use the patterns in fixParameters.`,
    parameters,
    trial: { kind: 'check', run: () => provesValid(parameters) },
  }
}

async function faultOf(fields: Parameters<typeof checkPatterns>[0]): Promise<string | undefined> {
  try {
    await checkPatterns(fields)
    return undefined
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.message
    throw thrown
  }
}

const escaped = (text: string) => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')

/** Repairs an invalid pattern, which was probably meant as a glob or as literal text. */
async function mend(pattern: string): Promise<string> {
  if ((await faultOf({ includePaths: [pattern] })) === undefined) return pattern
  return pattern
    .split('*')
    .filter((part, at, all) => part !== '' || at === 0 || at === all.length - 1)
    .map(escaped)
    .join('.*')
}

async function provesValid(parameters: Partial<PatternFields>): Promise<Validation> {
  const fault = await faultOf(parameters)
  return fault === undefined
    ? { tested: true, result: 'success', evidence: 'Compiled the new patterns: all are valid.' }
    : { tested: true, result: 'failure', evidence: fault }
}

async function startLeftOut(patterns: Patterns | undefined): Promise<Diagnosis | undefined> {
  const reason = patterns && (await verdictOf(patterns))
  if (!patterns || reason === undefined) return undefined
  const whole = { ...patterns, regexOnFullURL: true }
  if (!patterns.regexOnFullURL && (await verdictOf(whole)) === undefined) return matchFullUrl(patterns, whole)
  const { pathname, href } = new URL(patterns.url)
  const own = `^${escaped(patterns.regexOnFullURL ? href : pathname)}$`
  const parameters =
    reason === 'notIncluded'
      ? { includePaths: [...patterns.includePaths, own] }
      : { excludePaths: await harmlessOf(patterns) }
  const field = reason === 'notIncluded' ? 'matches no pattern of includePaths' : 'matches a pattern of excludePaths'
  return {
    says: `The start URL ${patterns.url} ${field}, so the crawl dropped it and found no links to follow. Let the patterns match the start URL as well.`,
    parameters,
    trial: { kind: 'check', run: () => includesStart({ ...patterns, ...parameters }) },
  }
}

/**
 * Creates a diagnosis for patterns that match the start page only by its whole URL: they were probably meant for whole
 * URLs.
 */
const matchFullUrl = ({ url }: Patterns, whole: Patterns): Diagnosis => ({
  says: `The start URL ${url} is left out, because the patterns of ${whole.includePaths.length > 0 ? 'includePaths' : 'excludePaths'} are matched with its path alone; with the whole URL they would include it. Set regexOnFullURL to true, or leave the host out of the patterns.`,
  parameters: { regexOnFullURL: true },
  trial: { kind: 'check', run: () => includesStart(whole) },
})

async function includesStart(patterns: Patterns): Promise<Validation> {
  const still = await verdictOf(patterns)
  return still === undefined
    ? {
        tested: true,
        result: 'success',
        evidence: 'Matched the new patterns with the start URL: it is a page of the crawl.',
      }
    : { tested: true, result: 'failure', evidence: `With the new patterns the start URL is still ${still}.` }
}

async function verdictOf({ url, ...rules }: Patterns): Promise<'excluded' | 'notIncluded' | undefined> {
  const parsed = URL.parse(url)
  if (!parsed || (await faultOf(rules)) !== undefined) return undefined
  return (await createPatterns(rules, () => {}))(parsed, parsed.href)
}

/** Returns the patterns that do not match the start URL. */
async function harmlessOf(patterns: Patterns): Promise<string[]> {
  const alone = await Promise.all(
    patterns.excludePaths.map(async (pattern) => ({
      pattern,
      verdict: await verdictOf({ ...patterns, includePaths: [], excludePaths: [pattern] }),
    })),
  )
  return alone.flatMap(({ pattern, verdict }) => (verdict === undefined ? [pattern] : []))
}
