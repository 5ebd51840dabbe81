import type { Snapshot } from '../../../contracts/crawl.ts'
import type { FindMedia } from '../../../contracts/media.ts'
import type { PagePart, PageParts } from '../../../contracts/ports.ts'
import type { DocumentFields } from '../../../schema/scrape/document.ts'

/** What a scrape saw of a page. `at`: when its content was fetched, ms since the epoch. */
export type Sight = {
  status: number
  at: number
  /** Whether the content comes from the cache. */
  origin: 'site' | 'cache'
  /** What came in place of the page; a shell is filled by scripts. */
  standIn: 'bot check' | 'shell without text' | undefined
}

/** What a maker may use: the parts it needs, and the page as it came. */
export type PageView = {
  parts: PageParts
  rawHtml(): string
  /** Looks for media that the HTML does not name; absent where nothing may be fetched. */
  mediaBehind?(): ReturnType<FindMedia>
  /** Absent for what is no page of the web. */
  history?: PageHistory
}
/** This sight of a page, and the snapshots of earlier ones, each kind of them under its tag. */
export type PageHistory = {
  sight: Sight
  /** Whether a link led to the page. */
  isLinked: boolean
  last(tag: string): Promise<Snapshot | undefined>
  /** Offers a snapshot, to be kept once the whole scrape has succeeded; absent where nothing may be kept. */
  keep?(tag: string, snapshot: Snapshot): void
}
/** A format's fields, and what the reader should know of them. */
export type Made = DocumentFields & { warning?: string }

export type Maker<F> = {
  needs: readonly PagePart[]
  /** Needs the page as it came, beside or instead of parts. */
  needsBody?: true
  make(page: PageView, format: F): Promise<Made> | Made
}
