import type { PDFPageProxy } from 'unpdf/pdfjs'
import { type Matrix, product, sixOf } from '../content-stream/page-graphics.ts'
import type { PdfFile } from '../open-pdf.ts'

/** A picture on a page: its name among the page's objects, or its data, and its position. */
type PlacedImage = { source: string | Raster; map: Matrix }

/** Minimum share of the page covered by a picture of text; smaller ones are logos. */
const minShare = 0.05

/** Returns pictures of a page that are large enough to contain its text, from top to bottom, as PGM. */
export async function pageImages(pdf: PdfFile, number: number): Promise<Uint8Array[]> {
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

async function paintedOn(page: PDFPageProxy, base: Matrix): Promise<PlacedImage[]> {
  const { OPS } = await import('unpdf/pdfjs')
  const { fnArray, argsArray } = await page.getOperatorList()
  const kept: Matrix[] = []
  const pictures: PlacedImage[] = []
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
  // A reused mask is stored by name instead of its data.
  return typeof value.data === 'string' ? value.data : (value as Raster)
}

async function rasterNamed(page: PDFPageProxy, name: string): Promise<Raster | undefined> {
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs
  const raster = await new Promise<unknown>((resolve) => objects.get(name, resolve))
  const isRaster = typeof raster === 'object' && raster !== null && 'data' in raster && Boolean(raster.data)
  return isRaster ? (raster as Raster) : undefined
}

/** A decoded picture as returned by pdf.js. */
type Raster = { width: number; height: number; data: Uint8Array | Uint8ClampedArray }
type Gray = { width: number; height: number; data: Uint8Array }

/** Returns the brightness of each pixel, 0 to 255; undefined for an unknown data layout. */
function grayOf({ width, height, data }: Raster): Gray | undefined {
  const rowBytes = (width + 7) >> 3
  const gray = new Uint8Array(width * height)
  if (data.length === rowBytes * height && data.length < gray.length) {
    for (let at = 0; at < gray.length; at += 1) {
      const x = at % width
      const byte = data[((at - x) / width) * rowBytes + (x >> 3)] ?? 0
      gray[at] = (byte >> (7 - (x & 7))) & 1 ? 255 : 0
    }
    return { width, height, data: gray }
  }
  const channels = data.length / gray.length
  if (channels !== 1 && channels !== 3 && channels !== 4) return undefined
  for (let at = 0; at < gray.length; at += 1) {
    const from = at * channels
    const [red = 0, green = 0, blue = 0] =
      channels === 1 ? [data[from], data[from], data[from]] : [data[from], data[from + 1], data[from + 2]]
    gray[at] = (red * 77 + green * 151 + blue * 28) >> 8
  }
  return { width, height, data: gray }
}

/** Rotates the picture as the page shows it. `map` transforms the unit square, whose top is y = 1, to the page. */
function upright({ width, height, data }: Gray, [a, b, c, d]: Matrix): Gray {
  const isSideways = Math.abs(a) < Math.abs(b)
  const size = isSideways ? { width: height, height: width } : { width, height }
  const turned = new Uint8Array(data.length)
  // y grows downwards both on the page and in the picture.
  const flipsX = (isSideways ? -c : a) < 0
  const flipsY = (isSideways ? b : -d) < 0
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const across = flipsX ? size.width - 1 - x : x
      const down = flipsY ? size.height - 1 - y : y
      const from = isSideways ? across * width + down : down * width + across
      turned[y * size.width + x] = data[from] ?? 255
    }
  }
  return { ...size, data: turned }
}

/** Portable graymap (PGM), which needs no encoder. */
function pgmOf({ width, height, data }: Gray): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data])
}
