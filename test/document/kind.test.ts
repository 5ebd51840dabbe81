import { describe, expect, test } from 'vitest'
import { kindOf } from '../../src/engine/document/kind.ts'
import { kindOfName, languageOf, typeOfName, type Kind } from '../../src/engine/document/media-types.ts'
import { storedZip } from './stored-zip.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
const word = storedZip({ 'word/document.xml': '<w/>' }).toString('latin1')
const epub = storedZip({ mimetype: 'application/epub+zip' }).toString('latin1')
const ole = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const pdfLater = `junk\r\n%PDF-1.5\n%\xe2\xe3\n1 0 obj\n`
const rdf = '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

type Row = [contentType: string | undefined, body: string, ending: string, kind: Kind]
const named = ([contentType, body, ending]: Row) =>
  `${contentType ?? 'no type'} with ${JSON.stringify(body.slice(0, 60))} at …/${ending}`

const pages: Row[] = [
  ['text/html', 'hello', '', 'html'],
  ['Text/HTML; charset=utf-8', '{"a":1}', '', 'html'],
  ['application/xhtml+xml', '<?xml version="1.0"?><html/>', '', 'html'],
  ['text/html, text/html; charset=utf-8', '<p>sent twice', '', 'html'],
  ['text/plain, text/html', '<p>the last counts', '', 'html'],
  ['text/html, ', '<p>an empty one does not', '', 'html'],
  ['text/html', '<pre>%PDF-1.4\n1 0 obj is how a PDF begins</pre>', '', 'html'],
  [undefined, '  \n<!DOCTYPE HTML><title>x', '', 'html'],
  [undefined, 'words without a tag', 'page.html', 'html'],
  [undefined, '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">', '', 'html'],
  ['application/xml', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p/></html>', '', 'html'],
  ['nonsense', '<p>x', '', 'html'],
  ['application/octet-stream', '\xff\xfe<\0h\0t\0m\0l\0>\0', '', 'html'],
]
const texts: Row[] = [
  ['text/plain', '<!doctype html><p>source', '', 'text'],
  ['text/plain', 'a,b\n1,2', '', 'text'],
  ['text/plain', 'All about %PDF-1.4 files', '', 'text'],
  ['text/plain', '\xff\xfeh\0i\0', '', 'text'],
  ['text/plain', [...'two bytes a character'].join('\0'), '', 'text'],
  [undefined, '<htmlish', '', 'text'],
  [undefined, '{"a": [1, 2', '', 'text'],
  [undefined, 'words', '', 'text'],
  [undefined, '', '', 'text'],
  ['text/plain', 'words', 'notes.md', 'markdown'],
  ['text/x-markdown', '# a', '', 'markdown'],
  [undefined, '# Title', 'README.md', 'markdown'],
  ['text/plain', '# Gull\n\n- [Start](/start.md): first', 'llms.txt', 'markdown'],
  ['text/plain', '# a note\ncall(f)[0](x)', 'a.txt', 'text'],
  ['text/css', 'a {}', '', 'code'],
  ['application/javascript', 'let a', '', 'code'],
  ['text/plain', 'fn main() {}', 'main.rs', 'code'],
  [undefined, 'a = 1', 'settings.toml', 'code'],
]
const data: Row[] = [
  ['text/csv', 'a,b', '', 'csv'],
  ['text/plain', 'a,b', 'table.csv', 'csv'],
  [undefined, 'a\tb', 'table.tsv', 'csv'],
  ['application/vnd.ms-excel', 'a;b\n1;2', 'export', 'csv'],
  ['application/json', '[]', '', 'json'],
  ['application/json', '{}', 'a.ipynb', 'notebook'],
  ['application/octet-stream', '{"cells": []}', 'a.ipynb', 'notebook'],
  ['message/rfc822', 'From: a', '', 'mail'],
  ['text/plain', 'From: a', 'a.eml', 'mail'],
  ['application/octet-stream', 'From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n\r\n', 'page', 'mail'],
  ['application/ld+json', '[]', '', 'json'],
  ['text/plain', '{"a":1}', 'data.json', 'json'],
  [undefined, ' {"a": [1, 2]}', '', 'json'],
  [undefined, '{\n  "a": 1\n}', '', 'json'],
  ['application/x-ndjson', '{}\n{}', '', 'ndjson'],
  ['application/jsonl', '{}\n{}', '', 'ndjson'],
  [undefined, '{"a":1}\n{"a":2}\n', '', 'ndjson'],
  ['application/xml', '<a/>', '', 'xml'],
  [undefined, '<?xml version="1.0"?><urlset/>', '', 'xml'],
  ['application/rdf+xml', `${rdf}><owl:Class/>`, '', 'xml'],
]
const feeds: Row[] = [
  ['application/rss+xml', '<rss/>', '', 'feed'],
  ['application/atom+xml; charset=utf-8', '<feed/>', '', 'feed'],
  ['application/xml', '<?xml version="1.0"?><!-- a > b --><rss version="2.0">', '', 'feed'],
  ['text/xml', '<?xml-stylesheet href="a"?>\n<feed xmlns="http://www.w3.org/2005/Atom">', '', 'feed'],
  ['text/xml', '<!DOCTYPE rss [<!ENTITY a "<b>">]><rss>', '', 'feed'],
  ['application/rdf+xml', `${rdf} xmlns="http://purl.org/rss/1.0/">`, '', 'feed'],
  ['text/html', '<?xml version="1.0"?><rss version="2.0">', '', 'feed'],
  [undefined, '<rss version="2.0">', '', 'feed'],
  ['text/plain', '<?xml version="1.0"?><feed>', 'atom.xml', 'feed'],
  ['application/feed+json', '{}', '', 'feed'],
  ['application/json', '{"version": "https://jsonfeed.org/version/1.1"}', '', 'feed'],
]
const files: Row[] = [
  ['application/pdf', 'broken', '', 'pdf'],
  ['application/octet-stream', '%PDF-1.7\n\0', '', 'pdf'],
  ['text/html', '%PDF-1.4\n', '', 'pdf'],
  [undefined, pdfLater, '', 'pdf'],
  ['application/octet-stream', `${'\0'.repeat(900)}${pdfLater}`, '', 'pdf'],
  ['application/octet-stream', word, '', 'docx'],
  ['application/zip', word, '', 'docx'],
  ['text/html', word, '', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', word, '', 'docx'],
  [docx, 'broken', '', 'docx'],
  ['application/vnd.ms-excel.sheet.macroEnabled.12', 'PK\x03\x04', '', 'xlsx'],
  ['application/vnd.oasis.opendocument.text', 'PK\x03\x04', '', 'odt'],
  ['application/octet-stream', epub, '', 'epub'],
  ['application/octet-stream', 'PK\x03\x04', 'book.epub', 'epub'],
  ['application/epub+zip', 'PK\x03\x04', '', 'epub'],
  ['application/rtf', '{\\rtf1', '', 'rtf'],
  ['application/msword', '{\\rtf1', 'letter.doc', 'rtf'],
  ['text/plain', '{\\rtf1', '', 'rtf'],
]
const images: Row[] = [
  ['image/png', png, '', 'image'],
  ['text/html', png, '', 'image'],
  ['text/plain; charset=utf-8', png, '', 'image'],
  [undefined, 'GIF89a', '', 'image'],
  [undefined, '\xff\xd8\xff\xe0', '', 'image'],
  [undefined, 'RIFF\0\0\0\0WEBPVP8 ', '', 'image'],
  [undefined, '\0\0\x01\0\x01\0\x10', '', 'image'],
  ['application/octet-stream', 'II*\0', '', 'image'],
  ['image/svg+xml', '<svg/>', '', 'image'],
  ['text/plain', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg', 'image'],
]
const mislabelled: Row[] = [
  ['application/pdf', '<!doctype html><title>Log in</title>', 'a.pdf', 'html'],
  ['image/png', '<html><body>Not found', 'a.png', 'html'],
  ['application/vnd.ms-excel', '<html><table>', 'a.xls', 'html'],
  ['application/json', '<!DOCTYPE html><p>Down for repairs', '', 'html'],
  ['text/csv', '<!DOCTYPE html><p>Log in', '', 'html'],
]
const binaries: Row[] = [
  ['application/octet-stream', 'PK\x03\x04', '', 'binary'],
  ['application/zip', 'PK\x03\x04', '', 'binary'],
  ['application/msword', ole, '', 'binary'],
  [docx, ole, '', 'binary'],
  ['text/html', '\x1f\x8b\x08\0', '', 'binary'],
  ['video/mp4', '\0\0\0 ftypisom', '', 'binary'],
  ['audio/mpeg', 'ID3\x04', '', 'binary'],
  ['text/plain', 'a\0b', '', 'binary'],
  [undefined, '\0\x01\x02\x03 odd', '', 'binary'],
  ['font/woff2', 'words', '', 'binary'],
  ['text/plain', '\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0', '', 'binary'],
]

describe.each(Object.entries({ pages, texts, data, feeds, files, images, mislabelled, binaries }))('%s', (_, rows) => {
  test.each(rows.map((row) => [named(row), row[3], row] as const))('%s is %s', (_name, kind, row) => {
    const [contentType, body, ending] = row
    expect(kindOf(contentType, latin1(body), `https://example.com/${ending}`)).toBe(kind)
  })
})

test.each([
  ['Report.DOCX', 'docx', docx],
  ['a.b.csv', 'csv', 'text/csv'],
  ['main.py', 'code', 'text/x-python'],
  ['photo.JPG', 'image', 'image/jpeg'],
  ['logo.svg', 'image', 'image/svg+xml'],
  ['old.doc', 'binary', undefined],
  ['README', undefined, undefined],
  ['constructor', undefined, undefined],
])('a file called %s is %s', (name, kind, type) => expect([kindOfName(name), typeOfName(name)]).toEqual([kind, type]))

test.each([
  ['text/x-c++src', '', 'cpp'],
  ['application/javascript; charset=utf-8', '', 'javascript'],
  ['text/plain', 'a.rs', 'rust'],
  ['text/x-unheard-of', 'a.go', 'go'],
  ['text/x-unheard-of', '', ''],
  [undefined, 'Makefile', ''],
])('code sent as %s at …/%s is fenced as "%s"', (contentType, ending, language) => {
  expect(languageOf(contentType, `https://example.com/${ending}`)).toBe(language)
})

test.each([
  ['<!--', 'html'],
  ['<a '.repeat(50_000), 'html'],
  ['<!DOCTYPE a ['.repeat(50_000), 'text'],
  ['{'.repeat(200_000), 'text'],
  [`see ${'%PDF-'.repeat(9000)}`, 'text'],
])('long, unclosed or deeply nested content is recognised: case %#', (body, kind) => {
  expect(kindOf(undefined, latin1(body), 'https://example.com/')).toBe(kind)
})
