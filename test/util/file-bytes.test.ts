import { expect, test } from 'vitest'
import { bytesOf, FileBytes } from '../../src/util/file-bytes.ts'

const hello = () => new TextEncoder().encode('hello')

test('the bytes of a file can be taken once', () => {
  const sent = hello()
  const file = new FileBytes(sent)
  expect(sent.byteLength).toBe(0)
  expect(JSON.stringify({ file })).toBe('{"file":"aGVsbG8="}')
  expect(bytesOf(file)).toEqual(hello())
  expect(() => file.take()).toThrow('taken')
  expect([file.byteLength, file.toJSON()]).toEqual([5, ''])
})

test('a file takes over the buffer of its bytes, even if it is a part of it', () => {
  const body = hello()
  const file = new FileBytes(body.subarray(1, 3))
  expect(body.byteLength).toBe(0)
  expect(new TextDecoder().decode(file.take())).toBe('el')
})

test.each([
  ['aGVsbG8=', 'hello'],
  ['aGV\nsbG8', 'hello'],
  ['', ''],
])('base64 becomes separate bytes: %j', (base64, text) => {
  const bytes = bytesOf(base64)
  expect(new TextDecoder().decode(bytes)).toBe(text)
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(base64.length)
})
