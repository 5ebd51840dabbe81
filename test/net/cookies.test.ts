import { expect, test } from 'vitest'
import { createCookies, joinCookies } from '../../src/engine/net/http/request-headers.ts'

const at = (url: string) => new URL(url)

test.each<[what: string, setCookie: string[], asked: string, sent: string]>([
  [
    'goes back to the host that set it',
    ['a=1; Path=/deep; HttpOnly; SameSite=Lax'],
    'https://www.example.com/x',
    'a=1',
  ],
  ['goes to the same host on another scheme or port', ['a=1'], 'http://www.example.com:8080/', 'a=1'],
  [
    'stays away from subdomains unless it names them',
    ['a=1', 'b=2; Domain=www.example.com'],
    'https://a.www.example.com/',
    'b=2',
  ],
  ['may be for the parent domain', ['a=1; Domain=.Example.com'], 'https://example.com/', 'a=1'],
  ['may not be for a top-level domain', ['a=1; Domain=com'], 'https://other.com/', ''],
  ['may not be for another site', ['a=1; Domain=other.com'], 'https://other.com/', ''],
  ['marked Secure stays off http', ['a=1; Secure', 'b=2'], 'http://www.example.com/', 'b=2'],
  [
    'is kept where Max-Age is no number',
    ['a=1; Max-Age=', 'b=2; Max-Age=soon'],
    'https://www.example.com/',
    'a=1; b=2',
  ],
  ['ends with Max-Age=0', ['a=1', 'a=; Max-Age=0'], 'https://www.example.com/', ''],
  [
    'ends with a date in the past',
    ['a=1', 'a=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    'https://www.example.com/',
    '',
  ],
  ['may hold equals signs and be empty', ['a=b=c==', 'd='], 'https://www.example.com/', 'a=b=c==; d='],
  ['without a name is none', ['=1', 'novalue', ''], 'https://www.example.com/', ''],
])('a cookie %s', (_, setCookie, asked, sent) => {
  const cookies = createCookies()
  cookies.keep(at('https://www.example.com/start'), setCookie)
  expect(cookies.headerFor(at(asked))).toBe(sent)
})

test('cookies of the caller come first and are not repeated', () => {
  expect(joinCookies(undefined, '')).toBe('')
  expect(joinCookies(undefined, 'a=1; b=2')).toBe('a=1; b=2')
  expect(joinCookies('b=mine', 'a=1; b=2')).toBe('b=mine; a=1')
})
