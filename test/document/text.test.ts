import { describe, expect, test } from 'vitest'
import { readCode, readMarkdown, readText, readXml } from '../../src/engine/document/text/plain.ts'
import { converted } from './converting.ts'

describe('plain text', () => {
  test('stays as it is', async () => {
    const text = 'Plain  *words*\n\n\n<b>and</b> | more \\ \nend'
    expect(await converted(readText, text)).toMatchObject({ markdown: text })
  })

  test.each([
    ['by Content-Type', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text/plain; charset=iso-8859-1', 'Grüße'],
    ['by its mark', Buffer.from('\ufeffGrüße', 'utf16le'), 'text/plain', 'Grüße'],
    ['as UTF-8, whatever it quotes', Buffer.from('<meta charset=koi8-r> ü'), 'text/plain', '<meta charset=koi8-r> ü'],
  ])('is decoded %s', async (_, bytes, contentType, markdown) => {
    expect(await converted(readText, bytes, { contentType })).toMatchObject({ markdown })
  })

  test('has line ends of one kind', async () => {
    expect(await converted(readText, 'a\r\nb\rc\n')).toMatchObject({ markdown: 'a\nb\nc\n' })
  })
})

describe('markdown', () => {
  test('stays as it is, and its front matter becomes metadata', async () => {
    const text = `---\ntitle: "A \\"good\\" day"\ndate: 2026-01-05 # local\ntags: [one, 'two']\nauthor: Ann\nlist:\n  - title: no\n---\n\n# Other\n`
    expect(await converted(readMarkdown, text)).toMatchObject({
      markdown: text,
      metadata: { title: 'A "good" day', publishedTime: '2026-01-05', keywords: 'one, two', author: 'Ann' },
    })
  })

  test.each([
    ['+++\ntitle = "Tomatoes"\n+++\ntext', { title: 'Tomatoes' }],
    ["---\r\ntitle: 'It''s'\r\n---\r\n", { title: "It's" }],
    ['text\n\n# The title ##\n\n# Another', { title: 'The title' }],
    ['text\n---\ntitle: no\n---\n', {}],
    ['---\ntitle: |\n  long\n---\n', {}],
    ['---\ntitle: never closed\n', {}],
    ['', {}],
  ])('of %j has the metadata %j', async (text, metadata) => {
    expect((await converted(readMarkdown, text)).metadata).toEqual(metadata)
  })
})

describe('code', () => {
  test('is fenced with its language', async () => {
    const facts = { contentType: 'text/plain', url: 'https://ex.com/a/main.py?x=1' }
    expect(await converted(readCode, 'print(1)\n\n', facts)).toMatchObject({ markdown: '```python\nprint(1)\n```\n' })
  })

  test('of XML is fenced in the charset it names', async () => {
    const xml = '<?xml version="1.0" encoding="windows-1251"?><a>\xcf\xf0\xe8</a>'
    expect((await converted(readXml, Buffer.from(xml, 'latin1'))).markdown).toBe(
      '```xml\n<?xml version="1.0" encoding="windows-1251"?><a>При</a>\n```\n',
    )
  })
})

test.each([
  ["title: 'It''s here' # a note", "It's here"],
  ['title: "Said \\"so\\"" # a note', 'Said "so"'],
  ['# a comment\ndate: 2024-05-06', 'Heading'],
])('the title of markdown is that of its front matter, else its heading: %s', async (front, title) => {
  const markdown = `---\n${front}\n---\n\n# Heading\n`
  expect(await converted(readMarkdown, markdown)).toMatchObject({ metadata: { title } })
})
