import type { PdfOptions } from '../../contracts/page-content.ts'
import type { Budget } from './budget.ts'

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
