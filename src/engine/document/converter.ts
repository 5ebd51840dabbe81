import type { PdfOptions } from '../../contracts/page-content.ts'

/** A file to be converted. The bytes may be anything: a converter trusts no length, count or offset in them. */
export type Source = {
  bytes: Uint8Array
  /** Address of the file, also where it was uploaded (`file:///name`): relative links are resolved against it. */
  url: string
  contentType: string | undefined
  pdf: PdfOptions
  /** Nobody else needs the bytes, which are alone in their buffer: they are let go as soon as they have been read. */
  isGivenUp?: boolean | undefined
}

/**
 * What a converter makes of a file: semantic HTML of its content (a fragment: headings, paragraphs, lists, tables, links,
 * images, pre), which the HTML reader then turns into every wanted part; or markdown, where the file is text already.
 */
export type Converted = ({ html: string } | { markdown: string }) & {
  /** Facts the file says of itself, by the names of HTML metadata: title, author, description, keywords, language, dates. */
  metadata?: Record<string, unknown>
  /** Pages, sheets or slides. */
  numPages?: number
  /** What was left out, and why. */
  warning?: string
}

/** Fails with SCRAPE_UNSUPPORTED_FILE_ERROR for a file that is broken, locked or too large. */
export type Converter = (source: Source, budget?: Budget) => Converted | Promise<Converted>

/** What may be spent on one file, so that a small one cannot take the machine. Readers ask, and answer with what they have. */
export type Budget = {
  /** Whether it is used up; who asks and is told so leaves out the rest. It stays so. */
  isSpent(): boolean
  /** The same of half of it: for what comes before the content and only serves it. */
  isHalfSpent(): boolean
  /** Whether anything was left out. */
  hasCut(): boolean
  /** More time for work that has proved to be worth it, up to a limit. */
  earn(cpuMs: number): void
  /** Says that these many pages can be read, should the next one end the process. */
  mark(pages: number): void
  /** Other limits hold from here on. */
  lift(): void
}

/** Where a reader cannot ask: the process ends at these, whatever it does. */
export type HardLimits = { cpuMs: number; rssMb: number }

type BudgetSetup = {
  /** Size of the file. */
  bytes: number
  limit(limits: HardLimits): void
  mark(pages: number): void
}

/** What reading may take, and a little more for each megabyte of the file. */
const [readingMs, msPerMb] = [1000, 250]
/** Bytes, the text made of them and its characters are in memory at once; of a small file that is nothing. */
const [readingMb, smallMb, mbPerMb] = [230, 2, 12]
/** What was read is still to be written. */
const [writingMs, writingMb] = [2000, 70]
/** Pages earn time as far as bytes pay for it, so that a small file stays cheap. */
const [maxEarnedMs, earnedMsPerMb] = [4000, 4000]

/** Counts the CPU time and memory of this process, which should do nothing else. */
export function startBudget({ bytes, limit, mark }: BudgetSetup): Budget {
  const fileMb = bytes / 1_000_000
  const start = { cpu: cpuMs(), rss: rssMb() }
  const lastMb = readingMb + mbPerMb * Math.max(0, fileMb - smallMb)
  let allowedMs = readingMs + msPerMb * fileMb
  let [earnedMs, isLifted, isSpent, hasCut] = [0, false, false, false]
  const isOver = (share: number) =>
    cpuMs() - start.cpu > allowedMs * share || holdsMoreThan(start.rss + Math.max(0, lastMb - start.rss) * share)
  const move = () => limit({ cpuMs: start.cpu + allowedMs + writingMs, rssMb: lastMb + writingMb })
  move()
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
      if (!isLifted) move()
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

/** Of all threads: collecting garbage is part of the cost. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Memory that nothing needs any more does not count. */
function holdsMoreThan(mb: number): boolean {
  if (rssMb() <= mb) return false
  globalThis.gc?.()
  return rssMb() > mb
}

const rssMb = () => process.memoryUsage.rss() / 1_000_000

/** Facts that a file says of itself, by the names that pages use. */
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

/** Metadata from properties by their XML names; several of one kind are joined, times become ISO 8601 in UTC. */
export function metadataFrom(properties: Iterable<readonly [name: string, text: string]>): Metadata {
  const found: Metadata = {}
  for (const [name, text] of properties) {
    const field = fields[name]
    const value = text.replace(/\s+/g, ' ').trim().slice(0, maxLength)
    if (field === undefined || value === '') continue
    const isTime = field.endsWith('Time')
    const said = isTime ? isoTime(value) : value
    const before = found[field]
    if (said === undefined || before === said) continue
    found[field] = before === undefined || isTime ? said : `${before}, ${said}`
  }
  return found
}

/** Times without a zone are taken as UTC. */
function isoTime(text: string): string | undefined {
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text)
  const time = new Date(hasZone || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
