import { inflateRawSync } from 'node:zlib'
import { compressedBytes, type Entry, readDirectory } from './directory.ts'

export type ZipKind = 'docx' | 'xlsx' | 'pptx' | 'odt' | 'ods' | 'odp' | 'epub'

/** What the file says of itself in its `mimetype` part. */
const mediaTypes: readonly (readonly [ZipKind, RegExp])[] = [
  ['odt', /opendocument\.text/],
  ['ods', /opendocument\.spreadsheet/],
  ['odp', /opendocument\.(?:presentation|graphics)/],
  ['epub', /epub\+zip/],
]
/** The type of its main part, with templates, shows and files with macros. */
const mainParts: readonly (readonly [ZipKind, RegExp])[] = [
  ['docx', /(?:wordprocessingml\.(?:document|template)|ms-word\.(?:document|template)\.macroenabled\w{0,20})\.main/i],
  ['xlsx', /(?:spreadsheetml\.(?:sheet|template)|ms-excel\.[\w.]{0,40}macroenabled\w{0,20})\.main/i],
  [
    'pptx',
    /(?:presentationml\.(?:presentation|template|slideshow)|ms-powerpoint\.[\w.]{0,40}macroenabled\w{0,20})\.main/i,
  ],
]
const folders: readonly (readonly [ZipKind, RegExp])[] = [
  ['docx', /^word\/document\d*\.xml$/i],
  ['xlsx', /^xl\/workbook\.(?:xml|bin)$/i],
  ['pptx', /^ppt\/presentation\.xml$/i],
  ['epub', /^META-INF\/container\.xml$/i],
]

const maxPartBytes = 2_000_000

/**
 * Which kind of document a zip file is, by its directory and one or two small parts; undefined for any other archive and
 * for what is no whole zip file. It does not load the library that converters inflate with.
 */
export function zipKind(bytes: Uint8Array): ZipKind | undefined {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return undefined
  try {
    return kindOf(bytes, readDirectory(bytes))
  } catch {
    return undefined
  }
}

function kindOf(bytes: Uint8Array, entries: readonly Entry[]): ZipKind | undefined {
  const textOf = (name: string) => {
    const entry = entries.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
    return entry ? textIn(bytes, entry) : ''
  }
  return (
    matching(mediaTypes, textOf('mimetype')) ??
    matching(mainParts, textOf('[Content_Types].xml')) ??
    folders.find(([, path]) => entries.some(({ name }) => path.test(name)))?.[0] ??
    matching(mediaTypes, textOf('META-INF/manifest.xml'))
  )
}

function matching(table: typeof mediaTypes, text: string): ZipKind | undefined {
  return table.find(([, pattern]) => pattern.test(text))?.[0]
}

/** A part that is locked or damaged says nothing; the names of the others may still tell. */
function textIn(bytes: Uint8Array, entry: Entry): string {
  try {
    return decode(inflated(bytes, entry))
  } catch {
    return ''
  }
}

function inflated(bytes: Uint8Array, entry: Entry): Uint8Array {
  const compressed = compressedBytes(bytes, entry)
  return entry.method === 0 ? compressed : inflateRawSync(compressed, { maxOutputLength: maxPartBytes })
}

function decode(bytes: Uint8Array): string {
  const label = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8'
  return new TextDecoder(label).decode(bytes.subarray(0, maxPartBytes))
}
