import { instructions } from '../../model/instructions.ts'
import type { Model, ModelRequest } from '../../../contracts/model-port.ts'
import { AppError } from '../../../kernel/error.ts'
import { crawlRules, MapInput } from '../../../schema/crawl-schema.ts'
import { isRecord, parseJson, recordsIn } from '../../../util/json.ts'
import { closed, createPageModel } from '../../model/page/page-model.ts'
import type { Reading } from './by-rules.ts'
import { type PromptOptions, reason, type Reasons } from '../crawl-options.ts'
import { maxPaths } from './paths.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { sanitiseLine } from '../../../util/sanitise-text.ts'
import { mapSite } from '../map/map-site.ts'
import type { MapCall, MapPorts } from '../map/site.ts'
import { decoded } from '../scope/crawl-place.ts'
import { createPatterns, type PatternFields } from '../scope/path-patterns.ts'

export type LookPorts = MapPorts & Pick<Ports, 'account'>
/** The site of a prompt, and the request options for fetching its pages. */
export type Place = Partial<Pick<MapInput, 'headers' | 'location'>> & { url: string }

const maxPages = 1000
const maxMs = 10_000

/**
 * Returns URLs of the site from a quick map; empty if the site does not respond in time. Rejects only if the call is
 * cancelled.
 */
export async function knownPages(
  ports: LookPorts,
  { url, headers, location }: Place,
  call: MapCall,
): Promise<string[]> {
  const late = AbortSignal.any([call.signal, AbortSignal.timeout(maxMs)])
  const input = MapInput.parse({ url, headers, location, includeSubdomains: false, limit: maxPages, timeout: maxMs })
  // The crawl repeats the warnings of the map.
  const quiet: MapCall = { ...call, startedAt: ports.clock.now(), progress: () => {}, warn: () => {} }
  try {
    const leave = await ports.account.enter(call.team.id, late)
    try {
      return (await mapSite(ports, input, quiet)).map((link) => link.url)
    } finally {
      leave()
    }
  } catch (thrown) {
    if (call.signal.aborted) throw thrown
    if (thrown instanceof AppError || late.aborted) return []
    throw thrown
  }
}

/** A folder of the site as written in URLs, such as `/blog`, and the number of known pages in it. */
export type Section = { path: string; pages: number }

const maxDepth = 2
const maxSections = 80
const longestPath = 100

/** Returns the first path segments, and the second ones that several pages share, largest first. */
export function sectionsOf(urls: readonly string[]): Section[] {
  const folders = urls.flatMap((url) => {
    const segments = (URL.parse(url)?.pathname ?? '/').split('/').filter((each) => each !== '')
    return Array.from({ length: Math.min(maxDepth, segments.length) }, (_, at) => segments.slice(0, at + 1).join('/'))
  })
  return [...Map.groupBy(folders, (path) => path)]
    .map(([path, { length }]) => ({ path: `/${path}`, pages: length }))
    .filter(({ path, pages }) => path.length <= longestPath && (pages > 1 || path.lastIndexOf('/') === 0))
    .toSorted((one, other) => other.pages - one.pages)
    .slice(0, maxSections)
}

/** Formats one line per section, with readable paths. The paths are untrusted text of the site. */
const listed = (sections: readonly Section[]): string =>
  sections.map(({ path, pages }) => `${sanitiseLine(decoded(path) ?? path)} (${pages} pages)`).join('\n')

/**
 * Returns a function that tests if patterns accept a URL; `warn` is called for slow patterns. Fails with BAD_REQUEST
 * for an invalid pattern.
 */
export async function takes(
  { includePaths = [], excludePaths = [] }: { [K in keyof PatternFields]?: PatternFields[K] | undefined },
  warn: (text: string) => void = () => {},
) {
  const judge = await createPatterns({ includePaths, excludePaths, regexOnFullURL: false }, warn)
  return (address: string): boolean => {
    const url = URL.parse(address)
    return url !== null && judge(url, url.href) === undefined
  }
}

/** The team and key that a model request is made for. */
export type Asker = Pick<ModelRequest, 'teamId' | 'keyName' | 'signal'> & { model: Model; prompt: string }

/** Timeout of the model; short, because the caller waits while the prompt is read. */
const timeoutMs = 20_000
const maxOutputTokens = 1500
const task = { task: 'crawl', effort: 'best', maxOutputTokens } as const

const settable = [
  'limit',
  'maxDiscoveryDepth',
  'crawlEntireDomain',
  'allowSubdomains',
  'allowExternalLinks',
  'sitemap',
  'ignoreQueryParameters',
  'deduplicateSimilarURLs',
  'delay',
] as const satisfies readonly (keyof PromptOptions)[]

const settableList = settable.map((option) => `${option}: ${crawlRules[option].description ?? ''}`).join(' ')

const text = (description: string) => ({ type: 'string', description })
const list = (description: string, items: object) => ({ type: 'array', description, items })
const words = text('The words of the request that say so, verbatim.')

const optionsSchema = closed({
  options: list(
    'The options that the request sets; none where it says nothing of them.',
    closed({ option: { type: 'string', enum: settable }, value: text('The value, as JSON.'), words }),
  ),
  pages: list('Words of the request, verbatim, that say which pages are wanted or not.', { type: 'string' }),
  notUnderstood: list('Other words of the request, verbatim, that ask for something no option can do.', {
    type: 'string',
  }),
})

/**
 * Lets a model find options in the words of a prompt that the rules did not understand. The model sees nothing of the
 * site, so the site cannot influence how far the crawl goes. Fails as the model does.
 */
export async function sharpenOptions(reading: Reading, asker: Asker): Promise<Reading> {
  const { model, prompt, ...caller } = asker
  const input = [{ role: 'user' as const, text: `The request: ${prompt}` }]
  const question = {
    ...task,
    ...caller,
    timeoutMs,
    system: instructions.crawlOptions(settableList),
    input,
    schema: optionsSchema,
  }
  const answer = recordOf((await model.object(question)).value)
  const named = recordsIn(answer['options']).slice(0, maxNamed)
  const accepted = named.flatMap((each) => settingIn(each, prompt))
  const open = [...quotes(answer['pages'], prompt), ...quotes(answer['notUnderstood'], prompt)]
  const isOpen = (word: string) =>
    !isCovered(word, [
      ...quotes(
        accepted.map((each) => each.words),
        prompt,
      ),
      ...open,
    ])
  // Options read by rules take precedence: rules know few words, but know those well.
  return {
    ...reading,
    options: { ...Object.fromEntries(accepted.map(({ option, value }) => [option, value])), ...reading.options },
    reasons: { ...Object.fromEntries(accepted.map(({ option, why }) => [option, why])), ...reading.reasons },
    leftover: [...new Set([...open, ...reading.leftover.filter(isOpen)])],
    notes: [...reading.notes, ...(accepted.length < named.length ? [refusedNote(named.length - accepted.length)] : [])],
  }
}

const refusedNote = (count: number) =>
  `${count} of the options that the language model returned are not valid and were left out.`

/** Returns an option of the model's answer if the crawl accepts its value. */
function settingIn({ option, value, words: quote }: Record<string, unknown>, prompt: string) {
  const name = settable.find((each) => each === option)
  const read = name && crawlRules[name].safeParse(parseJson(String(value)) ?? value)
  return read?.success && read.data !== undefined
    ? [{ option: name, value: read.data, words: quote, why: reason('model', quotes([quote], prompt)) }]
    : []
}

const pattern = closed({
  pattern: text('A regular expression (RE2), searched for in the path, such as ^/blog/ or ^/en/news/2024-.'),
  words,
})
const pathsSchema = closed({
  include: list('Patterns of the paths that are wanted; none where all pages are.', pattern),
  exclude: list('Patterns of the paths that are to be left out.', pattern),
  notFound: list('Words of the request, verbatim, that name pages which the site does not seem to have.', {
    type: 'string',
  }),
})

/**
 * Lets a model choose patterns for the parts of the site that a prompt is about, from the site's own folders. The
 * site's text is fenced, and patterns that match no known page are dropped. Fails as the model does.
 */
export async function sharpenPaths(
  reading: Reading,
  { sections, pages }: { sections: readonly Section[]; pages: readonly string[] },
  { model, prompt, ...caller }: Asker,
): Promise<Reading> {
  const answer = await createPageModel(model, { ...caller, timeoutMs: () => timeoutMs }).object({
    ...task,
    system: instructions.crawlPaths,
    page: listed(sections),
    ask: `The request: ${prompt}`,
    schema: pathsSchema,
  })
  const value = recordOf(answer.value)
  const include = await provedPatterns(value['include'], pages, prompt)
  const exclude = await provedPatterns(value['exclude'], pages, prompt)
  const dropped = include.dropped + exclude.dropped
  const chosen = { includePaths: include, excludePaths: exclude }
  const fields = (['includePaths', 'excludePaths'] as const).filter((field) => chosen[field].proved.length > 0)
  const sharpened: Pick<Reading, 'options' | 'reasons'> = fields.reduce(
    ({ options, reasons }, field) => ({
      options: { ...options, [field]: joined(options[field], chosen[field].proved) },
      reasons: { ...reasons, [field]: chosen[field].why } as Reasons,
    }),
    { options: reading.options, reasons: reading.reasons },
  )
  const notes = [...reading.notes, ...(dropped > 0 ? [droppedNote(dropped)] : [])]
  if (fields.length > 0 && !(await takesAny(sharpened.options, pages)))
    return { ...reading, notes: [...notes, 'The language model chose paths that leave no page, so they are not used.'] }
  const used = [...include.quoted, ...exclude.quoted]
  const leftover = [...quotes(value['notFound'], prompt), ...reading.leftover.filter((word) => !isCovered(word, used))]
  return { ...reading, ...sharpened, leftover: [...new Set(leftover)], notes }
}

const droppedNote = (count: number) =>
  `${count} of the paths that the language model named were left out: they match no known page or are not valid patterns.`

/**
 * Keeps patterns of paths written in the prompt: they are anchored at the start, and the caller means them literally.
 */
const joined = (ruled: readonly string[] = [], chosen: readonly string[]) =>
  [...new Set([...ruled.filter((each) => !isGuess(each)), ...chosen])].slice(0, maxPaths)

/** True if a pattern comes from a word whose meaning depends on the site, not from a written path. */
export const isGuess = (made: string): boolean => !made.startsWith('^')

const takesAny = async (options: PromptOptions, pages: readonly string[]) => pages.some(await takes(options))

/** Maximum number of options or patterns read from a model's answer. */
const maxNamed = 20
const longestPattern = 200

async function provedPatterns(named: unknown, pages: readonly string[], prompt: string) {
  const all = recordsIn(named).slice(0, maxNamed)
  const isProved = await Promise.all(all.map(({ pattern: made }) => fitsAPage(String(made), pages)))
  const proved = all.filter((_, at) => isProved[at])
  const quoted = quotes(
    proved.map((each) => each['words']),
    prompt,
  )
  return {
    proved: proved.map((each) => String(each['pattern'])),
    quoted,
    why: reason('model', quoted),
    dropped: all.length - proved.length,
  }
}

/**
 * True if a pattern matches a known page. Patterns that RE2 rejects could be slow, and are not accepted from a model.
 */
async function fitsAPage(made: string, pages: readonly string[]): Promise<boolean> {
  if (made.trim() === '' || made.length > longestPattern) return false
  const slow: string[] = []
  try {
    const fits = await takes({ includePaths: [made] }, (why) => void slow.push(why))
    return slow.length === 0 && pages.some(fits) && slow.length === 0
  } catch (thrown) {
    if (thrown instanceof AppError) return false
    throw thrown
  }
}

const maxQuotes = 10
const longestQuote = 200

/** Returns the quotes that occur verbatim in the prompt: the model's own text is never shown. */
function quotes(named: unknown, prompt: string): string[] {
  const whole = spaced(prompt)
  const all = (Array.isArray(named) ? named : []).filter((each): each is string => typeof each === 'string')
  return [...new Set(all.map((each) => each.trim()))]
    .filter((each) => each !== '' && whole.includes(spaced(each)))
    .slice(0, maxQuotes)
    .map((each) => each.slice(0, longestQuote))
}

/** True if a word of the prompt is part of a quote, or contains one. */
const isCovered = (word: string, quoted: readonly string[]) =>
  quoted.some((quote) => spaced(quote).includes(spaced(word)) || spaced(word).includes(spaced(quote)))

const spaced = (phrase: string) => phrase.toLowerCase().replace(/\s+/g, ' ').trim()
const recordOf = (value: unknown) => (isRecord(value) ? value : {})
