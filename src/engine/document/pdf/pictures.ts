import type { PDFPageProxy } from 'unpdf/pdfjs'
import { product, sixOf, type Matrix } from './geometry.ts'
import type { PdfFile } from './open-pdf.ts'
import { grayOf, pgmOf, upright, type Raster } from './raster.ts'

/** A picture on a page: its name among the objects of the page, or itself, and where it is painted. */
type Picture = { source: string | Raster; map: Matrix }

/** Parts of the page that a picture of text covers at least; smaller ones are logos. */
const minShare = 0.05

/** Pictures of a page that are large enough to hold its text, from top to bottom, as PGM. */
export async function pagePictures(pdf: PdfFile, number: number): Promise<Uint8Array[]> {
  const page = await pdf.getPage(number)
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const pictures = (await paintedOn(page, sixOf(transform as number[])))
    .filter(({ map: [a, b, c, d] }) => Math.abs(a * d - b * c) > width * height * minShare)
    .sort((one, other) => topOf(one.map) - topOf(other.map))
  const found: Uint8Array[] = []
  for (const { source, map } of pictures.slice(0, 50)) {
    const raster = typeof source === 'string' ? await rasterNamed(page, source) : source
    const gray = raster && grayOf(raster)
    if (gray) found.push(pgmOf(upright(gray, map)))
  }
  page.cleanup()
  return found
}

const topOf = ([, b, , d, , f]: Matrix) => Math.min(f, f + b, f + d, f + b + d)

async function paintedOn(page: PDFPageProxy, base: Matrix): Promise<Picture[]> {
  const { OPS } = await import('unpdf/pdfjs')
  const { fnArray, argsArray } = await page.getOperatorList()
  const kept: Matrix[] = []
  const pictures: Picture[] = []
  let map = base
  fnArray.forEach((code, index) => {
    const [first] = (argsArray[index] ?? []) as unknown[]
    if (code === OPS.save || code === OPS.paintFormXObjectBegin) kept.push(map)
    if (code === OPS.restore || code === OPS.paintFormXObjectEnd) map = kept.pop() ?? base
    if (code === OPS.transform) map = product(map, argsArray[index] as number[])
    if (code === OPS.paintFormXObjectBegin && first) map = product(map, first as ArrayLike<number>)
    const source = sourceOf(first)
    const isPicture =
      code === OPS.paintImageXObject || code === OPS.paintInlineImageXObject || code === OPS.paintImageMaskXObject
    if (isPicture && source) pictures.push({ source, map })
  })
  return pictures
}

function sourceOf(value: unknown): string | Raster | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || !('data' in value)) return undefined
  // A mask that is used again is kept by name, in the place of its data.
  return typeof value.data === 'string' ? value.data : (value as Raster)
}

async function rasterNamed(page: PDFPageProxy, name: string): Promise<Raster | undefined> {
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs
  const raster = await new Promise<unknown>((resolve) => objects.get(name, resolve))
  const isRaster = typeof raster === 'object' && raster !== null && 'data' in raster && Boolean(raster.data)
  return isRaster ? (raster as Raster) : undefined
}
