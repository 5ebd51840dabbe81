import type { PDFPageProxy } from 'unpdf/pdfjs'
import type { PdfFile } from '../open-pdf.ts'
import { fontsOf } from '../text/fonts.ts'
import { boxOf, type Matrix, sixOf } from './geometry.ts'
import { type Glyph, type Link, maxLinks, type PageMarks, type Rule } from './marks.ts'
import { createPen, steps } from './pen.ts'

/** Reads what is drawn on a page, in the order it is drawn. What lies outside the page as it is shown is left out. */
export async function marksOf(pdf: PdfFile, page: PDFPageProxy): Promise<PageMarks> {
  const { OPS } = await import('unpdf/pdfjs')
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const { fnArray, argsArray } = await page.getOperatorList()
  const layers = await pdf.getOptionalContentConfig()
  const base = sixOf(transform as number[])
  const fontNames = argsArray.flatMap((args: unknown[] | null, index) =>
    fnArray[index] === OPS.setFont ? [String(args?.[0])] : [],
  )
  const stepNames = new Map(Object.entries(OPS).map(([name, code]) => [code as number, name]))
  const fonts = await fontsOf(page, new Set(fontNames))
  const pen = createPen({ fonts, base, isShown: (group) => layers.isVisible(group) !== false })
  fnArray.forEach((code, index) => steps[stepNames.get(code) ?? '']?.(pen, (argsArray[index] ?? []) as unknown[]))
  const isOnPage = ({ x, y }: Glyph) => x >= -1 && y >= -1 && x <= width + 1 && y <= height + 1
  return {
    width,
    height,
    glyphs: readableInk(pen.glyphs.filter(isOnPage)),
    rules: pen.rules.filter((rule) => isInside(rule, width, height)),
    links: await linksOf(page, base),
    dots: pen.dots,
    shapes: pen.shapes,
  }
}

const isInside = ({ left, top, right, bottom }: Rule, width: number, height: number) =>
  right >= 0 && bottom >= 0 && left <= width && top <= height

/** Invisible text is what a scanner read on its picture of the page; beside visible text it is no part of what is shown. */
function readableInk(glyphs: readonly Glyph[]): readonly Glyph[] {
  const visible = glyphs.filter(({ ink }) => ink === 'visible')
  return visible.length * 4 < glyphs.length ? glyphs : visible
}

type Annotation = { subtype?: string; url?: string; rect?: ArrayLike<number> }

async function linksOf(page: PDFPageProxy, base: Matrix): Promise<Link[]> {
  const annotations = (await page.getAnnotations()) as Annotation[]
  return annotations
    .slice(0, maxLinks * 5)
    .flatMap(({ subtype, url, rect }) =>
      subtype === 'Link' && rect && url && /^(?:https?|mailto):/i.test(url)
        ? [{ box: boxOf(base, rect), href: url }]
        : [],
    )
    .slice(0, maxLinks)
}
