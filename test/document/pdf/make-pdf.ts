import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import type { Converted } from '../../../src/engine/document/converter.ts'
import { readPdf } from '../../../src/engine/document/pdf/read-pdf.ts'
import type { PdfOptions } from '../../../src/contracts/page-content.ts'
import { markdownOf } from '../../html/read.ts'

export type Face = 'plain' | 'bold' | 'italic' | 'mono'
/** Text at a position; `y` is the distance of its baseline from the top of the page, in points. */
export type Drawn = { text: string; x: number; y: number; size?: number; face?: Face; turn?: number }
export type Rule = { from: readonly [number, number]; to: readonly [number, number] }
export type Sheet = { texts: readonly Drawn[]; rules?: readonly Rule[]; size?: readonly [number, number]; draw?: Draw }
export type Draw = (page: PDFPage, document: PDFDocument) => Promise<void> | void

const paper: readonly [number, number] = [595, 842]

const standard: Record<Face, StandardFonts> = {
  plain: StandardFonts.TimesRoman,
  bold: StandardFonts.TimesRomanBold,
  italic: StandardFonts.TimesRomanItalic,
  mono: StandardFonts.Courier,
}

/** Creates a PDF without tags from texts at positions. */
export async function makePdf(
  sheets: readonly Sheet[],
  adjust: (document: PDFDocument) => void = () => undefined,
): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const fonts = new Map<Face, PDFFont>()
  const fontOf = async (face: Face) => {
    const font = fonts.get(face) ?? (await document.embedFont(standard[face]))
    fonts.set(face, font)
    return font
  }
  for (const { texts, rules = [], size = paper, draw } of sheets) {
    const page = document.addPage([...size])
    for (const { text, x, y, size: fontSize = 11, face = 'plain', turn = 0 } of texts) {
      page.drawText(text, { x, y: size[1] - y, size: fontSize, font: await fontOf(face), rotate: degrees(turn) })
    }
    const point = ([x, y]: Rule['from']) => ({ x, y: size[1] - y })
    for (const { from, to } of rules)
      page.drawLine({ start: point(from), end: point(to), thickness: 0.5, color: rgb(0, 0, 0) })
    await draw?.(page, document)
  }
  adjust(document)
  return document.save()
}

/** Breaks text at a number of characters, one line under the other. */
export function lines(
  text: string,
  at: { x: number; y: number; chars?: number; size?: number; pitch?: number; face?: Face },
): Drawn[] {
  const { x, y, chars = 80, size = 11, pitch = size * 1.2, face = 'plain' } = at
  const broken = text.split(' ').reduce<string[]>((all, word) => {
    const last = all.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= chars) all[all.length - 1] = `${last} ${word}`
    else all.push(word)
    return all
  }, [])
  return broken.map((line, index) => ({ text: line, x, y: y + index * pitch, size, face }))
}

export type Read = Converted & { html: string; markdown: string }

export async function read(bytes: Uint8Array, pdf: PdfOptions = { mode: 'fast' }): Promise<Read> {
  const url = 'https://example.com/file.pdf'
  const converted = await readPdf({ bytes, url, contentType: 'application/pdf', pdf })
  if (!('html' in converted)) throw new Error('A PDF becomes HTML.')
  return { ...converted, markdown: markdownOf(converted.html, { url }) }
}

/** Reads a page with these texts and rules. */
export const readPage = async (texts: readonly Drawn[], rules: readonly Rule[] = []): Promise<Read> =>
  read(await makePdf([{ texts, rules }]))

export const sea =
  'The ships came in at dawn with the tide and were tied up along the northern wall, where the clerks were already waiting with their books.'
export const wood =
  'Timber from the forests was floated down the river in spring and stored in long sheds until the buyers from the south had made their choice.'
