import { describe, expect, it } from 'vitest'
import { readEpub } from '../../src/engine/document/epub/epub.ts'
import { converted, expectRefusal, type Refused } from './converting.ts'
import { type Parts, zipped } from './office-files.ts'

const chapter = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/><script src="x.js"/><style>p{color:red}</style></head><body>${body}</body></html>`

/** A book of these chapters; names with spaces are written as addresses in its list. */
function book(chapters: Readonly<Record<string, string>>, more: Parts = {}, metadata = ''): Uint8Array {
  const names = Object.keys(chapters)
  const items = names.map(
    (name, i) => `<item id="i${i}" href="text/${encodeURI(name)}" media-type="application/xhtml+xml"/>`,
  )
  return zipped({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadata}</metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items.join('')}</manifest><spine><itemref idref="nav"/>${names.map((_, i) => `<itemref idref="i${i}"/>`).join('')}<itemref idref="gone"/></spine></package>`,
    'OEBPS/nav.xhtml': chapter('<nav epub:type="toc"><a href="text/1.xhtml">Contents</a></nav>'),
    ...Object.fromEntries(names.map((name) => [`OEBPS/text/${name}`, chapter(chapters[name] ?? '')])),
    ...more,
  })
}

const markdownOf = async (body: string) => (await converted(readEpub, book({ '1.xhtml': body }))).markdown
const encryption = (algorithm: string, part: string) => ({
  'META-INF/encryption.xml': `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${part}"/></enc:CipherData></enc:EncryptedData></encryption>`,
})

describe('a book', () => {
  it('is read in the order of its spine, without its table of contents', async () => {
    const chapters = {
      'b 2.xhtml': '<h1>First</h1><p>日本 😀 שלום</p>',
      '1.xhtml':
        '<h1>Second</h1><table><tr><th>A</th><th>B</th></tr><tr><td rowspan="2">t</td><td>1</td></tr><tr><td>2</td></tr></table>',
    }
    expect((await converted(readEpub, book(chapters))).markdown).toBe(
      '# First\n\n日本 😀 שלום\n\n# Second\n\n| A | B |\n| --- | --- |\n| t | 1 |\n|  | 2 |',
    )
  })

  it.each<[string, string, string]>([
    ['elements closed as in XML', '<a id="p1"/><p>a<i/>b</p><div/><p>c</p>', 'ab\n\nc'],
    ['named character references', '<p>a&nbsp;b&mdash;c</p>', 'a\u00A0b—c'],
    [
      'links that leave the book',
      '<p><a href="https://ex.com/o">out</a> <a href="2.xhtml#x">in</a> <a href="#y">here</a> <a href="kindle:pos">k</a></p>',
      '[out](https://ex.com/o) in here k',
    ],
    [
      'pictures by their descriptions',
      '<p><img src="../i/map.png" alt="A map"/></p><p><img src="../i/dot.png" alt=""/></p><p><img src="../i/plan.png"/></p>',
      '![A map](<Base64-Image-Removed>)\n\n![plan.png](<Base64-Image-Removed>)',
    ],
    ['lists', '<ol start="3"><li>a<ul><li>b</li></ul></li></ol>', '3. a\n   - b'],
    ['no page numbers of the printed book', '<p>on p<span epub:type="pagebreak">13</span>age</p>', 'on page'],
    [
      'no alternatives for special readers',
      '<p><epub:switch><epub:case>new</epub:case><epub:default>old</epub:default></epub:switch></p>',
      'old',
    ],
    ['no scripts', '<p>a</p><script>alert(1)</script><p>b</p>', 'a\n\nb'],
    [
      'notes',
      '<p>Text<sup><a epub:type="noteref" href="#n1">1</a></sup>.</p><aside epub:type="footnote" id="n1"><p>The <i>note</i> <a href="https://ex.com/n">x</a>. <a href="#r">↩</a></p></aside>',
      'Text[^1].\n\n[^1]: The _note_ [x](https://ex.com/n).',
    ],
  ])('keeps %s', async (_, body, markdown) => expect(await markdownOf(body)).toBe(markdown))

  it('numbers the notes of all chapters consecutively', async () => {
    const body = '<p>x<a href="#n">1</a></p><aside role="doc-footnote" id="n">note</aside>'
    expect((await converted(readEpub, book({ '1.xhtml': body, '2.xhtml': body }))).markdown).toBe(
      'x[^1]\n\nx[^2]\n\n[^1]: note\n\n[^2]: note',
    )
  })

  it('moves notes of another file to their references, and leaves the rest of that file', async () => {
    const chapters = {
      '1.xhtml':
        '<p>came<sup><a href="notes.xhtml#n1">1</a></sup>, see <a href="2.xhtml#x">two</a><a epub:type="noteref" href="notes.xhtml#n2">2</a></p>',
      '2.xhtml': '<h1 id="x">Two</h1><p id="r"><sup><a href="1.xhtml#gone">3</a></sup> stays</p>',
      'notes.xhtml':
        '<h1>Notes</h1><ol><li><p id="n1">One. <a href="1.xhtml">back</a></p></li></ol><p><a id="n2"/>Two.</p>',
    }
    const { markdown } = await converted(readEpub, book(chapters))
    expect(markdown).toBe('came[^1], see two[^2]\n\n# Two\n\n^3 stays\n\n[^1]: One.\n\n[^2]: Two.')
    const more = await converted(
      readEpub,
      book({ ...chapters, 'notes.xhtml': `${chapters['notes.xhtml']}<p>Sources</p>` }),
    )
    expect(more.markdown).toContain('# Notes\n\nSources')
  })

  it('reads XHTML whose elements have a prefix', async () => {
    const prefixed =
      '<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>T</h:title></h:head><h:body><h:h1>Three</h:h1><h:p>Some <h:em>text</h:em><h:br/>x</h:p></h:body></h:html>'
    expect((await converted(readEpub, book({ '1.xhtml': '' }, { 'OEBPS/text/1.xhtml': prefixed }))).markdown).toBe(
      '# Three\n\nSome _text_  \nx',
    )
  })

  it('has metadata', async () => {
    const metadata =
      '<dc:title>T</dc:title><dc:title>Sub</dc:title><dc:creator>A</dc:creator><dc:creator>B</dc:creator><dc:language>en</dc:language><dc:language>fr</dc:language><dc:date>2020-05-06</dc:date><dc:subject>x</dc:subject><dc:subject>y</dc:subject><dc:description>&lt;p&gt;About&lt;/p&gt;</dc:description><meta property="dcterms:modified">2021-01-01T00:00:00Z</meta>'
    expect((await converted(readEpub, book({ '1.xhtml': 'x' }, {}, metadata))).metadata).toEqual({
      title: 'T',
      author: 'A, B',
      language: 'en',
      keywords: 'x, y',
      description: 'About',
      publishedTime: '2020-05-06T00:00:00.000Z',
      modifiedTime: '2021-01-01T00:00:00.000Z',
    })
  })

  it('is read if only its fonts are obfuscated', async () => {
    const more = encryption('http://www.idpf.org/2008/embedding', 'OEBPS/f.otf')
    expect((await converted(readEpub, book({ '1.xhtml': '<p>free</p>' }, more))).markdown).toBe('free')
  })

  it.each<Refused>([
    [
      'locked by its seller',
      book({ '1.xhtml': 'x' }, encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OEBPS/text/1.xhtml')),
      /DRM/,
    ],
    ['without a list of parts', zipped({ mimetype: 'application/epub+zip' }), /list of contents/],
    ['without chapters', book({}), /no chapters/],
    ['without text', book({ '1.xhtml': '<script>x</script>' }), /no text/],
    ['without the files of its chapters', book({ '1.xhtml': '' }, { 'OEBPS/text/1.xhtml': '' }), /no text/],
  ])('that is %s is refused', expectRefusal(readEpub))
})
