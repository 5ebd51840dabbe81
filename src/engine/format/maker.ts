import type { PagePart, PageParts } from '../../core/ports.ts'
import type { DocumentFields } from '../../schema/document.ts'

/** What a maker may use: the parts it needs, and the page as it came. */
export type PageView = { parts: PageParts; rawHtml(): Promise<string> }

export type Maker<F> = {
  needs: readonly PagePart[]
  make(page: PageView, format: F): Promise<DocumentFields> | DocumentFields
}
