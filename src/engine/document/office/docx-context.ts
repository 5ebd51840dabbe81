import type { Fields } from './docx-fields.ts'
import type { Numbering } from './docx-numbering.ts'
import type { DocxStyles } from './docx-styles.ts'
import type { Relationships } from './opc.ts'
import type { XmlElement } from './xml.ts'

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
