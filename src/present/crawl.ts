import type { Part, Presentation } from '../kernel/operation.ts'
import type { JobStatus } from '../schema/crawl.ts'
import type { Document } from '../schema/scrape/document.ts'

type Begun = {
  id: string
  job?: JobStatus | undefined
  warning?: string | undefined
  invalidURLs?: string[] | undefined
  promptGeneratedOptions?: object | undefined
}

/** A job that was begun: its handle, or what it brought while the caller waited. */
export function presentBegun(kind: 'crawl' | 'batch', output: Begun, url = ''): Presentation {
  const { id, job, warning, invalidURLs = [], promptGeneratedOptions: derived } = output
  const notes = [
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(invalidURLs.length > 0 ? [`${invalidURLs.length} invalid URLs were skipped.`] : []),
  ]
  const begun = `The ${kind} ${id} has started. Call crawl_status with {"id":"${id}"} to see its progress.`
  // Names of folders of the site may stand among them.
  const options: Part[] = derived
    ? [{ kind: 'page', label: 'options from the prompt', origin: url, text: JSON.stringify(derived) }]
    : []
  if (!job) return { parts: [{ kind: 'text', text: [begun, ...notes].join('\n') }, ...options] }
  const { parts, ...rest } = presentStatus(job, { id, skip: 0 })
  return { parts: [...notes.map((text): Part => ({ kind: 'text', text })), ...options, ...parts], ...rest }
}

/** How far a job is, and a table of its pages, each of which can be read whole. */
export function presentStatus(job: JobStatus, { id, skip }: { id: string; skip: number }): Presentation {
  const { data } = job
  const end = skip + data.length
  const readOn = { tool: 'crawl_status', arguments: { id, skip: end } }
  return {
    parts: [
      { kind: 'text', text: head(job, { id, skip }, readOn.arguments) },
      ...(data.length > 0 ? [table(data, skip)] : []),
    ],
  }
}

function head(job: JobStatus, { id, skip }: { id: string; skip: number }, next: object): string {
  const { status, completed, failed, total, creditsUsed, data, skipped = {}, error, warning } = job
  const facts = [
    `Job ${id}: ${status}`,
    `${completed} of ${total} pages`,
    ...(failed > 0 ? [`${failed} failed (listed by crawl_status with errors)`] : []),
    `${creditsUsed} credits`,
  ]
  const reasons = Object.entries(skipped).map(([reason, count]) => `${reason} ${count}`)
  const more = skip + data.length < completed ? `More pages: crawl_status with ${JSON.stringify(next)}.` : undefined
  return [
    facts.join(' · '),
    ...(error ? [`Error: ${error}`] : []),
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(reasons.length > 0 ? [`URLs skipped: ${reasons.join(', ')}.`] : []),
    ...(status === 'scraping' ? ['Still running; call crawl_status again later.'] : []),
    ...(more === undefined ? [] : [more]),
    ...(data.length > 0 ? ['Read a page in full with scrape_result, using the last column as jobId.'] : []),
  ].join('\n')
}

/** Titles and addresses are the site's words. */
function table(data: readonly Document[], skip: number): Part {
  const origin = data[0]?.metadata.url ?? ''
  const rows = data.map(({ metadata, markdown }, index) =>
    [
      skip + index + 1,
      metadata.statusCode ?? '',
      shortened(metadata.url, 200),
      shortened(metadata.title ?? '', 80),
      `${markdown?.length ?? 0} characters`,
      metadata.scrapeId,
    ].join(' | '),
  )
  return { kind: 'page', label: 'pages', origin, text: rows.join('\n') }
}

const shortened = (text: string, max: number) => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > max ? `${line.slice(0, max)}…` : line
}
