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

/** What a prompt means for a crawl, what each option was derived from, and what of the prompt was not understood. */
export type Derived = { options: PromptOptions; reasons: Reasons; warning?: string }

/** A reading as the caller gets it: the way to the pages is open, and what was not understood is told. */
export async function finish(url: string, { options, reasons, leftover, notes }: Reading): Promise<Derived> {
  const said = [
    ...notes,
    ...(leftover.length > 0
      ? [`Nothing was made of these words: ${leftover.join(', ')}. Set the options yourself where that matters.`]
      : []),
  ]
  return { ...(await reaching(url, { options, reasons })), ...(said.length > 0 && { warning: said.join(' ') }) }
}

/** The start page is held to the patterns too, and without it there would be no way to the pages that fit. */
async function reaching(url: string, given: Pick<Reading, 'options' | 'reasons'>): Promise<Omit<Derived, 'warning'>> {
  const { options, reasons } = given
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

/** Takes words that no rule knows for parts of the site where the site has folders of that name. Pure. */
function sharpenBySite(reading: Reading, sections: readonly Section[]): Reading {
  const { options, reasons, leftover } = reading
  // Beside a part that was understood, such a word rather says what is looked for there.
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

/** Singular and plural are one name. */
const named = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/(?<=\p{L}{3})s$/u, '')

export type DerivePorts = LookPorts & Pick<Ports, 'model'>
/** A prompt and the site it is about. `keepsNothing`: the site is looked at by the crawl alone, and shown to no model. */
export type Prompted = Place & { prompt: string; keepsNothing: boolean }

/**
 * Crawl options that a prompt in plain words stands for: as rules read it, and, where they do not understand all of it or
 * guess at parts of the site, by the site's own folders and a language model if one is set. Rejects only when the call ends.
 */
export async function derive(ports: DerivePorts, prompted: Prompted, call: MapCall): Promise<Derived> {
  const ruled = readByRules(prompted.url, prompted.prompt)
  if (isCertain(ruled)) return finish(prompted.url, ruled)
  const { keepsNothing, url } = prompted
  if (keepsNothing) return finish(url, withNote(ruled, 'With zero data retention the prompt is read by rules alone.'))
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

/** Nothing is left to understand, and paths are those that the prompt itself writes. */
const isCertain = ({ leftover, options: { includePaths = [], excludePaths = [] } }: Reading): boolean =>
  leftover.length === 0 && ![...includePaths, ...excludePaths].some(isGuess)

type Attempt = { reading: Reading; hasFailed: boolean }

/** What a model makes of it, or the reading as it was, with a note, where the model fails. */
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

/** So many pages must be known before it means anything that none of them fits. */
const enough = 10

async function withDoubt(reading: Reading, pages: readonly string[]): Promise<Reading> {
  const { includePaths } = reading.options
  if (!includePaths || pages.length < enough || pages.some(await takes({ includePaths }))) return reading
  return withNote(reading, `None of the ${pages.length} known pages of the site fits includePaths.`)
}
