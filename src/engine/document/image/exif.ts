import { textIn } from '../../../util/xml.ts'
import { type ImageMetadata, type BinaryView, binaryView } from './image-facts.ts'

const maxEntries = 512
const typeBytes: readonly number[] = [0, 1, 1, 2, 4, 8]
const tags = {
  width: 0x0100,
  height: 0x0101,
  description: 0x010e,
  maker: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  software: 0x0131,
  date: 0x0132,
  artist: 0x013b,
  copyright: 0x8298,
  exif: 0x8769,
  taken: 0x9003,
  windowsTitle: 0x9c9b,
  windowsComment: 0x9c9c,
} as const

/** Values of EXIF orientation (Exif 3.0, 4.6.5.1.6) that turn the picture; from 5 on, its sides change places. */
const turns: Readonly<Record<number, string>> = {
  2: 'mirrored',
  3: 'rotated 180°',
  4: 'mirrored and rotated 180°',
  5: 'mirrored and rotated 90° counterclockwise',
  6: 'rotated 90° clockwise',
  7: 'mirrored and rotated 90° clockwise',
  8: 'rotated 90° counterclockwise',
}

export type ExifFacts = ImageMetadata & { swapsSides: boolean }

/** Reads the first directory of a TIFF structure and its EXIF directory. GPS is not looked at. Nothing for what is none. */
export function readExif(bytes: Uint8Array): ExifFacts {
  const order = bytes[0] === 0x49 ? 'little' : 'big'
  const view = binaryView(bytes, order)
  if (view.u16(2) !== 42) return { swapsSides: false }
  const main = directory(view, view.u32(4))
  const exif = directory(view, main.number(tags.exif))
  const turn = main.number(tags.orientation)
  return {
    width: main.number(tags.width) || undefined,
    height: main.number(tags.height) || undefined,
    swapsSides: turn >= 5 && turn <= 8,
    orientation: turns[turn],
    title: main.wide(tags.windowsTitle),
    description: main.text(tags.description) || main.wide(tags.windowsComment),
    author: main.text(tags.artist),
    copyright: main.text(tags.copyright),
    software: main.text(tags.software),
    camera: cameraOf(main.text(tags.maker), main.text(tags.model)),
    date: dateOf(exif.text(tags.taken) || main.text(tags.date)),
  }
}

/** The entries of one directory by tag; none where its offset leads nowhere. */
function directory(view: BinaryView, at: number) {
  const count = at === 0 ? 0 : Math.min(view.u16(at), maxEntries)
  const entries = new Map(
    Array.from({ length: count }, (_, index) => [view.u16(at + 2 + index * 12), at + 2 + index * 12]),
  )
  const bytesOf = (tag: number): readonly [start: number, length: number] => {
    const entry = entries.get(tag)
    if (entry === undefined) return [0, 0]
    const length = view.u32(entry + 4) * (typeBytes[view.u16(entry + 2)] ?? 0)
    return [length <= 4 ? entry + 8 : view.u32(entry + 8), length]
  }
  return {
    number(tag: number): number {
      const entry = entries.get(tag)
      if (entry === undefined) return 0
      return view.u16(entry + 2) === 3 ? view.u16(entry + 8) : view.u32(entry + 8)
    },
    text: (tag: number) => view.text(...bytesOf(tag)).trim(),
    /** Windows writes its own fields in UTF-16. */
    wide(tag: number): string {
      const [start, length] = bytesOf(tag)
      return new TextDecoder('utf-16le')
        .decode(view.part(start, Math.min(length, 20_000)))
        .replace(/\0[^]*$/, '')
        .trim()
    },
  }
}

function cameraOf(maker: string, model: string): string {
  return model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${maker} ${model}`.trim()
}

/** EXIF has colons in its dates too; an unset clock is all zeros or blanks. */
function dateOf(written: string): string {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d:\d\d:\d\d)/.exec(written) ?? []
  return year && year !== '0000' ? `${year}-${month}-${day}T${time}` : ''
}

const maxChars = 200_000

/** The plain Dublin Core properties of an XMP packet: of texts in several languages, the first. */
export function readXmp(packet: string): ImageMetadata {
  const xmp = packet.slice(0, maxChars)
  return {
    title: property(xmp, 'title'),
    description: property(xmp, 'description'),
    author: property(xmp, 'creator'),
    copyright: property(xmp, 'rights'),
  }
}

function property(xmp: string, name: string): string {
  const start = xmp.search(new RegExp(`<dc:${name}[\\s>]`))
  if (start === -1) return ''
  const end = xmp.indexOf(`</dc:${name}>`, start)
  const value = end === -1 ? '' : xmp.slice(start, Math.min(end, start + 20_000))
  const [, item] = /<rdf:li\b[^<>]*>([^<]*)</.exec(value) ?? []
  return textIn(item ?? value.replace(/<[^<>]*>/g, '')).trim()
}
