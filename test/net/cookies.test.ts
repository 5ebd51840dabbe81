import { expect, test } from 'vitest'
import { createCookies, joinCookies } from '../../src/engine/net/http/request-headers.ts'

test.each<[what: string, setCookie: string[], sent: string, to?: string]>([
  ['is sent to the host that set it', ['a=1; Path=/deep; HttpOnly; SameSite=Lax'], 'a=1', 'https://www.example.com/x'],
  ['is sent to the same host on another scheme or port', ['a=1'], 'a=1', 'http://www.example.com:8080/'],
  [
    'without Domain is not sent to subdomains',
    ['a=1', 'b=2; Domain=www.example.com'],
    'b=2',
    'https://a.www.example.com/',
  ],
  ['may be set for the parent domain', ['a=1; Domain=.Example.com'], 'a=1', 'https://example.com/'],
  ['may not be set for a top-level domain', ['a=1; Domain=com'], '', 'https://other.com/'],
  ['may not be set for another site', ['a=1; Domain=other.com'], '', 'https://other.com/'],
  ['marked Secure is not sent over http', ['a=1; Secure', 'b=2'], 'b=2', 'http://www.example.com/'],
  ['is stored if Max-Age is not a number', ['a=1; Max-Age=', 'b=2; Max-Age=soon'], 'a=1; b=2'],
  ['is deleted by Max-Age=0', ['a=1', 'a=; Max-Age=0'], ''],
  ['is deleted by a date in the past', ['a=1', 'a=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], ''],
  ['may contain equals signs or be empty', ['a=b=c==', 'd='], 'a=b=c==; d='],
  ['without a name is ignored', ['=1', 'novalue', ''], ''],
])('a cookie %s', (_, setCookie, sent, to = 'https://www.example.com/') => {
  const cookies = createCookies()
  cookies.keep(new URL('https://www.example.com/start'), setCookie)
  expect(cookies.headerFor(new URL(to))).toBe(sent)
})

test('cookies of the caller come first and are not repeated', () => {
  expect(joinCookies(undefined, '')).toBe('')
  expect(joinCookies(undefined, 'a=1; b=2')).toBe('a=1; b=2')
  expect(joinCookies('b=mine', 'a=1; b=2')).toBe('b=mine; a=1')
})
