import type { Ports } from '../../../contracts/ports.ts'
import { AppError } from '../../../kernel/error.ts'
import type { MapCall } from '../map/site.ts'
import {
  type Asker,
  isGuess,
  sharpenOptions,
  sharpenPaths,
  knownPages,
  type LookPorts,
  type Place,
  sectionsOf,
  takes,
  type Section,
} from './options-by-model.ts'
import { type Reading, readByRules } from './by-rules.ts'
import { decoded } from '../scope/crawl-place.ts'
import { reason, type PromptOptions, type Reasons } from '../crawl-options.ts'
import { escaped, maxPaths } from './paths.ts'

/** Options derived from a prompt, the reason for each, and a warning about the parts that were not understood. */
export type Derived = { options: PromptOptions; reasons: Reasons; warning?: string }

/**
 * Completes a reading for the caller: adds the patterns needed to reach the pages, and reports what was not understood.
 */
export async function finish(url: string, { options, reasons, leftover, notes }: Reading): Promise<Derived> {
  const warnings = [
    ...notes,
    ...(leftover.length > 0
      ? [`These words were not understood: ${leftover.join(', ')}. Set the options yourself if they matter.`]
      : []),
  ]
  return {
    ...(await withStartPage(url, { options, reasons })),
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
  }
}

/**
 * Adds the start page to `includePaths`: patterns apply to it too, and without it the crawl could not reach the
 * matching pages.
 */
async function withStartPage(
  url: string,
  { options, reasons }: Pick<Reading, 'options' | 'reasons'>,
): Promise<Omit<Derived, 'warning'>> {
  const { includePaths } = options
  const start = URL.parse(url)
  if (!includePaths || !start || (await takes({ includePaths }))(start.href)) return { options, reasons }
  const folder = start.pathname.replace(/\/+$/, '')
  const isBelow = folder === '' || includePaths.every((pattern) => pattern.startsWith(`^${escaped(folder)}/`))
  return {
    options: {
      ...options,
      includePaths: [`^${escaped(folder)}/?$`, ...includePaths],
      ...(!isBelow && { crawlEntireDomain: true }),
    },
    reasons: { ...reasons, ...(!isBelow && reasons.includePaths && { crawlEntireDomain: reasons.includePaths }) },
  }
}

/** Reads words that no rule knows as parts of the site if the site has folders of that name. Pure. */
function sharpenBySite(reading: Reading, sections: readonly Section[]): Reading {
  const { options, reasons, leftover } = reading
  // If part of the site was already recognized, an unknown word more likely describes content there.
  if (options.includePaths || options.crawlEntireDomain) return reading
  const wanted = new Map(leftover.map((word) => [named(word), word]))
  const found = sections.flatMap(({ path }) => {
    const word = wanted.get(named((decoded(path) ?? path).slice(1)))
    return word !== undefined && isFirst(path) ? [{ path, word }] : []
  })
  if (found.length === 0) return reading
  const used = new Set(found.map(({ word }) => word))
  const includePaths = found.map(({ path }) => `^${escaped(path)}(?:/|$)`)
  return {
    ...reading,
    options: { ...options, includePaths: [...new Set(includePaths)].slice(0, maxPaths) },
    reasons: { ...reasons, includePaths: reason('site', [...used]) },
    leftover: leftover.filter((word) => !used.has(word)),
  }
}

const isFirst = (path: string) => path.lastIndexOf('/') === 0

/** Normalizes a name, so singular and plural are equal. */
const named = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/(?<=\p{L}{3})s$/u, '')

export type DerivePorts = LookPorts & Pick<Ports, 'model'>
/** A prompt and its site. `isZeroRetention`: only the crawl itself may fetch the site, and no model may see it. */
export type Prompted = Place & { prompt: string; isZeroRetention: boolean }

/**
 * Derives crawl options from a prompt in plain English. Rules read it first. If they do not understand all of it, or
 * guess at parts of the site, the site's folders and a language model (if one is set) are used too. Rejects only if the
 * call is cancelled.
 */
export async function derive(ports: DerivePorts, prompted: Prompted, call: MapCall): Promise<Derived> {
  const ruled = readByRules(prompted.url, prompted.prompt)
  if (isCertain(ruled)) return finish(prompted.url, ruled)
  const { isZeroRetention, url } = prompted
  if (isZeroRetention)
    return finish(url, withNote(ruled, 'With zero data retention the prompt is read by rules alone.'))
  const asker = ports.model.isSet() ? askerOf(ports, prompted, call) : undefined
  const options: Attempt =
    asker && ruled.leftover.length > 0
      ? await unlessItFails(ruled, () => sharpenOptions(ruled, asker))
      : { reading: ruled, hasFailed: false }
  if (isCertain(options.reading)) return finish(url, options.reading)
  const pages = await knownPages(ports, prompted, call)
  const sections = sectionsOf(pages)
  const mayAsk = asker && !options.hasFailed && sections.length > 0
  const { reading } = mayAsk
    ? await unlessItFails(options.reading, () => sharpenPaths(options.reading, { sections, pages }, asker))
    : options
  return finish(url, await withDoubt(sharpenBySite(reading, sections), pages))
}

const askerOf = ({ model }: DerivePorts, { prompt }: Prompted, { team, signal }: MapCall): Asker => ({
  model,
  prompt,
  teamId: team.id,
  keyName: team.key,
  signal,
})

/** True if no words are left and all paths are written in the prompt itself. */
const isCertain = ({ leftover, options: { includePaths = [], excludePaths = [] } }: Reading): boolean =>
  leftover.length === 0 && ![...includePaths, ...excludePaths].some(isGuess)

type Attempt = { reading: Reading; hasFailed: boolean }

/** Returns the model's reading, or the previous reading with a note if the model fails. */
async function unlessItFails(reading: Reading, ask: () => Promise<Reading>): Promise<Attempt> {
  try {
    return { reading: await ask(), hasFailed: false }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !thrown.code.startsWith('MODEL_')) throw thrown
    const note = `The language model could not answer (${thrown.code}), so the prompt is read by rules.`
    return { reading: withNote(reading, note), hasFailed: true }
  }
}

const withNote = (reading: Reading, note: string): Reading => ({ ...reading, notes: [...reading.notes, note] })

/** With at least this many known pages, patterns that match none of them are worth a warning. */
const enough = 10

async function withDoubt(reading: Reading, pages: readonly string[]): Promise<Reading> {
  const { includePaths } = reading.options
  if (!includePaths || pages.length < enough || pages.some(await takes({ includePaths }))) return reading
  return withNote(reading, `None of the ${pages.length} known pages of the site matches includePaths.`)
}
