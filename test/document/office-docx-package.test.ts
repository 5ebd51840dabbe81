import { describe, expect, it } from 'vitest'
import { readDocx } from '../../src/engine/document/docx/docx.ts'
import { converted, expectRefusal, type Refused } from './converting.ts'
import { docx, type DocxParts, namespaces, para, relationships, run, zipped } from './office-files.ts'

const markdownOf = async (body: string, parts: DocxParts = {}) =>
  (await converted(readDocx, docx(body, parts))).markdown
const mark = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`
const link = (id: string) => para(`<w:hyperlink r:id="${id}">${run('go')}</w:hyperlink>`)

describe('the parts of a Word document', () => {
  it('keep links, except to files of the author and to scripts', async () => {
    const targets = ['https://ex.com/?a=1&amp;b=2', 'file:///C:/x.doc', 'javascript:alert(1)', 'mailto:a@b.org']
    const links = targets.map((target, i) => [`l${i}`, 'hyperlink', target, 'External'] as const)
    const body = [0, 1, 2, 3, 9].map((i) => link(`l${i}`)).join('')
    expect(await markdownOf(body, { links })).toBe(
      '[go](https://ex.com/?a=1&b=2)\n\ngo\n\ngo\n\n[go](mailto:a@b.org)\n\ngo',
    )
  })

  it('number notes in the order of their references, and stop notes that refer to themselves', async () => {
    const footnotes = [1, 2]
      .map((id) => `<w:footnote w:id="${id}">${para(`${run(`note ${id}`)}${mark(id)}`)}</w:footnote>`)
      .join('')
    const body = para(run('a') + mark(2) + run('b') + mark(1) + run('c') + mark(7))
    expect(await markdownOf(body, { footnotes })).toBe('a[^1]b[^2]c\n\n[^1]: note 2\n\n[^2]: note 1')
  })

  it('are read in strict OOXML, with a byte order mark, capitals and backslashes', async () => {
    const strict = 'http://purl.oclc.org/ooxml/wordprocessingml/main'
    const document = `\uFEFF<?xml version="1.0" encoding="UTF-8"?><x:document xmlns:x="${strict}"><x:body><x:p><x:r><x:t>strict</x:t></x:r></x:p></x:body></x:document>`
    const root = relationships(['r1', 'officeDocument', '/WORD/Document.xml']).replaceAll(
      'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
      'http://purl.oclc.org/ooxml/officeDocument/relationships',
    )
    const { markdown } = await converted(readDocx, zipped({ '_RELS\\.rels': root, 'word\\DOCUMENT.XML': document }))
    expect(markdown).toBe('strict')
  })

  it('expand no entities', async () => {
    const entities = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    const document = `<!DOCTYPE d [<!ENTITY l0 "lol">${entities}<!ENTITY f SYSTEM "file:///etc/passwd">]><w:document ${namespaces}><w:body>${para('&l10;&f;.')}</w:body></w:document>`
    const { markdown } = await converted(readDocx, docx('', { more: { 'word/document.xml': document } }))
    expect(markdown).toBe('\\&l10;&f;.')
  })

  it('keep the content before damage', async () => {
    const document = `<w:document ${namespaces}><w:body>${para('before')}<w:p><w:r><w:t>half`
    const { markdown } = await converted(readDocx, docx('', { more: { 'word/document.xml': document } }))
    expect(markdown).toBe('before\n\nhalf')
  })

  it.each<Refused>([
    ['without its main part', zipped({ 'a.txt': '' }), /main part/],
    ['nested too deeply', docx('<w:sdt>'.repeat(600)), /nested too deeply/],
    ['without valid XML', docx('< '.repeat(5000)), /not valid XML/],
    ['that is a bomb', docx('', { more: { 'word/document.xml': new Uint8Array(120_000_000) } }), /too large/],
    ['with one paragraph of a million parts', docx(`<w:p>${'<w:r/>'.repeat(1_000_001)}</w:p>`), /too many elements/],
  ])('of a file %s are refused', expectRefusal(readDocx))
})
