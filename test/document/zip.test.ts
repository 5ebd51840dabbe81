import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { boundless } from '../../src/engine/document/converter.ts'
import { type Archive, openArchive } from '../../src/engine/document/zip/archive.ts'
import { zipKind } from '../../src/engine/document/kind.ts'
import { docx, fixture, odf, xlsx, zipped } from './office-files.ts'

const textIn = (archive: Archive, name: string) => Buffer.concat([...archive.chunks(name)]).toString()
const unsupported = (message: RegExp) =>
  expect.objectContaining({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR', message: expect.stringMatching(message) })

function failureOf(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

/** Sets a field of every central directory entry. */
function patched(bytes: Uint8Array, offset: number, values: readonly number[]): Uint8Array {
  const copy = bytes.slice()
  for (let at = 0; at + 46 < copy.length; at++)
    if (copy[at] === 0x50 && copy[at + 1] === 0x4b && copy[at + 2] === 1 && copy[at + 3] === 2)
      copy.set(values, at + offset)
  return copy
}

/** A zip64 archive of one stored part: sizes and offset are in the extra field, the count in the zip64 end record. */
function zip64(name: string, body: string): Uint8Array {
  const [path, data] = [Buffer.from(name), Buffer.from(body)]
  const local = Buffer.alloc(30)
  local.write('PK\x03\x04', 'latin1')
  local.writeUInt16LE(path.length, 26)
  const entry = Buffer.alloc(46)
  entry.write('PK\x01\x02', 'latin1')
  entry.fill(0xff, 20, 28)
  entry.writeUInt16LE(path.length, 28)
  entry.writeUInt16LE(28, 30)
  entry.fill(0xff, 42, 46)
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  extra.writeBigUInt64LE(BigInt(data.length), 4)
  extra.writeBigUInt64LE(BigInt(data.length), 12)
  const start = local.length + path.length + data.length
  const size = entry.length + path.length + extra.length
  const end64 = Buffer.alloc(56)
  end64.write('PK\x06\x06', 'latin1')
  end64.writeBigUInt64LE(1n, 32)
  end64.writeBigUInt64LE(BigInt(size), 40)
  end64.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(start + size), 8)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.fill(0xff, 8, 20)
  return Buffer.concat([local, path, data, entry, path, extra, end64, locator, end])
}

describe('a zip archive', () => {
  it('finds parts regardless of case and slashes in their names', () => {
    const archive = openArchive(zipped({ 'Word\\Document.XML': 'a', '/x/../y/./z.xml': 'b' }))
    expect(archive.names).toEqual(['Word/Document.XML', 'y/z.xml'])
    expect(textIn(archive, 'word/document.xml')).toBe('a')
    expect(textIn(archive, '\\Y\\Z.xml')).toBe('b')
    expect(textIn(archive, 'none')).toBe('')
  })

  it('is read as zip64', () => {
    expect(textIn(openArchive(zip64('a.xml', 'large')), 'a.xml')).toBe('large')
  })

  it('is read if the sizes follow the data', () => {
    const bytes = zipped({ a: 'described later' })
    const local = bytes.slice()
    local.set([8, 0], 6)
    local.fill(0, 14, 26)
    expect(textIn(openArchive(local), 'a')).toBe('described later')
  })

  it('decompresses only what is read', () => {
    let seed = 1
    const noise = () => (seed = (seed * 48_271) % 2_147_483_647)
    const archive = openArchive(zipped({ a: Uint8Array.from({ length: 3_000_000 }, noise) }))
    const [first] = archive.chunks('a')
    expect(first?.length).toBeLessThan(1_000_000)
  })

  const one = zipped({ a: 'x' })
  const long = zipped({ a: 'x'.repeat(99) })

  it.each<[string, Uint8Array, RegExp, maxEntryBytes?: number]>([
    ['cut off', long.slice(0, -30), /truncated/],
    ['empty', new Uint8Array(), /truncated/],
    ['not a zip file', strToU8('PK\x03\x04 but no more'), /truncated/],
    ['locked', patched(one, 8, [1, 0]), /password/],
    ['packed by an unknown method', patched(one, 10, [12, 0]), /unknown method/],
    ['pointing outside itself', patched(one, 42, [9, 9, 9, 0]), /truncated/],
    ['declared longer than its data', patched(one, 20, [9, 9, 9, 0]), /truncated/],
    ['damaged inside', patched(long, 20, [3, 0, 0, 0]), /truncated/],
    ['larger than a part may be', long, /too large/, 50],
    ['a bomb', zipped({ a: new Uint8Array(30_000_000) }), /too large/],
  ])('that is %s is refused', (_, bytes, message, maxEntryBytes = 100_000_000) =>
    expect(failureOf(() => textIn(openArchive(bytes, boundless, { maxEntryBytes }), 'a'))).toEqual(
      unsupported(message),
    ),
  )

  it('with too many parts is refused', () => {
    const parts = Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`p${i}`, new Uint8Array()]))
    expect(failureOf(() => openArchive(zipSync(parts, { level: 0 })))).toEqual(unsupported(/too many/))
  })
})

const types = (main: string) =>
  zipped({ '[Content_Types].xml': `<Types><Override PartName="/x" ContentType="application/${main}"/></Types>` })

describe('the kind of a zip file', () => {
  it.each(['rich.docx', 'rich.odt', 'rich.epub', 'book.xlsx', 'book.ods', 'talk.pptx', 'talk.odp'])(
    'is detected in %s of LibreOffice',
    (name) => expect(zipKind(fixture(name))).toBe(name.slice(5)),
  )

  it.each<[string, Uint8Array, string | undefined]>([
    ['Word without a list of types', docx(''), 'docx'],
    ['Excel without a list of types', xlsx(''), 'xlsx'],
    ['Word with macros', types('vnd.ms-word.document.macroEnabled.main+xml'), 'docx'],
    ['a Word template', types('vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml'), 'docx'],
    ['a binary Excel workbook', types('vnd.ms-excel.sheet.binary.macroEnabled.main'), 'xlsx'],
    ['a text template', zipped({ mimetype: 'application/vnd.oasis.opendocument.text-template' }), 'odt'],
    [
      'OpenDocument by its manifest',
      zipped({ 'META-INF/manifest.xml': 'application/vnd.oasis.opendocument.spreadsheet' }),
      'ods',
    ],
    ['a locked part that names the kind', patched(odf('text', ''), 8, [1, 0]), undefined],
    ['any other archive', zipped({ 'readme.txt': 'word/document.xml' }), undefined],
    ['half an archive', docx('').slice(0, 300), undefined],
    ['another file', strToU8('%PDF-1.7'), undefined],
  ])('of %s', (_, bytes, kind) => expect(zipKind(bytes)).toBe(kind))

  it('is not determined by decompressing a bomb', () => {
    expect(zipKind(zipped({ '[Content_Types].xml': new Uint8Array(50_000_000), 'word/document.xml': '' }))).toBe('docx')
  })
})
