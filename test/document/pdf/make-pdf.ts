import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import type { Converted } from '../../../src/engine/document/converter.ts'
import { readPdf } from '../../../src/engine/document/pdf/read-pdf.ts'
import { readHtml } from '../../../src/engine/html/page/read-parts.ts'
import type { PdfOptions } from '../../../src/contracts/page-content.ts'

export type Face = 'plain' | 'bold' | 'italic' | 'mono' | 'symbols'
/** Text at a place; `y` is the distance of its baseline from the top of the page, in points. */
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
  symbols: StandardFonts.ZapfDingbats,
}

/** A PDF of sheets with text at places, as writers without tags make them. */
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
    for (const { from, to } of rules) {
      page.drawLine({
        start: { x: from[0], y: size[1] - from[1] },
        end: { x: to[0], y: size[1] - to[1] },
        thickness: 0.5,
        color: rgb(0, 0, 0),
      })
    }
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
  const { markdown = '' } = readHtml({
    html: converted.html,
    url,
    wanted: ['markdown'],
    attributes: [],
    onlyMainContent: false,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
  })
  return { ...converted, markdown }
}
