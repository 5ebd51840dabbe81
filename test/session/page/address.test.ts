import { expect, test } from 'vitest'
import { addressReader } from '../../../src/engine/session/page/read-address.ts'

const page = 'https://shop.example/goods/bell?size=2#top'
const read = await addressReader()

test.each([
  ['example.com', 'https://example.com/'],
  [' Example.com/a?b#c ', 'https://example.com/a?b#c'],
  ['boat.test/harbour', 'https://boat.test/harbour'],
  ['münchen.de', 'https://xn--mnchen-3ya.de/'],
  ['example.com:8080/a', 'http://example.com:8080/a'],
  ['localhost', 'http://localhost/'],
  ['127.0.0.1/a', 'http://127.0.0.1/a'],
  ['[::1]:80/a', 'http://[::1]/a'],
  ['8.8.8.8', 'https://8.8.8.8/'],
  ['http://example.com', 'http://example.com/'],
  ['//example.com/a', 'https://example.com/a'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['/a', 'https://shop.example/a'],
  ['?page=2', 'https://shop.example/goods/bell?page=2'],
  ['../about', 'https://shop.example/about'],
  ['about', 'https://shop.example/goods/about'],
  ['next.php?a.com', 'https://shop.example/goods/next.php?a.com'],
])('%s on a page is %s', (given, url) => expect(read(given, page)?.href).toBe(url))

test.each([
  ['example.com', 'https://example.com/'],
  ['about', 'https://about/'],
  ['intranet.corp/a', 'https://intranet.corp/a'],
])('%s on no page is %s', (given, url) => {
  expect(read(given, 'about:blank')?.href).toBe(url)
  expect(read(given, undefined)?.href).toBe(url)
})

test.each(['http://', 'https://a b', ':', 'https://[', 'a.com:99999'])('%s is not a valid address', (given) => {
  expect(read(given, undefined)).toBeUndefined()
})
