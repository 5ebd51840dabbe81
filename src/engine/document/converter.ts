import type { PdfOptions } from '../../contracts/page-content.ts'
import { ownValue } from '../../util/json.ts'
import type { MarkdownLinks } from './text/markdown-links.ts'

/** File to convert. The bytes are untrusted: a converter must not rely on any length, count or offset in them. */
export type Source = {
  bytes: Uint8Array
  /** URL of the file, including uploads (`file:///name`); relative links are resolved against it. */
  url: string
  contentType: string | undefined
  pdf: PdfOptions
  /** True if text in a picture is wanted, which takes OCR. */
  hasImageParser?: boolean | undefined
  /** True if nothing else uses the bytes and their buffer, so the buffer can be released after reading. */
  isGivenUp?: boolean | undefined
}

/**
 * Result of a conversion: semantic HTML of the content (a fragment: headings, paragraphs, lists, tables, links, images,
 * pre), which the HTML reader turns into the requested parts; or markdown, if the file is already text, with its links.
 */
export type Converted = ({ html: string } | { markdown: string; links?: MarkdownLinks }) & {
  /** Metadata of the file by the names of HTML metadata: title, author, description, keywords, language, dates. */
  metadata?: Record<string, unknown>
  /** Number of pages, sheets or slides. */
  numPages?: number
  /** Each page of a PDF, if requested. */
  pages?: readonly { number: number; html: string }[]
  /** Omitted content, and why. */
  warning?: string
}

/** Throws SCRAPE_UNSUPPORTED_FILE_ERROR for a file that is broken, locked or too large. */
export type Converter = (source: Source, budget?: Budget) => Converted | Promise<Converted>

/**
 * CPU and memory budget for one file, so a small file cannot exhaust the machine. Readers poll it and return what they
 * have read so far.
 */
export type Budget = {
  /** True if the budget is used up; the caller then omits the rest. Stays true. */
  isSpent(): boolean
  /** True if half of the budget is used up: the limit for reading what the content refers to, such as shared texts. */
  isHalfSpent(): boolean
  /** True if anything was omitted. */
  hasCut(): boolean
  /** Adds time for work that has proved worthwhile, up to a limit. */
  earn(cpuMs: number): void
  /** Reports the number of readable pages, in case the next one ends the process. */
  mark(pages: number): void
  /** Removes all limits; `isSpent` keeps its last value. */
  lift(): void
}

/** Limits for code that cannot poll the budget: the process ends when one is reached. */
export type HardLimits = { cpuMs: number; rssMb: number }

type BudgetSetup = {
  /** Size of the file in bytes. */
  bytes: number
  limit(limits: HardLimits): void
  mark(pages: number): void
}

/** CPU time in ms for reading, and extra time per megabyte of the file. */
const [readingMs, msPerMb] = [1000, 250]
/**
 * Memory for reading, size of a small file, and extra memory per megabyte of a larger one, whose bytes and text are in
 * memory at the same time.
 */
const [readingMb, smallMb, mbPerMb] = [230, 2, 12]
/** CPU time and memory for writing what was read. */
const [writingMs, writingMb] = [2000, 70]
/** Maximum time that pages can earn: in total, and per megabyte of the file. */
const [maxEarnedMs, earnedMsPerMb] = [4000, 4000]

/** Measures the CPU time and memory of this process, which should have no other work. */
export function startBudget({ bytes, limit, mark }: BudgetSetup): Budget {
  const fileMb = bytes / 1_000_000
  const start = { cpu: cpuMs(), rss: rssMb() }
  const allowedMb = readingMb + mbPerMb * Math.max(0, fileMb - smallMb)
  let allowedMs = readingMs + msPerMb * fileMb
  let [earnedMs, isLifted, isSpent, hasCut] = [0, false, false, false]
  const isOver = (share: number) =>
    cpuMs() - start.cpu > allowedMs * share || exceedsSize(start.rss + Math.max(0, allowedMb - start.rss) * share)
  const setHardLimits = () => limit({ cpuMs: start.cpu + allowedMs + writingMs, rssMb: allowedMb + writingMb })
  setHardLimits()
  return {
    isSpent() {
      isSpent ||= !isLifted && isOver(1)
      hasCut ||= isSpent
      return isSpent
    },
    isHalfSpent() {
      const isHalf = !isLifted && isOver(0.5)
      hasCut ||= isHalf
      return isHalf
    },
    hasCut: () => hasCut,
    earn(ms) {
      const more = Math.min(ms, Math.min(maxEarnedMs, earnedMsPerMb * fileMb) - earnedMs)
      earnedMs += more
      allowedMs += more
      if (!isLifted) setHardLimits()
    },
    mark,
    lift() {
      isLifted = true
      limit({ cpuMs: Infinity, rssMb: Infinity })
    },
  }
}

export const boundless: Budget = {
  isSpent: () => false,
  isHalfSpent: () => false,
  hasCut: () => false,
  earn: () => {},
  mark: () => {},
  lift: () => {},
}

/** CPU time of all threads, because garbage collection is part of the cost. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Collects garbage before the second measurement, because garbage does not count. */
function exceedsSize(mb: number): boolean {
  if (rssMb() <= mb) return false
  globalThis.gc?.()
  return rssMb() > mb
}

const rssMb = () => process.memoryUsage.rss() / 1_000_000

/** Metadata of a file, by the names that pages use. */
export type Metadata = {
  title?: string
  author?: string
  description?: string
  keywords?: string
  language?: string
  publishedTime?: string
  modifiedTime?: string
}

const fields: Readonly<Record<string, keyof Metadata>> = {
  'dc:title': 'title',
  'dc:creator': 'author',
  'meta:initial-creator': 'author',
  'dc:description': 'description',
  'dc:subject': 'keywords',
  'cp:keywords': 'keywords',
  'meta:keyword': 'keywords',
  'dc:language': 'language',
  'dcterms:created': 'publishedTime',
  'meta:creation-date': 'publishedTime',
  'dc:date': 'modifiedTime',
  'dcterms:modified': 'modifiedTime',
}
const maxLength = 2000

/**
 * Returns metadata from properties by their XML names. Repeated texts are joined; of repeated times the last counts, as
 * ISO 8601 in UTC.
 */
export function metadataFrom(properties: Iterable<readonly [name: string, text: string]>): Metadata {
  const metadata: Metadata = {}
  for (const [name, text] of properties) {
    const field = ownValue(fields, name)
    const value = text.replace(/\s+/g, ' ').trim().slice(0, maxLength)
    if (field === undefined || value === '') continue
    const isTime = field.endsWith('Time')
    const read = isTime ? isoTime(value) : value
    const before = metadata[field]
    if (read === undefined || before === read) continue
    metadata[field] = before === undefined || isTime ? read : `${before}, ${read}`
  }
  return metadata
}

/** Converts a time to ISO 8601; undefined if invalid. A time without a zone counts as UTC. */
function isoTime(text: string): string | undefined {
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text)
  const time = new Date(hasZone || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
