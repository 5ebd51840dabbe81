import { imageSize } from 'image-size'
import type { Converter, Source } from '../converter.ts'
import { nameIn } from '../media-types.ts'
import { refuse } from '../refuse.ts'
import { textOf } from '../text/plain.ts'
import { readTags, textIn, type XmlTag } from '../../../util/xml.ts'
import { embeddedIn, type ImageFacts, pngChunksIn } from './embedded.ts'
import { escapeHtml } from '../markup/inline-markup.ts'
import { hasTesseract, recogniseText } from '../ocr/tesseract.ts'

/** Leading bytes in hexadecimal, with the format they identify. */
const formats: readonly (readonly [RegExp, name: string, isAnimated?: (bytes: Buffer) => boolean | undefined])[] = [
  [
    /^89504e47/,
    'PNG',
    (bytes) =>
      [...pngChunksIn(bytes)].some(([type, body]) => type === 'acTL' && body.length >= 4 && body.readUInt32BE(0) > 1),
  ],
  [/^ffd8/, 'JPEG'],
  [/^47494638/, 'GIF', hasFrames],
  [/^52494646.{8}57454250/, 'WebP', (bytes) => (isAt(bytes, 12, 'VP8X') ? ((bytes[20] ?? 0) & 2) !== 0 : undefined)],
  [/^.{8}66747970/, 'AVIF', (bytes) => isAt(bytes, 8, 'avis')],
  [/^424d/, 'BMP'],
  [/^00000[12]00/, 'ICO'],
  [/^(?:49492a00|4d4d002a)/, 'TIFF'],
]

const isAt = (bytes: Buffer, at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text

const tableBytes = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/** Follows the blocks of a GIF (GIF89a) until there is a second frame. */
function hasFrames(bytes: Buffer): boolean {
  const byte = (at: number) => bytes[at] ?? 0
  let frames = 0
  let at = 13 + tableBytes(byte(10))
  while (at < bytes.length && frames < 2 && (byte(at) === 0x2c || byte(at) === 0x21)) {
    if (byte(at) === 0x2c) frames++
    at += byte(at) === 0x2c ? 11 + tableBytes(byte(at + 9)) : 2
    while (byte(at) !== 0) at += byte(at) + 1
    at++
  }
  return frames > 1
}

/** Converts a picture to its URL and metadata, and the text in it if requested. */
export const readImage: Converter = async (source, budget) => {
  const facts = factsOf(source)
  // OCR is inherently slow; the timeout of the call limits it.
  budget?.lift()
  const { texts, warning } =
    source.hasImageParser && !facts.text ? await recogniseIn(source, facts) : { texts: drawnTexts(facts) }
  const name = facts.title || facts.description?.slice(0, 200) || nameIn(source.url) || 'image'
  const rows = rowsOf(facts, source.bytes.byteLength).map(([key, value]) => `<li>${key}: ${escapeHtml(value)}</li>`)
  return {
    html: `<p><img src="${escapeHtml(addressOf(source.url))}" alt="${escapeHtml(name)}"></p><ul>${rows.join('')}</ul>${texts.join('')}`,
    metadata: metadataOf(facts),
    ...(warning !== undefined && { warning }),
  }
}

const drawnTexts = ({ text = [] }: ImageFacts) => text.map((each) => `<p>${escapeHtml(each)}</p>`)

/**
 * Pixels of two sheets of paper at 600 dots per inch. Tesseract decodes the whole picture, outside the memory limits.
 */
const maxPixels = 70_000_000

async function recogniseIn(
  { bytes }: Source,
  { width = 0, height = 0 }: ImageFacts,
): Promise<{ texts: readonly string[]; warning?: string }> {
  const isTooLarge = width * height > maxPixels
  const texts = isTooLarge ? undefined : await recogniseText(bytes)
  if (texts) return { texts }
  const reason = isTooLarge
    ? `it has more than ${maxPixels / 1e6} million pixels`
    : (await hasTesseract())
      ? 'tesseract cannot read this picture'
      : 'tesseract is not installed on the machine that runs Gossamer'
  return { texts: [], warning: `Text in the picture was not read: ${reason}.` }
}

/** Returns the URL, or the name of an uploaded picture, which has no URL. */
const addressOf = (url: string) => url.replace(/^file:\/+/, '')

function factsOf(source: Source): ImageFacts {
  const start = Buffer.from(source.bytes.subarray(0, 16)).toString('hex')
  const format = formats.find(([pattern]) => pattern.test(start))
  if (format) return rasterFacts(source.bytes, format)
  const text = textOf(source)
  if (!/<(?:\w+:)?svg[\s>]/i.test(text.slice(0, 20_000)))
    return refuse('The file is declared as an image, but its format is unknown.')
  return readSvg(text)
}

function rasterFacts(untrusted: Uint8Array, [, name, animated]: (typeof formats)[number]): ImageFacts {
  // Copies the bytes, because image-size reads past the end into adjacent memory.
  const bytes = Buffer.from(new Uint8Array(untrusted).buffer)
  const isAnimated = animated?.(bytes)
  const { swapsSides, ...facts } = embeddedIn(bytes)
  const { width, height } = sizeIn(bytes)
  return {
    format: isAnimated && name === 'PNG' ? 'APNG' : name,
    ...(swapsSides ? { width: height, height: width } : { width, height }),
    isAnimated,
    ...facts,
  }
}

/** image-size seeks boxes repeatedly, which a hostile file can make slow; the boxes with sizes are at the start. */
const maxBoxBytes = 65_536

/** Returns the size in pixels; an empty object for a file that is cut off before it states one. */
function sizeIn(bytes: Buffer): { width?: number; height?: number } {
  const isBoxed = isAt(bytes, 4, 'ftyp')
  // AVIF sequences have their own brand, which image-size does not know.
  if (isBoxed) bytes.write('avif', 8, 'latin1')
  try {
    return imageSize(isBoxed ? bytes.subarray(0, maxBoxBytes) : bytes)
  } catch {
    return {}
  }
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
  const known = {
    title,
    description,
    author,
    copyright: facts.copyright,
    camera: facts.camera,
    dateCreated: facts.date,
  }
  return {
    imageFormat: format,
    ...(width && height && { imageWidth: width, imageHeight: height }),
    ...(isAnimated !== undefined && { isAnimated }),
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value)),
  }
}

const maxTexts = 2000
const textElements = new Set(['title', 'desc', 'text'])
const animationElements = new Set(['animate', 'animatetransform', 'animatemotion', 'set'])

/** Reads the texts of an SVG: its title, description and drawn text. */
function readSvg(svg: string): ImageFacts {
  const words: { name: string; text: string }[] = []
  let root: ReadonlyMap<string, string> = new Map()
  let open: XmlTag | undefined
  let isAnimated = false
  readTags(svg, (tag) => {
    const name = localOf(tag)
    if (name === 'svg' && root.size === 0) root = tag.attributes
    isAnimated ||= animationElements.has(name)
    if (!open && tag.kind === 'open' && textElements.has(name)) open = tag
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

/** Replaces tags by spaces, because each line of a text is a separate element. */
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
