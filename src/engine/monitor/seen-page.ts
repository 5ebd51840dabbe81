import type { CheckedPage } from '../../schema/monitor-schema.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { isRecord } from '../../util/json.ts'

/** A page of a check, before it is known what the check before said of it. */
export type SeenPage = Omit<CheckedPage, 'previousScrapeId' | 'isTold'>
type Where = Pick<CheckedPage, 'targetId' | 'url' | 'createdAt'>

const maxDiffChars = 100_000

/** What a scrape with changeTracking says of a page; `json` is the data it was compared with. */
export function seenPage(
  { changeTracking, metadata, warning }: Document,
  json: object | undefined,
  where: Where,
): SeenPage {
  const { statusCode = null, scrapeId } = metadata
  const status = changeTracking?.changeStatus ?? 'error'
  return {
    ...where,
    id: scrapeId,
    status,
    currentScrapeId: scrapeId,
    statusCode,
    error: status === 'error' ? troubleOf(statusCode, warning) : null,
    diff: status === 'changed' ? diffOf(changeTracking ?? {}) : null,
    snapshot: isRecord(json) ? { json } : null,
  }
}

const troubleOf = (status: number | null, warning: string | undefined) =>
  status !== null && status >= 400
    ? `The page answered with status ${status}.`
    : (warning ?? 'The page could not be compared.')

type Tracked = Partial<NonNullable<Document['changeTracking']>>

/** A page that could not be read. */
export const unreadPage = (error: string, where: Where, id: string = crypto.randomUUID()): SeenPage => ({
  ...where,
  id,
  status: 'error',
  currentScrapeId: null,
  statusCode: null,
  error,
  diff: null,
  snapshot: null,
})

/** Fields that changed say more than the structure of the text. What is too long to be kept with every check is cut. */
function diffOf({ diff, json: fields }: Tracked): CheckedPage['diff'] {
  const { text, json: lines } = isRecord(diff) ? diff : { text: diff, json: undefined }
  const json = isRecord(fields) ? fields : lines
  const isShort = JSON.stringify(json ?? {}).length <= maxDiffChars
  return {
    ...(typeof text === 'string' && { text: cut(text) }),
    ...(isRecord(json) && isShort && { json }),
  }
}

const cut = (text: string) =>
  text.length <= maxDiffChars
    ? text
    : `${text.slice(0, maxDiffChars).toWellFormed()}\n[The rest of the diff was not kept.]\n`
