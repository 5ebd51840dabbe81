import type { Converter, Source } from '../converter.ts'
import { nameIn } from '../media-types.ts'
import { refuse } from '../refuse.ts'
import { textOf } from '../text/plain.ts'
import { readTags, textIn, type XmlTag } from '../../../util/xml.ts'
import { readExif } from './exif.ts'
import { type ImageFacts, merged, binaryView } from './image-facts.ts'
import { readAvif, readGif, readJpeg, readPng, readWebp } from './raster.ts'
import { escapeHtml } from '../markup/markup.ts'

function readBmp(bytes: Uint8Array): ImageFacts {
  const view = binaryView(bytes, 'little')
  if (view.u32(14) === 12) return { format: 'BMP', width: view.u16(18), height: view.u16(20) }
  // A height below zero means that rows go from top to bottom.
  return { format: 'BMP', width: Math.abs(view.u32(18) | 0), height: Math.abs(view.u32(22) | 0) }
}

/** The largest of the pictures in an icon; a side of 0 stands for 256. */
function readIco(bytes: Uint8Array): ImageFacts {
  const view = binaryView(bytes, 'little')
  const count = Math.min(view.u16(4), 256)
  const sizes = Array.from({ length: count }, (_, index) => ({
    width: view.u8(6 + index * 16) || 256,
    height: view.u8(7 + index * 16) || 256,
  }))
  return { format: 'ICO', ...sizes.toSorted((one, other) => other.width - one.width)[0] }
}

function readTiff(bytes: Uint8Array): ImageFacts {
  const { swapsSides, width, height, ...said } = readExif(bytes)
  return merged({ format: 'TIFF', ...(swapsSides ? { width: height, height: width } : { width, height }) }, said)
}

/** The first bytes in hexadecimal, and who reads such a file. */
const readers: readonly (readonly [RegExp, (bytes: Uint8Array) => ImageFacts])[] = [
  [/^89504e47/, readPng],
  [/^ffd8/, readJpeg],
  [/^47494638/, readGif],
  [/^52494646.{8}57454250/, readWebp],
  [/^.{8}66747970/, readAvif],
  [/^424d/, readBmp],
  [/^00000[12]00/, readIco],
  [/^(?:49492a00|4d4d002a)/, readTiff],
]

/** A picture as its address and what it says of itself. What it shows is not looked at. */
export const readImage: Converter = (source) => {
  const facts = factsOf(source)
  const name = facts.title || facts.description?.slice(0, 200) || nameIn(source.url) || 'image'
  const rows = rowsOf(facts, source.bytes.byteLength).map(([key, value]) => `<li>${key}: ${escapeHtml(value)}</li>`)
  const texts = (facts.text ?? []).map((text) => `<p>${escapeHtml(text)}</p>`)
  return {
    html: `<p><img src="${escapeHtml(addressOf(source.url))}" alt="${escapeHtml(name)}"></p><ul>${rows.join('')}</ul>${texts.join('')}`,
    metadata: metadataOf(facts),
  }
}

/** A picture that was sent here has a name, but no address. */
const addressOf = (url: string) => url.replace(/^file:\/+/, '')

function factsOf(source: Source): ImageFacts {
  const start = Buffer.from(source.bytes.subarray(0, 16)).toString('hex')
  const reader = readers.find(([pattern]) => pattern.test(start))
  if (reader) return reader[1](source.bytes)
  const text = textOf(source)
  if (!/<(?:\w+:)?svg[\s>]/i.test(text.slice(0, 20_000)))
    return refuse('The file is called an image, and is none that is known.')
  return readSvg(text)
}

function rowsOf(facts: ImageFacts, bytes: number): (readonly [key: string, value: string])[] {
  const { format, width, height, isAnimated, title, description, author, copyright, date, camera } = facts
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Format', isAnimated ? `${format}, animated` : format],
    ['Size', width && height ? `${width} × ${height} pixels` : undefined],
    ['Bytes', String(bytes)],
    ['Title', title],
    ['Description', description],
    ['Author', author],
    ['Copyright', copyright],
    ['Date', date],
    ['Camera', camera],
    ['Software', facts.software],
    ['Orientation', facts.orientation],
  ]
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== '')
}

function metadataOf({ format, width, height, isAnimated, title, description, author, ...facts }: ImageFacts) {
  const said = { title, description, author, copyright: facts.copyright, camera: facts.camera, dateCreated: facts.date }
  return {
    imageFormat: format,
    ...(width && height && { imageWidth: width, imageHeight: height }),
    ...(isAnimated !== undefined && { isAnimated }),
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value)),
  }
}

const maxTexts = 2000
const wordy = new Set(['title', 'desc', 'text'])
const moving = new Set(['animate', 'animatetransform', 'animatemotion', 'set'])

/** What an SVG says in words: its title and description, and the text that is drawn. */
function readSvg(svg: string): ImageFacts {
  const words: { name: string; text: string }[] = []
  let root: ReadonlyMap<string, string> = new Map()
  let open: XmlTag | undefined
  let isAnimated = false
  readTags(svg, (tag) => {
    const name = localOf(tag)
    if (name === 'svg' && root.size === 0) root = tag.attributes
    isAnimated ||= moving.has(name)
    if (!open && tag.kind === 'open' && wordy.has(name)) open = tag
    if (!open || tag.kind !== 'close' || tag.name !== open.name) return
    words.push({ name, text: plainText(svg.slice(open.end, tag.start)) })
    open = undefined
  })
  const first = (name: string) => words.find((word) => word.name === name)?.text
  const drawn = words.filter(({ name, text }) => name === 'text' && text !== '').slice(0, maxTexts)
  return {
    format: 'SVG',
    ...sizeOf(root),
    isAnimated,
    title: first('title'),
    description: first('desc'),
    text: drawn.map(({ text }) => text),
  }
}

const localOf = ({ name }: XmlTag) => name.slice(name.indexOf(':') + 1)

/** Lines of a text are elements of their own, which stand apart. */
const plainText = (markup: string) =>
  textIn(markup.replace(/<[^<>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

function sizeOf(root: ReadonlyMap<string, string>): { width?: number | undefined; height?: number | undefined } {
  const [, , width, height] = (root.get('viewbox') ?? '').trim().split(/[\s,]+/)
  return { width: pixels(root.get('width')) ?? pixels(width), height: pixels(root.get('height')) ?? pixels(height) }
}

function pixels(length: string | undefined): number | undefined {
  const [, number] = /^\s*(\d{1,7}(?:\.\d+)?)(?:px)?\s*$/.exec(length ?? '') ?? []
  return number === undefined ? undefined : Number(number)
}
