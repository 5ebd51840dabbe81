import type { Snapshot } from '../../../contracts/crawl-ports.ts'
import type { Evidence } from '../../understand/json/facts.ts'
import type { PageModel } from '../../understand/page-model.ts'
import type { DocumentFields } from '../../../schema/scrape/document.ts'
import type { Format, formatTraits, FormatType } from '../../../schema/scrape/formats.ts'
import type { FindMedia, PageContent, PagePart } from '../../../contracts/page-content.ts'

/** What a scrape saw of a page. `at`: when its content was fetched, ms since the epoch. */
export type Observation = {
  status: number
  at: number
  /** Whether the content comes from the cache. */
  origin: 'site' | 'cache'
  /** What came in place of the page; a shell is filled by scripts. */
  standIn: 'bot check' | 'shell without text' | undefined
}

/** What a maker may use: the parts it needs, and the page as it came. */
export type PageView = {
  content: PageContent
  /** The address of the page, after redirects; of a file its name. */
  url: string
  rawHtml(): string
  /** Looks for media that the HTML does not name; absent where nothing may be fetched. */
  findMedia?: (() => ReturnType<FindMedia>) | undefined
  /** What reads the page for the formats that need understanding, or why nothing does. */
  model: PageModel | 'none is set' | 'nothing may leave'
  /** Absent for a file. */
  history?: PageHistory
}
/** This observation of a page, and the snapshots of earlier ones, one for each tag. */
export type PageHistory = {
  observation: Observation
  /** Whether a link led to the page. */
  isLinked: boolean
  last(tag: string): Promise<Snapshot | undefined>
  /** Offers a snapshot, to be kept once the whole scrape has succeeded; absent where nothing may be kept. */
  keep?(tag: string, snapshot: Snapshot): void
}
/** Whether a language model or a built-in method made a field, and on what evidence; it stands in the metadata. */
export type MadeBy = { llmMode: 'model' | 'builtin'; llmModel?: string; evidence?: Record<string, Evidence> }
type MakerNotes = { warning?: string; madeBy?: MadeBy }
/** What formats add to the document, and notes for the reader. */
export type FormatFields = DocumentFields & MakerNotes
export type FormatOf<T extends FormatType> = Extract<Format, { type: T }>

/** Makes the field of a format. */
export type Maker<F, M = FormatFields> = {
  needs: readonly PagePart[]
  /** Needs the body of the page, beside or instead of parts. */
  needsBody?: true
  make(page: PageView, format: F): Promise<M> | M
}
/** The maker of one format: it fills no other field than its own. */
export type MakerOf<T extends FormatType> = Maker<FormatOf<T>, FieldsOf<T>>
export type FieldsOf<T extends FormatType> = Pick<DocumentFields, (typeof formatTraits)[T]['field']> & MakerNotes
