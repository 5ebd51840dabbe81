import type { Offered } from '../kernel/offer/offered.ts'
import type { Part, Presentation } from '../kernel/operation.ts'
import type { JobStatus } from '../schema/crawl.ts'
import type { Document } from '../schema/scrape/document.ts'
import { contentOf } from './document.ts'
import { withoutSiteName } from './titles.ts'
import { shortened, splitUrls, tableOf } from './url-table.ts'

type Begun = {
  id: string
  job?: JobStatus | undefined
  warning?: string | undefined
  invalidURLs?: string[] | undefined
  promptGeneratedOptions?: object | undefined
}
type Place = { id: string; skip: number }

/** A job that was begun: its handle, or what it brought while the caller waited. */
export function presentBegun(kind: 'crawl' | 'batch', output: Begun, offered: Offered, url = ''): Presentation {
  const { id, job, warning, invalidURLs = [], promptGeneratedOptions: derived } = output
  const notes = [
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(invalidURLs.length > 0 ? [`${invalidURLs.length} invalid URLs were skipped.`] : []),
  ]
  // Names of folders of the site may stand among them.
  const options: Part[] = derived
    ? [{ kind: 'page', label: 'options from the prompt', origin: url, text: JSON.stringify(derived) }]
    : []
  if (!job) return { parts: [{ kind: 'text', text: [begun(kind, id, offered), ...notes].join('\n') }, ...options] }
  const { parts, inFull, ...rest } = presentStatus(job, { id, skip: 0 }, offered)
  const before = [...notes.map((text): Part => ({ kind: 'text', text })), ...options]
  return { parts: [...before, ...parts], ...(inFull && { inFull: [...before, ...inFull] }), ...rest }
}

const begun = (kind: string, id: string, offered: Offered) =>
  [
    `The ${kind} ${id} has started.`,
    ...(offered.has('crawl_status') ? [`Call crawl_status with {"id":"${id}","wait":60} to see what it brings.`] : []),
  ].join(' ')

/** How far a job is, and a table of its pages, each of which can be read whole; or all of them, where they are small. */
export function presentStatus(job: JobStatus, place: Place, offered: Offered): Presentation {
  const { data } = job
  const facts = factsOf(job, place, offered)
  if (data.length === 0) return { parts: [own(facts)] }
  const row = { id: place.id, row: place.skip + 1 }
  const howToRead = offered.has('scrape_result')
    ? [`Read a page in full with scrape_result, by its row: ${JSON.stringify(row)}.`]
    : []
  return {
    parts: [own([...facts, ...howToRead]), table(data, place.skip)],
    inFull: [own(facts), ...data.flatMap((document, index) => wholePage(document, place.skip + index + 1))],
  }
}

const own = (lines: readonly string[]): Part => ({ kind: 'text', text: lines.join('\n') })

function factsOf(job: JobStatus, { id, skip }: Place, offered: Offered): string[] {
  const { status, completed, failed, total, creditsUsed, data, skipped = {}, error, warning } = job
  const hasStatus = offered.has('crawl_status')
  const facts = [
    `Job ${id}: ${status}`,
    `${completed} of ${total} pages`,
    ...(failed > 0 ? [`${failed} failed${hasStatus ? ' (listed by crawl_status with errors)' : ''}`] : []),
    `${creditsUsed} credits`,
  ]
  const reasons = Object.entries(skipped).map(([reason, count]) => `${reason} ${count}`)
  const end = skip + data.length
  const next = JSON.stringify({ id, skip: end })
  const isRunning = status === 'scraping'
  return [
    facts.join(' · '),
    ...(error ? [`Error: ${error}`] : []),
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(reasons.length > 0 ? [`URLs skipped: ${reasons.join(', ')}.`] : []),
    ...(isRunning ? [`Still running${hasStatus ? '; crawl_status with wait goes on waiting' : ''}.`] : []),
    ...(end < completed && hasStatus ? [`More pages: crawl_status with ${next}.`] : []),
  ]
}

/** Titles and addresses are the site's words. A row is the number that scrape_result takes. */
function table(data: readonly Document[], skip: number): Part {
  const origin = data[0]?.metadata.url ?? ''
  const { base, rests } = splitUrls(data.map(({ metadata }) => metadata.url))
  const titles = withoutSiteName(data.map(({ metadata: { title = '' } }) => title))
  const hasFaults = data.some(({ metadata: { statusCode = 200 } }) => statusCode !== 200)
  const columns = [
    'row',
    base === '' ? 'URL' : `path below ${base}`,
    'title',
    'characters',
    ...(hasFaults ? ['status'] : []),
  ]
  const rows = data.map((document, index) => [
    skip + index + 1,
    // Its page can be read by the row.
    shortened(rests[index] ?? ''),
    shortened(titles[index] ?? '', 80),
    lengthOf(document),
    ...(hasFaults ? [document.metadata.statusCode ?? ''] : []),
  ])
  return { kind: 'page', label: 'pages', origin, text: tableOf(columns, rows) }
}

const lengthOf = (document: Document) =>
  contentOf(document).reduce((sum, part) => sum + (part.kind === 'page' ? part.text.length : 0), 0)

/** The content of a page under its row. */
function wholePage(document: Document, row: number): Part[] {
  const { statusCode = 200 } = document.metadata
  const about = `row ${row}${statusCode === 200 ? '' : ` status ${statusCode}`}`
  return contentOf(document).map((part) =>
    part.kind === 'page' ? { ...part, label: part.label === 'markdown' ? about : `${about} ${part.label}` } : part,
  )
}
