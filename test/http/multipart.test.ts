import { expect, test } from 'vitest'
import { partsOf, uploadIn } from '../../src/surfaces/http/body/input.ts'

const form = 'multipart/form-data; boundary=mark'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const parsed = (body: string, type = form) =>
  partsOf(bytesOf(body), type)?.map(({ bytes, ...part }) => ({ ...part, text: new TextDecoder().decode(bytes) }))
const part = (disposition: string, content = 'hi', more = '') =>
  `--mark\r\ncontent-disposition: ${disposition}\r\n${more}\r\n${content}\r\n--mark--\r\n`

test('parts have their names, types and every byte', () => {
  const body = `before\r\n--mark  \r\nContent-Disposition: form-data; name="options"\r\n\r\n{}\r\n--mark\r\nContent-Type: a/b\r\ncontent-disposition: form-data; name=file; filename="größe.bin"\r\n\r\n\r\n--mar\r\n-\r\n--mark--after`
  expect(parsed(body)).toEqual([
    { name: 'options', filename: undefined, contentType: '', text: '{}' },
    { name: 'file', filename: 'größe.bin', contentType: 'a/b', text: '\r\n--mar\r\n-' },
  ])
})

test.each([
  ['a percent-encoded quote', 'form-data; name="file"; filename="a%22b.txt"', 'a"b.txt'],
  ['an escaped quote', String.raw`form-data; name="file"; filename="a\"b.txt"`, 'a"b.txt'],
  ['a semicolon', 'form-data; name="file"; filename="a; name=b.txt"', 'a; name=b.txt'],
  ['a percent sign', 'form-data; name="file"; filename="100%41.txt"', '100%41.txt'],
  ['other letters', `form-data; name="file"; filename="x"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt`, 'größe.txt'],
  ['a path', 'form-data; name="file"; filename="../../etc/passwd"', '../../etc/passwd'],
  ['a path of Windows', String.raw`form-data; name="file"; filename="C:\data\a.pdf"`, String.raw`C:\data\a.pdf`],
  ['nothing', 'form-data; name="file"; filename=""', ''],
])('a part name with %s is decoded', (_, disposition, filename) => {
  expect(parsed(part(disposition))).toEqual([{ name: 'file', filename, contentType: '', text: 'hi' }])
})

test('an empty file, an empty form and a boundary in quotes are accepted', () => {
  expect(parsed(part('form-data; name="file"; filename="a"', ''))).toMatchObject([{ text: '' }])
  expect(parsed('--mark--\r\n')).toEqual([])
  expect(parsed('--a b\r\n\r\nhi\r\n--a b--', 'multipart/form-data; boundary="a b"')).toEqual([])
})

test.each([
  ['no boundary in the header', part('form-data; name="a"'), 'multipart/form-data'],
  ['another boundary', part('form-data; name="a"'), 'multipart/form-data; boundary=other'],
  ['no end', part('form-data; name="a"').replace('--mark--', '')],
  ['no end after the last part', part('form-data; name="a"').replace('--mark--', '--mark')],
  ['headers without an end', '--mark\r\ncontent-disposition: form-data; name="a"'],
  ['headers of more than 16 kB', part('form-data; name="a"', 'hi', `x: ${'y'.repeat(20_000)}\r\n`)],
  ['nothing', ''],
])('a body with %s is refused', (_, body, type = form) => expect(parsed(body, type)).toBeUndefined())

const parts = (count: number) => `${part('form-data; name="a"').replace('--mark--\r\n', '').repeat(count)}--mark--`

test('the parser stops after 101 parts', () => {
  expect([100, 101, 200].map((count) => parsed(parts(count))?.length)).toEqual([100, 101, 101])
  const headers = new Headers({ 'content-type': form })
  const upload = (count: number) => () => uploadIn(bytesOf(parts(count)), headers, { field: 'file', maxBytes: 100 })
  expect(upload(100)).toThrow('no file part')
  expect(upload(101)).toThrow('more than 100 parts')
})

test('a body cut at any byte is refused, unless it was already complete', () => {
  const body = part('form-data; name="file"; filename="a"', 'some content')
  const whole = body.lastIndexOf('--mark--') + '--mark--'.length
  for (let length = 0; length < whole; length += 1) expect(parsed(body.slice(0, length))).toBeUndefined()
  expect(parsed(body.slice(0, whole))).toHaveLength(1)
})
