import { describe, expect, test } from 'vitest'
import { readCode, readMarkdown, readText, readXml } from '../../src/engine/document/text/plain.ts'
import type { Converted } from '../../src/engine/document/converter.ts'
import { readMail } from '../../src/engine/document/mail/mail.ts'
import type { MarkdownLinks } from '../../src/engine/document/text/markdown-links.ts'
import { readJson, readNdjson, readNotebook } from '../../src/engine/document/text/notebook.ts'
import { converted } from './converting.ts'

describe('plain text', () => {
  test('stays unchanged', async () => {
    const text = 'Plain  *words*\n\n\n<b>and</b> | more \\ \nend'
    expect(await converted(readText, text)).toMatchObject({ markdown: text })
  })

  test.each([
    ['by Content-Type', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text/plain; charset=iso-8859-1', 'Grüße'],
    ['by its byte order mark', Buffer.from('\ufeffGrüße', 'utf16le'), 'text/plain', 'Grüße'],
    ['as UTF-8, whatever it quotes', Buffer.from('<meta charset=koi8-r> ü'), 'text/plain', '<meta charset=koi8-r> ü'],
  ])('is decoded %s', async (_, bytes, contentType, markdown) => {
    expect(await converted(readText, bytes, { contentType })).toMatchObject({ markdown })
  })

  test('gets uniform line ends', async () => {
    expect(await converted(readText, 'a\r\nb\rc\n')).toMatchObject({ markdown: 'a\nb\nc\n' })
  })
})

describe('markdown', () => {
  test('stays unchanged, and its front matter becomes metadata', async () => {
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

describe('links of markdown', () => {
  test('become absolute and are listed, except in code', async () => {
    const text =
      'a [b *c*](/d "t") [![logo](i.png)](<e f>) ![p](https://x.org/p.png)\n\n```\n[no](no)\n```\n`[no](no)` [r] [top](#top) <m@ex.com>\n\n[r]: ../r\n<a class="z" href="h"><img src="j.png"></a> see https://ex.com/k.\n'
    const result = await converted(readMarkdown, text, { url: 'https://ex.com/docs/a.md' })
    const { markdown, links } = result as Converted & { markdown: string; links?: MarkdownLinks }
    expect(markdown).toBe(
      'a [b *c*](https://ex.com/d "t") [![logo](https://ex.com/docs/i.png)](<https://ex.com/docs/e%20f>) ![p](https://x.org/p.png)\n\n```\n[no](no)\n```\n`[no](no)` [r] [top](#top) <m@ex.com>\n\n[r]: https://ex.com/r\n<a class="z" href="https://ex.com/docs/h"><img src="https://ex.com/docs/j.png"></a> see https://ex.com/k.\n',
    )
    expect(links?.anchors).toEqual([
      { url: 'https://ex.com/d', text: 'b *c*' },
      { url: 'https://ex.com/docs/e%20f', text: 'logo' },
      { url: 'https://ex.com/r', text: 'r' },
      { url: 'https://ex.com/docs/h', text: '' },
      { url: 'https://ex.com/k', text: '' },
    ])
    expect(links?.images).toEqual(['https://ex.com/docs/i.png', 'https://x.org/p.png', 'https://ex.com/docs/j.png'])
  })

  test.each(['[', '](', '[a](', '`', '```\n', '<a ', '[a]: ', '!['])(
    'take time proportional to the length: %j',
    async (piece) => {
      expect((await converted(readMarkdown, piece.repeat(50_000))).markdown.length).toBeGreaterThanOrEqual(
        50_000 * piece.length,
      )
    },
  )
})

describe('a notebook', () => {
  test('shows cells and outputs as text, pictures as placeholders', async () => {
    const outputs = [
      { output_type: 'stream', text: ['1\n', '2\n'] },
      { output_type: 'display_data', data: { 'image/png': 'iVBOR', 'text/plain': ['<Figure>'] } },
      { output_type: 'execute_result', data: { 'text/html': '<b>3</b>' } },
      { output_type: 'error', traceback: ['\u001b[31mValueError\u001b[0m', 'line 1'] },
    ]
    const cells = [
      { cell_type: 'markdown', source: ['# Tides\n', 'See [x](y) ![plot](attachment:a.png)'] },
      { cell_type: 'code', source: 'print(1)', outputs },
      { cell_type: 'raw', source: 'raw' },
    ]
    const notebook = { nbformat: 4, metadata: { language_info: { name: 'python' } }, cells }
    const { markdown, metadata } = await converted(readNotebook, JSON.stringify(notebook))
    expect(markdown).toBe(
      '# Tides\nSee [x](https://ex.com/y) ![plot](<Base64-Image-Removed>)\n\n```python\nprint(1)\n```\n\n```text\n1\n2\n```\n\n![<Figure>](<Base64-Image-Removed>)\n\n```text\n3\n```\n\n```text\nValueError\nline 1\n```\n\nraw\n',
    )
    expect(metadata).toEqual({ title: 'Tides' })
  })

  test.each([
    ['HTML without scripts', { data: { 'text/html': '<script>var a</script><p>One</p><p>Two</p>' } }, 'One\nTwo'],
    [
      'HTML of an object with a name as plain text',
      { data: { 'text/html': '<b>Sum</b>: 3', 'text/plain': '<IPython.core.display.HTML object>' } },
      'Sum: 3',
    ],
    ['the last state of a progress bar', { text: '10%\r50%\r100%\ndone\n' }, '100%\ndone'],
  ])('shows %s', async (_, output, expected) => {
    const notebook = { nbformat: 4, cells: [{ cell_type: 'code', source: '', outputs: [output] }] }
    const { markdown } = await converted(readNotebook, JSON.stringify(notebook))
    expect(markdown.trim()).toBe(`\`\`\`text\n${expected}\n\`\`\``)
  })

  test.each(['{"cells": 1}', '[]', '{broken', '{"nbformat": 4, "cells": [null, 1, {"outputs": [3]}]}'])(
    'that is damaged is shown as text: %s',
    async (text) => expect((await converted(readNotebook, text)).markdown).toBeTypeOf('string'),
  )
})

const part = (head: string, body: string) => `--b\r\n${head}\r\n\r\n${body}\r\n`
const mail = (head: string, ...parts: string[]) =>
  `${head}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n${parts.join('')}--b--\r\n`

describe('mail', () => {
  test('shows its headers, its body and its attachments', async () => {
    const text = mail(
      'From: =?utf-8?Q?J=C3=BCrgen?= <j@e.com>\r\nTo: a@e.com, B <b@e.com>\r\nSubject: =?utf-8?B?SGFmZW4=?=\r\nDate: Sun, 1 Feb 2026 10:00:00 +0100',
      part(
        'Content-Type: text/plain; charset=gbk\r\nContent-Transfer-Encoding: quoted-printable',
        '=D5=C5\r\n> quoted\r\n\r\nnext=\r\n one',
      ),
      part(
        'Content-Type: text/csv\r\nContent-Disposition: attachment; filename="fees.csv"\r\nContent-Transfer-Encoding: base64',
        'YSxiCg==',
      ),
    )
    const { markdown, metadata } = await converted(readMail, text)
    expect(markdown).toBe(
      '# Hafen\n\n**From**: Jürgen \\<j@e.com>  \n**To**: a@e.com, B \\<b@e.com>  \n**Date**: 2026-02-01T09:00:00.000Z\n\n张  \n\\> quoted\n\nnext one\n\n## Attachments\n\n- fees.csv (text/csv, 4 bytes)',
    )
    expect(metadata).toEqual({ title: 'Hafen', author: 'Jürgen', publishedTime: '2026-02-01T09:00:00.000Z' })
  })

  test('that is a saved page resolves its links, and does not list its own pictures', async () => {
    const text = mail(
      'From: <Saved by Blink>\r\nSnapshot-Content-Location: https://e.com/docs/\r\nSubject: Tides',
      part(
        'Content-Type: text/html\r\nContent-Location: https://e.com/docs/',
        '<html><body><p>See <a href="x">x</a> <img alt="Bay" src="cid:1"></p></body></html>',
      ),
      part(
        'Content-Type: image/png\r\nContent-Location: https://e.com/a.png\r\nContent-ID: <1>\r\nContent-Transfer-Encoding: base64',
        'iVBORw0KGgo=',
      ),
    )
    const { markdown } = await converted(readMail, text)
    expect(markdown).toContain('See [x](https://e.com/docs/x) ![Bay](<Base64-Image-Removed>)')
    expect(markdown).not.toContain('Attachments')
  })

  test('lists parts without a name among its attachments', async () => {
    const text = mail(
      'From: a@e.com',
      part('Content-Type: text/plain', 'Hello'),
      part('Content-Type: text/calendar', 'BEGIN'),
    )
    const { markdown } = await converted(readMail, text)
    expect(markdown).toMatch(/Hello\n\n## Attachments\n\n- without a name \(text\/calendar, \d+ bytes\)$/)
  })

  test('that is a saved page with a heading shows its subject only once', async () => {
    const head =
      'Subject: Boats\r\nMIME-Version: 1.0\r\nSnapshot-Content-Location: https://e.com/\r\nContent-Type: text/html'
    const { markdown } = await converted(readMail, `${head}\r\n\r\n<h1>Boats of the bay</h1><p>Hello</p>`)
    expect(markdown).toBe('**Address**: https://e.com/\n\n# Boats of the bay\n\nHello')
  })

  test.each(['', 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'.repeat(200)])(
    'that is damaged is read or refused: %#',
    async (text) => {
      await converted(readMail, text).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' }),
      )
    },
  )
})

describe('source code', () => {
  test('is fenced with its language', async () => {
    const facts = { contentType: 'text/plain', url: 'https://ex.com/a/main.py?x=1' }
    expect(await converted(readCode, 'print(1)\n\n', facts)).toMatchObject({ markdown: '```python\nprint(1)\n```\n' })
  })

  test('in XML is decoded by its declared charset', async () => {
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
])('the title of markdown is that of its front matter, otherwise its heading: %s', async (front, title) => {
  const markdown = `---\n${front}\n---\n\n# Heading\n`
  expect(await converted(readMarkdown, markdown)).toMatchObject({ metadata: { title } })
})

const bodyOf = (markdown: string) => markdown.replace(/^```json\n/, '').replace(/\n```\n$/, '')
const written = async (json: string) => bodyOf((await converted(readJson, json)).markdown)

test.each([
  '{"a":1,"b":[true,null,"x"],"c":{}}',
  '[]',
  '[[],[[]],{"a":[]}]',
  String.raw`{"a\"b":"c\\","d":"{,:[","e":"\\\""}`,
  '"text"',
  ' { "spaced" : [ 1 , 2 ] } ',
  '{"ж":"日本"}',
])('JSON is indented as by JSON.stringify: %s', async (json) => {
  expect(await written(json)).toBe(JSON.stringify(JSON.parse(json), null, 2))
})

test('JSON numbers stay unchanged', async () => {
  const numbers = ['12345678901234567890', '1.10', '-0', '1E400', '0.1000000000000000055']
  expect(await written(`[${numbers.join(',')}]`)).toBe(`[\n  ${numbers.join(',\n  ')}\n]`)
})

test.each([
  ['with several lines', '{"a":\n1}'],
  ['with a syntax error', '{"a":[1,2'],
  ['with very deep nesting', '['.repeat(5000) + ']'.repeat(5000)],
  ['of great length', JSON.stringify(Array.from({ length: 100_000 }, (_, at) => `text ${at}`))],
])('JSON %s stays unchanged', async (_, json) => expect(await written(json)).toBe(json))

test.each([
  ['JSON lines', '{"a":1}\n{"a":2}\n\n'],
  ['a JSON text sequence, without its separators', '\u001e{"a":1}\n\u001e{"a":2}\n'],
])('keeps the lines of %s', async (_, text) => {
  const { markdown } = await converted(readNdjson, text)
  expect(markdown).toBe('```json\n{"a":1}\n{"a":2}\n```\n')
})
