import type { PagePart, PageParts } from '../../core/ports.ts'
import type { DocumentFields } from '../../schema/document.ts'

/** What a maker may use: the parts it needs, and the page as it came. */
export type PageView = { parts: PageParts; rawHtml(): string }

export type Maker<F> = {
  needs: readonly PagePart[]
  /** Needs the page as it came, beside or instead of parts. */
  needsBody?: true
  make(page: PageView, format: F): Promise<DocumentFields> | DocumentFields
}
