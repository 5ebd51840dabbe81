import { expect, test } from 'vitest'
import { cacheUrl } from '../../src/engine/net/http/canonical-url.ts'

test.each([
  ['HTTP://Example.COM', 'http://example.com/'],
  ['https://example.com:443/a', 'https://example.com/a'],
  ['http://example.com:80/a', 'http://example.com/a'],
  ['http://example.com:8080/a', 'http://example.com:8080/a'],
  ['https://example.com/Path/Case', 'https://example.com/Path/Case'],
  ['https://example.com/a#part', 'https://example.com/a'],
  ['https://example.com/a#', 'https://example.com/a'],
  ['https://example.com/#/route/1', 'https://example.com/#/route/1'],
  ['https://example.com/#!/route', 'https://example.com/#!/route'],
  ['https://example.com/#!', 'https://example.com/'],
  ['https://example.com/?', 'https://example.com/'],
  ['https://example.com/?#', 'https://example.com/'],
  ['https://example.com/?b=2&a=1', 'https://example.com/?b=2&a=1'],
  ['https://example.com/?a=', 'https://example.com/?a='],
  ['https://user:secret@example.com/a', 'https://example.com/a'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['  https://example.com/a b  ', 'https://example.com/a%20b'],
  [' not a url ', 'not a url'],
])('the cache key of %j is %j', (url, key) => {
  expect(cacheUrl(url)).toBe(key)
  expect(cacheUrl(key)).toBe(key)
})
