import { expect, test } from 'vitest'
import { hasOwnQueries, withEncodedQuery } from '../../src/engine/net/http/canonical-url.ts'

test.each([
  ['gbk', '/s?q=红', '/s?q=%BA%EC'],
  ['windows-1251', '/s?q=При', '/s?q=%CF%F0%E8'],
  ['windows-1252', '/été?q=été#été', '/été?q=%E9t%E9#été'],
  ['shift_jis', '/s?q=日本', '/s?q=%93%FA%96%7B'],
  ['euc-kr', '/s?q=한', '/s?q=%C7%D1'],
  ['windows-1252', '/s?q=日', '/s?q=%26%2326085%3B'],
  ['windows-1252', '/été', '/été'],
])('on a page in %s the link %s is sent as %s', (charset, href, sent) => {
  expect(withEncodedQuery(href, charset)).toBe(sent)
})

test.each(['utf-8', 'utf-16le', 'iso-2022-jp'])('on a page in %s the query is in UTF-8', (charset) => {
  expect(hasOwnQueries(charset)).toBe(false)
})
