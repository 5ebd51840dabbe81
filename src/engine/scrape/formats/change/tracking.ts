import type { Snapshot } from '../../../../contracts/crawl.ts'
import type { FieldsOf, FormatOf, MakerOf, Observation, PageHistory } from '../maker.ts'

type Options = FormatOf<'changeTracking'>
type Differences = { diff?: unknown; warning?: string }

/** Two texts that are longer together would hold up other calls, and nobody reads their diff. */
const maxChars = 8_000_000
const maxLines = 100_000

/** Compares a page with the last snapshot of the same team, URL and tag, and offers this one in its place. */
export const changeTracking: MakerOf<'changeTracking'> = {
  needs: ['markdown'],
  async make({ content, history }, options) {
    if (!history) return {}
    const text = comparable(content.markdown ?? '')
    const state = stateOf(history.observation, text)
    const { warning, ...made } =
      state === 'unknown'
        ? { warning: unknownText(history.observation) }
        : await track(history, state === 'gone' ? null : text, options)
    return { ...made, ...joined(warning, options.modes?.includes('json') ? jsonText : undefined) }
  },
}

const jsonText =
  'The json mode of changeTracking needs a language model, which this version does not have; its field is left out.'
const longText = 'The page changed, but it is too long for a diff.'
const olderText = 'The cached copy is older than the snapshot it was compared with.'
const lastingText = 'This scrape stores no snapshot, so later ones are not compared with it.'

/** `markdown` is null for a page that is gone. */
async function track(
  { observation, isLinked, last, keep }: PageHistory,
  markdown: string | null,
  { modes = [], tag = '' }: Options,
): Promise<FieldsOf<'changeTracking'>> {
  const previous = await last(tag)
  keep?.(tag, { at: observation.at, markdown, isLinked })
  const status = changeStatus(previous, markdown, observation)
  const { warning, ...changes } =
    status === 'changed' ? await differences(previous?.markdown ?? '', markdown ?? '', modes) : {}
  const isOlder = previous !== undefined && observation.at < previous.at
  return {
    changeTracking: {
      previousScrapeAt: previous ? new Date(previous.at).toISOString() : null,
      changeStatus: status,
      visibility: isLinked ? 'visible' : 'hidden',
      ...changes,
    },
    ...joined(warning, isOlder ? olderText : undefined, keep ? undefined : lastingText),
  }
}

function joined(...notes: (string | undefined)[]): { warning?: string } {
  const texts = notes.filter((note) => note !== undefined)
  return texts.length > 0 ? { warning: texts.join(' ') } : {}
}

/** With the mode, `diff` is text and structure; without any mode it is the text alone (spec: Scrape result). */
async function differences(before: string, after: string, modes: NonNullable<Options['modes']>): Promise<Differences> {
  const form = modes.includes('git-diff') ? 'text and json' : modes.length === 0 ? 'text' : undefined
  if (!form) return {}
  const isLong = before.length + after.length > maxChars || lineEnds(before) + lineEnds(after) > maxLines
  if (isLong) return { warning: longText }
  const { patchOf } = await import('./patch.ts')
  const patch = await patchOf(before, after)
  return { diff: form === 'text' ? patch.text : patch }
}

function lineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function unknownText({ standIn, status }: Observation): string {
  const because = standIn ?? (status >= 200 && status < 300 ? 'page without text' : `page of status ${status}`)
  return `Changes were not tracked: the response is a ${because}, so it was not compared and the last snapshot stays.`
}

type ChangeStatus = 'new' | 'same' | 'changed' | 'removed'

/** Whether a page came, is gone, or says nothing about either; half a page (206) and no content (204, 205) say nothing. */
export function stateOf({ status, standIn }: Observation, text: string): 'here' | 'gone' | 'unknown' {
  if (standIn) return 'unknown'
  if (status === 404 || status === 410) return 'gone'
  return status >= 200 && status < 300 && ![204, 205, 206].includes(status) && text !== '' ? 'here' : 'unknown'
}

/** `text` is null for a page that is gone. */
export function changeStatus(
  previous: Snapshot | undefined,
  text: string | null,
  observation: Observation,
): ChangeStatus {
  if (text === null) return 'removed'
  if (!previous) return 'new'
  // The page the snapshot was made of, though perhaps read with other options.
  const isItself = observation.origin === 'cache' && observation.at === previous.at
  return isItself || previous.markdown === text ? 'same' : 'changed'
}

/**
 * The text as it is compared and kept: Unicode NFC, no whitespace at the end of a line or of the text. Nothing else is
 * evened out, so that 12 and 21 differ. Half of a surrogate pair would not survive the store, so it becomes U+FFFD.
 */
export function comparable(markdown: string): string {
  // Line by line, because a pattern for whitespace before a line end takes quadratic time on a long run of spaces.
  const lines = markdown.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trimEnd().toWellFormed().normalize('NFC')
}
