import type { FindMedia } from '../../core/media.ts'
import type { PagePart, PageParts } from '../../core/ports.ts'
import type { DocumentFields } from '../../schema/document.ts'

/** What a maker may use: the parts it needs, and the page as it came. */
export type PageView = {
  parts: PageParts
  rawHtml(): string
  /** Looks for media that the HTML does not name; absent where nothing may be fetched. */
  mediaBehind?(): ReturnType<FindMedia>
}
/** A format's fields, and what the reader should know of them. */
export type Made = DocumentFields & { warning?: string }

export type Maker<F> = {
  needs: readonly PagePart[]
  /** Needs the page as it came, beside or instead of parts. */
  needsBody?: true
  make(page: PageView, format: F): Promise<Made> | Made
}
