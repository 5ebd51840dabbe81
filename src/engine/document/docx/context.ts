import type { Relationships } from '../xml/package.ts'
import type { XmlElement } from '../xml/xml.ts'
import type { Fields } from './fields.ts'
import type { Numbering } from './numbering.ts'
import type { DocxStyles } from './styles.ts'

/** What the text of one part is read with. */
export type InlineContext = {
  styles: DocxStyles
  relationships: Relationships
  fields: Fields
  /** The mark of a footnote or endnote. */
  noteMark(kind: 'footnote' | 'endnote', id: string): string
  /** Text boxes are set apart from the paragraph that they hang on. */
  float(content: XmlElement): void
}

export type BlockContext = InlineContext & { numbering: Numbering }
