import type { Snapshot } from '../../../../contracts/crawl-ports.ts'
import { isRecord } from '../../../../util/json.ts'
import { dataOf } from '../json-format.ts'
import type { FieldsOf, FormatOf, MadeBy, MakerOf, Observation, PageHistory, PageView } from '../format-maker.ts'

/** Returns the fields whose values differ, ignoring the order of keys; a missing value is null. */
export function changedFields(before: object, now: object): Record<string, { previous: unknown; current: unknown }> {
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(now))]
  const names = [...new Set([...old.keys(), ...current.keys()])]
  const changes = names
    .map((name) => ({ name, previous: old.get(name) ?? null, current: current.get(name) ?? null }))
    .filter((field) => sorted(field.previous) !== sorted(field.current))
  return Object.fromEntries(changes.map(({ name, ...values }) => [name, values]))
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )

type Options = FormatOf<'changeTracking'>
type Differences = { diff?: unknown; json?: ReturnType<typeof changedFields>; warning?: string }

/** Longer texts would block other calls, and nobody reads such a diff. */
const maxChars = 8_000_000
const maxLines = 100_000

/** Compares a page with the last snapshot of the same team, URL and tag, and offers a new snapshot to replace it. */
export const changeTracking: MakerOf<'changeTracking'> = {
  needs: ['markdown'],
  async make(page, options) {
    const { content, history } = page
    if (!history) return {}
    const text = comparable(content.markdown ?? '')
    const state = stateOf(history.observation, text)
    if (state === 'unknown') return { warning: unknownText(history.observation) }
    return track({ ...page, history }, state === 'gone' ? null : text, options)
  },
}

const noDataText =
  'The last snapshot contains no data of the page, so its fields are compared from the next scrape in the json mode on.'
const longText = 'The page changed, but it is too long for a diff.'
const olderText = 'The cached copy is older than the snapshot it was compared with.'
const notStoredText = 'This scrape stores no snapshot, so later scrapes are not compared with it.'

type Tracked = PageView & { history: PageHistory }

/** `markdown` is null for a page that is gone (404, 410). */
async function track(page: Tracked, markdown: string | null, options: Options): Promise<FieldsOf<'changeTracking'>> {
  const { observation, isLinked, last, keep } = page.history
  const { modes = [], tag = '' } = options
  const previous = await last(tag)
  const status = changeStatus(previous, markdown, observation)
  const { data, madeBy, ...read } = await fieldsNow(page, status, previous, options)
  keep?.(tag, { at: observation.at, markdown, isLinked, ...(data && { json: data }) })
  const { warning, ...changes } =
    previous && status === 'changed' ? await changesSince(previous, markdown ?? '', { data, modes }) : {}
  const isOlder = previous !== undefined && observation.at < previous.at
  return {
    changeTracking: {
      previousScrapeAt: previous ? new Date(previous.at).toISOString() : null,
      changeStatus: status,
      visibility: isLinked ? 'visible' : 'hidden',
      ...changes,
    },
    ...(madeBy && { madeBy }),
    ...joined(warning, read.warning, isOlder ? olderText : undefined, keep ? undefined : notStoredText),
  }
}

async function changesSince(
  { markdown: before, json: fields }: Snapshot,
  markdown: string,
  { data, modes }: { data: object | undefined; modes: NonNullable<Options['modes']> },
): Promise<Differences> {
  const { warning, ...text } = await differences(before ?? '', markdown, modes)
  if (!data) return { ...text, ...joined(warning) }
  if (!fields) return { ...text, ...joined(warning, noDataText) }
  return { ...text, json: changedFields(fields, data), ...joined(warning) }
}

/**
 * Returns the data of the page in json mode. An unchanged page reuses the data of its snapshot without a model call.
 */
async function fieldsNow(
  page: Tracked,
  status: ChangeStatus,
  previous: Snapshot | undefined,
  { modes = [], schema, prompt }: Options,
): Promise<{ data?: object; madeBy?: MadeBy; warning?: string }> {
  if (!modes.includes('json')) return previous?.json && status === 'same' ? { data: previous.json } : {}
  if (status === 'removed') return {}
  if (status === 'same' && previous?.json) return { data: previous.json }
  const { data, ...how } = await dataOf(page, { schema, prompt })
  return { ...(isRecord(data) && { data }), ...how }
}

function joined(...notes: (string | undefined)[]): { warning?: string } {
  const texts = notes.filter((note) => note !== undefined)
  return texts.length > 0 ? { warning: texts.join(' ') } : {}
}

/** With the git-diff mode, `diff` has text and structure; without any mode only text (spec: Scrape result). */
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

/**
 * Returns `here` if the page exists, `gone` if the site says that it does not (404, 410), and `unknown` if the response
 * does not show it, such as partial content (206) or no content (204, 205).
 */
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
  // The snapshot was created from the same copy of the page, perhaps parsed with other options.
  const isItself = observation.origin === 'cache' && observation.at === previous.at
  return isItself || previous.markdown === text ? 'same' : 'changed'
}

/**
 * Normalizes text for comparison and storage: Unicode NFC, no trailing whitespace. A lone surrogate would not survive
 * storage, so it becomes U+FFFD.
 */
export function comparable(markdown: string): string {
  // Line by line, because a pattern for whitespace before a newline takes quadratic time on long runs of spaces.
  const lines = markdown.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trimEnd().toWellFormed().normalize('NFC')
}
