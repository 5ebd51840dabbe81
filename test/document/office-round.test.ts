import { describe, expect, it } from 'vitest'
import type { Converter } from '../../src/engine/document/converter.ts'
import { readDocx } from '../../src/engine/document/docx/docx.ts'
import { readOdp, readOds, readOdt } from '../../src/engine/document/odf/odf.ts'
import { readPptx } from '../../src/engine/document/pptx/pptx.ts'
import { refuseLegacy } from '../../src/engine/document/refuse.ts'
import { readRtf } from '../../src/engine/document/rtf/rtf.ts'
import { readXlsx } from '../../src/engine/document/xlsx/xlsx.ts'
import { converted } from './converting.ts'
import { fixture, fixtureText } from './office-files.ts'

describe('LibreOffice files', () => {
  it.each<[string, Converter, string]>([
    ['rich.docx', readDocx, 'rich.md'],
    ['rich.odt', readOdt, 'rich.md'],
    ['rich.rtf', readRtf, 'rich-rtf.md'],
    ['book.xlsx', readXlsx, 'book.md'],
    ['book.ods', readOds, 'book.md'],
    ['talk.pptx', readPptx, 'talk.md'],
    ['talk.odp', readOdp, 'talk.md'],
  ])('%s is read completely', async (name, convert, expected) => {
    const { markdown } = await converted(convert, fixture(name))
    // One of the workbook formats stores the seconds of a time.
    expect(`${markdown}\n`.replace('23:59:00', '23:59')).toBe(fixtureText(expected))
  })

  const sheets = 'Hidden sheets left out: 1. Sheet 1: hidden rows or columns were left out.'
  const slides = 'Hidden slides left out: 1.'

  it.each<[string, Converter, number, string]>([
    ['book.xlsx', readXlsx, 2, sheets],
    ['book.ods', readOds, 2, sheets],
    ['talk.pptx', readPptx, 3, slides],
    ['talk.odp', readOdp, 3, slides],
  ])('%s omits hidden parts with a warning', async (name, convert, count, text) => {
    const { numPages, warning, markdown } = await converted(convert, fixture(name))
    expect([numPages, warning]).toEqual([count, text])
    expect(markdown).not.toMatch(/hidden/i)
  })
})

const ole = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(`${stream}\0`, 'utf16le')])

describe('files of old office programs', () => {
  it.each<[string, Uint8Array, RegExp, RegExp]>([
    ['a Word document', fixture('rich.doc'), /Word document .*\.doc\)/, /docx/],
    ['an Excel workbook', fixture('book.xls'), /Excel workbook .*\.xls\)/, /xlsx/],
    ['a presentation', ole('PowerPoint Document'), /PowerPoint .*\.ppt\)/, /pptx/],
    ['a file with a password', ole('EncryptedPackage'), /password/, /without a password/],
    ['a message', ole('__properties_version1.0'), /Outlook/, /HTML/],
    ['another OLE file', ole('Other'), /old binary format/, /current format/],
  ])('are refused by their content: %s', (_, bytes, message, hint) => {
    expect(() => refuseLegacy(bytes)).toThrow(
      expect.objectContaining({
        code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      }),
    )
  })

  it.each<[string, Converter]>([
    ['docx', readDocx],
    ['xlsx', readXlsx],
    ['pptx', readPptx],
  ])('are refused when sent as %s', async (_, convert) => {
    await expect(converted(convert, ole('EncryptedPackage'))).rejects.toThrow(/password/)
  })

  it('other bytes are not recognised as an old office file', () =>
    expect(refuseLegacy(fixture('rich.docx'))).toBeUndefined())
})
