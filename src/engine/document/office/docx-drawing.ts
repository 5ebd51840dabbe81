import type { InlineContext } from './docx-context.ts'
import type { Piece } from './inline.ts'
import { picture } from './markup.ts'
import { child, elementsOf, firstWithin, within } from './tree.ts'
import type { XmlElement } from './xml.ts'

/** A drawing is a picture with words about it, a text box, or both; shapes without either say nothing. */
export function drawingPieces(drawing: XmlElement, context: InlineContext): Piece[] {
  const boxes = [...within(drawing, 'w:txbxContent')]
  for (const box of boxes) context.float(box)
  if (boxes.length > 0) return []
  const html = picture(wordsAbout(drawing) ?? fileName(drawing, context))
  return html ? [{ html, style: {} }] : []
}

function wordsAbout(drawing: XmlElement): string | undefined {
  const { descr, title } = firstWithin(drawing, 'wp:docPr')?.attributes ?? {}
  const shape = firstWithin(drawing, 'v:shape')?.attributes
  return descr?.trim() || title?.trim() || shape?.['alt']?.trim() || undefined
}

/** The name of the picture's file is better than silence about it; other drawings stay silent. */
function fileName(drawing: XmlElement, { relationships }: InlineContext): string | undefined {
  const blip = firstWithin(drawing, 'a:blip')?.attributes
  const data = firstWithin(drawing, 'v:imagedata')?.attributes
  const id = blip?.['r:embed'] ?? blip?.['r:link'] ?? data?.['r:id']
  const target = id === undefined ? undefined : relationships.get(id)
  return target && !target.isExternal ? lastStep(target.target) : undefined
}

const lastStep = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** The paragraphs and tables of a box, a cell or a note, whatever they are wrapped in. */
export function* blockElements(parent: XmlElement): Generator<XmlElement> {
  for (const element of elementsOf(parent)) {
    if (element.name === 'w:p' || element.name === 'w:tbl') yield element
    else if (element.name === 'mc:AlternateContent') yield* blockElements(child(element, 'mc:Choice') ?? element)
    else if (!element.name.endsWith('Pr')) yield* blockElements(element)
  }
}
