import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hasTesseract } from '../../src/engine/document/ocr/tesseract.ts'
import { openPdf } from '../../src/engine/document/pdf/open-pdf.ts'
import { pageImages } from '../../src/engine/document/pdf/ocr/scanned-pages.ts'
import { readImage } from '../../src/engine/document/image/read-image.ts'
import { converted, expectRefusal, type Refused } from './converting.ts'
import {
  avif,
  bmp,
  gif,
  grayPng,
  ico,
  jpeg,
  jpegSegment,
  png,
  pngChunk,
  tiff,
  vp8,
  vp8l,
  vp8x,
  webp,
  xmp,
} from './pictures.ts'

const metadataOf = async (bytes: Uint8Array | string) => (await converted(readImage, bytes)).metadata
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const exif = (...parts: Parameters<typeof tiff>) =>
  jpegSegment(0xe1, Buffer.concat([latin1('Exif\0\0'), tiff(...parts)]))
const size = (imageFormat: string, imageWidth: number, imageHeight: number) => {
  return { imageFormat, imageWidth, imageHeight }
}
const xmpSegment = (inside: string) => jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp(inside)}`))

test('a picture becomes its URL, name and properties', async () => {
  const bytes = png(3, 2, pngChunk('tEXt', latin1('Author\0Ann <b>')))
  const { markdown, metadata } = await converted(readImage, bytes, { url: 'https://ex.com/a/red%20cat.png?x=1' })
  expect(markdown).toBe(
    `![red cat.png](https://ex.com/a/red%20cat.png?x=1)\n\n- Format: PNG\n- Size: 3 × 2 pixels\n- Bytes: ${bytes.length}\n- Author: Ann \\<b>`,
  )
  expect(metadata).toEqual({ ...size('PNG', 3, 2), isAnimated: false, author: 'Ann <b>' })
})

test.each<[what: string, bytes: Uint8Array, facts: object]>([
  ['PNG', png(30, 20), { ...size('PNG', 30, 20), isAnimated: false }],
  [
    'animated PNG',
    png(3, 2, pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))),
    { ...size('APNG', 3, 2), isAnimated: true },
  ],
  ['JPEG', jpeg(640, 480), size('JPEG', 640, 480)],
  ['GIF', gif(5, 6, 1), { ...size('GIF', 5, 6), isAnimated: false }],
  ['animated GIF', gif(5, 6, 3), { ...size('GIF', 5, 6), isAnimated: true }],
  ['lossy WebP', webp(['VP8 ', vp8(400, 300)]), size('WebP', 400, 300)],
  ['lossless WebP', webp(['VP8L', vp8l(401, 303)]), size('WebP', 401, 303)],
  ['AVIF with a thumbnail', avif('avif', [64, 64], [800, 600]), { ...size('AVIF', 800, 600), isAnimated: false }],
  ['animated AVIF', avif('avis', [8, 6]), { ...size('AVIF', 8, 6), isAnimated: true }],
  ['ICO with several sizes', ico(16, 256, 32), size('ICO', 256, 256)],
  ['TIFF', tiff({ 0x100: 70, 0x101: 50 }), size('TIFF', 70, 50)],
  ['big-endian TIFF', tiff({ 0x100: 70, 0x101: 50 }, {}, 'BE'), size('TIFF', 70, 50)],
])('measures %s', async (_, bytes, facts) => expect(await metadataOf(bytes)).toEqual(facts))

describe('metadata of pictures', () => {
  test('in EXIF is read, without the place where the picture was taken', async () => {
    const bytes = jpeg(
      40,
      30,
      exif(
        { 0x10e: 'A röd cat', 0x10f: 'Canon', 0x110: 'Canon X1', 0x112: 6, 0x13b: 'Ann', 0x8298: '© Ann', 0x8825: 8 },
        { 0x9003: '2026:01:05 10:11:12' },
      ),
    )
    const { markdown, metadata } = await converted(readImage, bytes)
    expect(metadata).toEqual({
      ...size('JPEG', 30, 40),
      description: 'A röd cat',
      author: 'Ann',
      copyright: '© Ann',
      camera: 'Canon X1',
      dateCreated: '2026-01-05T10:11:12',
    })
    expect(markdown).toContain('- Orientation: rotated 90° clockwise')
    expect(markdown).toContain('![A röd cat]')
  })

  test.each<[what: string, bytes: Uint8Array, facts: object]>([
    ['text of PNG', png(1, 1, pngChunk('tEXt', latin1('Title\0F\xfcr'))), { title: 'Für' }],
    [
      'compressed text of PNG',
      png(1, 1, pngChunk('zTXt', Buffer.concat([latin1('Title\0\0'), deflateSync(latin1('T'))]))),
      { title: 'T' },
    ],
    ['text of PNG in Unicode', png(1, 1, pngChunk('iTXt', Buffer.from('Title\0\0\0de\0\0猫'))), { title: '猫' }],
    ['EXIF of PNG', png(1, 1, pngChunk('eXIf', tiff({ 0x13b: 'Ann' }))), { author: 'Ann' }],
    ['EXIF of WebP', webp(['VP8X', vp8x(1, 1, 8)], ['EXIF', tiff({ 0x13b: 'Ann' })]), { author: 'Ann' }],
    [
      'XMP of JPEG',
      jpeg(
        1,
        1,
        xmpSegment('<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; 猫</rdf:li></rdf:Alt></dc:title>'),
      ),
      { title: 'A & 猫' },
    ],
  ])('is read from %s', async (_, bytes, facts) => expect(await metadataOf(bytes)).toMatchObject(facts))
})

describe('an SVG file', () => {
  test('is read as its text', async () => {
    const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100.5">
      <title>Sales &amp; costs</title><desc>By year</desc><style>text { fill: red }</style><script>alert("x")</script>
      <g><title>inner</title><text x="1"><tspan>Year</tspan><tspan>2026</tspan></text><text></text></g><rect><animate/></rect></svg>`
    const { markdown, metadata } = await converted(readImage, svg)
    expect(metadata).toEqual({
      ...size('SVG', 200, 100.5),
      isAnimated: true,
      title: 'Sales & costs',
      description: 'By year',
    })
    expect(markdown).toContain('![Sales & costs](https://ex.com/file)')
    expect(markdown).toMatch(/\n\nYear 2026$/)
    expect(markdown).not.toMatch(/alert|fill|inner/)
  })

  test.each([
    ['<svg width="10" height="20px"/>', { imageWidth: 10, imageHeight: 20 }],
    ['<svg width="100%" viewBox="0,0,30,40"/>', { imageWidth: 30, imageHeight: 40 }],
    ['<svg:svg xmlns:svg="s" width="1" height="2"></svg:svg>', { imageWidth: 1, imageHeight: 2 }],
    ['<svg width="wide"/>', {}],
  ])('%s has the size %j', async (svg, facts) => {
    expect(await metadataOf(svg)).toEqual({ imageFormat: 'SVG', isAnimated: false, ...facts })
  })
})

test.each<Refused>([
  ['text instead of a picture', 'words', /format is unknown/],
  ['an empty picture', '', /format is unknown/],
])('refuses %s', expectRefusal(readImage))

afterEach(() => vi.unstubAllEnvs())

const canRecognise = await hasTesseract()
const recognised = (bytes: Uint8Array | string) => converted(readImage, bytes, { hasImageParser: true })

/** The scan of one line, as a picture. */
async function scannedLine(): Promise<Buffer> {
  const file = readFileSync(join(import.meta.dirname, 'pdf', 'scan.pdf'))
  const [scan] = await pageImages(await openPdf(new Uint8Array(file), 'decoded'), 1)
  const [, width = 0, height = 0] = (Buffer.from(scan!).toString('latin1', 0, 40).match(/\d+/g) ?? []).map(Number)
  return grayPng(width, height, Buffer.from(scan!).subarray(-width * height))
}

describe('text in a picture', () => {
  test.runIf(canRecognise)('is read by OCR', async () => {
    const { markdown, warning } = await recognised(await scannedLine())
    expect(markdown).toContain('\n\nThe ships came in at dawn.')
    expect(warning).toBeUndefined()
  })

  test.runIf(canRecognise)('is missing with a warning if the picture is damaged', async () => {
    const { warning } = await recognised(png(30, 20).subarray(0, 40))
    expect(warning).toBe('Text in the picture was not read: tesseract cannot read this picture.')
  })

  test('is not read in a picture that is too large for the memory', async () => {
    const { warning } = await recognised(gif(60_000, 60_000, 1))
    expect(warning).toBe('Text in the picture was not read: it has more than 70 million pixels.')
  })

  test('is missing with a warning without tesseract, except in SVG', async () => {
    vi.stubEnv('PATH', '')
    expect((await recognised(png(3, 2))).warning).toBe(
      'Text in the picture was not read: tesseract is not installed on the machine that runs Gossamer.',
    )
    const { markdown, warning } = await recognised('<svg><text>Drawn words</text></svg>')
    expect([markdown.endsWith('\n\nDrawn words'), warning]).toEqual([true, undefined])
  })
})

const whole = [
  png(3, 2, pngChunk('tEXt', latin1('Title\0x'))),
  jpeg(4, 3, exif({ 0x10e: 'text', 0x110: 'M' }, { 0x9003: '2026:01:05 10:11:12' })),
  gif(5, 6, 3, 'c'),
  webp(['VP8X', vp8x(10, 70, 2)], ['EXIF', tiff({ 0x13b: 'Ann' })]),
  avif('avif', [8, 6]),
  bmp(9, 7),
  ico(16, 32),
  tiff({ 0x100: 70, 0x101: 50 }),
]

test('pictures with wrong lengths and counts, or with a cyclic directory, are read to the end', async () => {
  for (const bytes of whole)
    for (let at = 12; at + 4 <= bytes.length; at += 2)
      for (const wrong of [0, 0xff]) expect(await metadataOf(Buffer.from(bytes).fill(wrong, at, at + 4))).toBeDefined()
  expect(await metadataOf(tiff({ 0x100: 70, 0x8769: 8 }))).toMatchObject({ imageFormat: 'TIFF' })
})

test('a compressed text that is a bomb is left out', async () => {
  const bomb = pngChunk('zTXt', Buffer.concat([latin1('Title\0\0'), deflateSync(Buffer.alloc(50_000_000))]))
  expect(await metadataOf(png(1, 1, bomb))).toEqual({ ...size('PNG', 1, 1), isAnimated: false })
})
