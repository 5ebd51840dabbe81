import { z } from 'zod'
import type { CrawlKind } from '../contracts/crawl-ports.ts'
import type { Link } from '../contracts/fetch.ts'
import { counted } from '../util/amounts.ts'
import { cancelJob, errorsOf, skippedNote, statusOf } from '../engine/crawl/status.ts'
import type { Ctx } from '../kernel/ctx.ts'
import type { Offered, Part, Presentation } from '../kernel/operation.ts'
import { JobErrors, JobId, JobStatus, type PromptReasons, StatusInput } from '../schema/crawl-schema.ts'
import type { Document } from '../schema/scrape/document.ts'
import { contentOf, documentWithLinks } from './present/present-document.ts'
import { listOfTeam, ownWords, shortened, splitUrls, tableOf, withoutSiteName } from './present/present-lists.ts'

/** Common fields of calls about an existing job. */
export const aboutJob = {
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
} as const

type ById = { id: string }

/** Common fields of calls that cancel a job. */
export const cancelsJob = {
  ...aboutJob,
  effect: 'destroy',
  output: z.object({ status: z.literal('cancelled') }),
  errors: [...aboutJob.errors, 'JOB_IS_OVER'],
  mcp: { present: (_output: object, { id }: ById) => ({ parts: [ownWords(`Job ${id}: cancelled.`)] }) },
} as const

/** Operations on a job with many pages: of the given kind, or of any kind. */
export const jobOperations = (kind?: CrawlKind) =>
  ({
    status: {
      ...aboutJob,
      effect: 'read',
      input: StatusInput,
      output: JobStatus,
      watch: 'documents',
      awaits: 'pages',
      withLinks: jobWithLinks<JobStatus>,
      run: (input: StatusInput, ctx: Ctx) => statusOf(input, ctx, kind),
    },
    errors: {
      ...aboutJob,
      effect: 'read',
      input: z.object({ id: JobId }),
      output: JobErrors,
      run: (input: ById, ctx: Ctx) => errorsOf(input, ctx, kind),
    },
    cancel: {
      ...cancelsJob,
      input: z.object({ id: JobId }),
      run: (input: ById, ctx: Ctx) => cancelJob(input, ctx, kind),
    },
  }) as const

/** Replaces the files of all pages of a job with links that expire with the job. */
export async function jobWithLinks<T extends { data: Document[]; expiresAt: string }>(job: T, link: Link): Promise<T> {
  const until = Date.parse(job.expiresAt)
  return { ...job, data: await Promise.all(job.data.map((document) => documentWithLinks(document, link, until))) }
}

type Reasons = z.output<typeof PromptReasons>
type Begun = {
  id: string
  job?: JobStatus | undefined
  warning?: string | undefined
  invalidURLs?: string[] | undefined
  promptGeneratedOptions?: object | undefined
  promptReasons?: Reasons | undefined
}

type Noted = Pick<Begun, 'warning' | 'invalidURLs'> & { job?: { warning?: string | undefined } | undefined }

/**
 * Notes on a started job, in addition to its progress. Leaves out the warning if the warning of the job contains it.
 */
export const notesOf = ({ warning, job, invalidURLs = [] }: Noted): readonly string[] => [
  ...(warning && !job?.warning?.includes(warning) ? [`Warning: ${warning}`] : []),
  ...(invalidURLs.length > 0
    ? [`Skipped ${invalidURLs.length === 1 ? 'an invalid URL' : `${invalidURLs.length} invalid URLs`}.`]
    : []),
]

/** Shows the id of a job that was started, or its result if the caller waited. */
export function presentBegun(kind: 'crawl' | 'batch', output: Begun, offered: Offered, url = ''): Presentation {
  const { id, job, promptGeneratedOptions: derived, promptReasons } = output
  const notes = notesOf(output)
  const options = derived ? optionsOfPrompt(url, derived, promptReasons) : []
  if (!job) return { parts: [ownWords(startedText(kind, id, offered), ...notes), ...options] }
  const { parts, inFull, ...rest } = presentStatus(job, { id, skip: 0 }, offered)
  const before = [...notes.map((text) => ownWords(text)), ...options]
  return { parts: [...before, ...parts], ...(inFull && { inFull: [...before, ...inFull] }), ...rest }
}

/** One line per option, with the words it comes from. Marked as page text, since it may contain names of the site. */
export function optionsOfPrompt(url: string, options: object, reasons: Reasons = {}): Part[] {
  const lines = Object.entries(options).map(([name, value]) => {
    const words = reasons[name]?.words
    return `${name}: ${JSON.stringify(value)}${words ? `, from "${words}"` : ''}`
  })
  return lines.length > 0
    ? [{ kind: 'page', label: 'options from the prompt', origin: url, text: lines.join('\n') }]
    : []
}

const startedText = (kind: string, id: string, offered: Offered) =>
  [
    `The ${kind} ${id} has started.`,
    ...(offered.has('crawl_status') ? [`Call crawl_status with {"id":"${id}","wait":60} to get its pages.`] : []),
  ].join(' ')

type Window = { id: string; skip: number }

/** Progress of a job, and a table of its pages to read one by one; if they are small, their full content. */
export function presentStatus(job: JobStatus, window: Window, offered: Offered): Presentation {
  const { data } = job
  const facts = factsOf(job, window, offered)
  if (data.length === 0) return { parts: [ownWords(...facts)] }
  const row = { id: window.id, row: window.skip + 1 }
  const howToRead = offered.has('scrape_result')
    ? [`Read a page in full with scrape_result, by its row: ${JSON.stringify(row)}.`]
    : []
  return {
    parts: [ownWords(...facts, ...howToRead), table(data, window.skip)],
    inFull: [ownWords(...facts), ...data.flatMap((document, index) => wholePage(document, window.skip + index + 1))],
  }
}

function factsOf(job: JobStatus, { id, skip }: Window, offered: Offered): string[] {
  const { status, completed, failed, total, creditsUsed, data, skipped = {}, error, warning } = job
  const skips = skippedNote(skipped)
  const hasStatus = offered.has('crawl_status')
  const facts = [
    `Job ${id}: ${status}`,
    `${completed} of ${counted(total, 'page')}`,
    ...(failed > 0 ? [`${failed} failed${hasStatus ? ' (listed by crawl_status with errors)' : ''}`] : []),
    counted(creditsUsed, 'credit'),
  ]
  const end = skip + data.length
  const next = JSON.stringify({ id, skip: end })
  return [
    facts.join(' · '),
    ...(error ? [`Error: ${error}`] : []),
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(skips && !warning?.includes(skips) ? [skips] : []),
    ...(status === 'scraping' ? [stillRunning(offered)] : []),
    ...(end < completed && hasStatus ? [`More pages: crawl_status with ${next}.`] : []),
  ]
}

export const stillRunning = (offered: Offered) =>
  `Still running${offered.has('crawl_status') ? '; call crawl_status with wait to wait longer' : ''}.`

/** Heading of the column with the rest of each URL. */
const urlColumn = (base: string) => (base === '' ? 'URL' : `path below ${base}`)

/** Table of pages, marked as page text because the site chooses titles and URLs. scrape_result takes the row number. */
function table(data: readonly Document[], skip: number): Part {
  const origin = data[0]?.metadata.url ?? ''
  const { base, rests } = splitUrls(data.map(({ metadata }) => metadata.url))
  const titles = withoutSiteName(data.map(({ metadata: { title = '' } }) => title))
  const hasFaults = data.some(({ metadata: { statusCode = 200 } }) => statusCode !== 200)
  const columns = ['row', urlColumn(base), 'title', 'characters', ...(hasFaults ? ['status'] : [])]
  const rows = data.map((document, index) => [
    skip + index + 1,
    // The page can be read by its row, so the URL may be shortened.
    shortened(rests[index] ?? ''),
    shortened(titles[index] ?? '', 80),
    lengthOf(document),
    ...(hasFaults ? [document.metadata.statusCode ?? ''] : []),
  ])
  return { kind: 'page', label: 'pages', origin, text: tableOf(columns, rows) }
}

const lengthOf = (document: Document) =>
  contentOf(document).reduce((sum, part) => sum + (part.kind === 'page' ? part.text.length : 0), 0)

/** The content of a page under its row number. */
function wholePage(document: Document, row: number): Part[] {
  const { statusCode = 200 } = document.metadata
  const about = `row ${row}${statusCode === 200 ? '' : ` status ${statusCode}`}`
  return contentOf(document).map((part) =>
    part.kind === 'page' ? { ...part, label: part.label === 'markdown' ? about : `${about} ${part.label}` } : part,
  )
}

/** Causes of failed pages, and the pages that were left out. */
export function presentErrors({ errors, robotsBlocked, skipped, warning }: JobErrors): Presentation {
  const skips = skippedNote(skipped)
  const failed = splitUrls(errors.map(({ url }) => url))
  const blocked = splitUrls(robotsBlocked)
  const rows = errors.map(({ code, error }, index) => [failed.rests[index] ?? '', code, shortened(error)])
  return {
    parts: [
      ownWords(
        errors.length === 0 ? 'No page failed.' : `${errors.length} failed.`,
        ...(skips && !warning?.includes(skips) ? [skips] : []),
        ...(warning ? [`Warning: ${warning}`] : []),
      ),
      ...(rows.length > 0 ? [listOfTeam('failed', tableOf([urlColumn(failed.base), 'code', 'reason'], rows))] : []),
      ...(robotsBlocked.length > 0
        ? [listOfTeam('forbidden by robots.txt', [urlColumn(blocked.base), ...blocked.rests].join('\n'))]
        : []),
    ],
  }
}
