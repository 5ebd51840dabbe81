import { describe, expect, test } from 'vitest'
import { PassThrough } from 'node:stream'
import type { Socket } from 'node:net'
import { createReader, socksHandshake } from '../../src/engine/net/proxy/socks.ts'
import { createProxyRotation, parseProxy } from '../../src/engine/net/proxy/upstream-proxy.ts'

describe('the syntax of a proxy', () => {
  test.each([
    ['http://proxy.example', { protocol: 'http', host: 'proxy.example', port: 80 }],
    ['https://proxy.example', { protocol: 'https', host: 'proxy.example', port: 443 }],
    ['socks5://10.0.0.9', { protocol: 'socks5', host: '10.0.0.9', port: 1080 }],
    ['http://me:100%@p.test:8080', { protocol: 'http', host: 'p.test', port: 8080, username: 'me', password: '100%' }],
    ['socks5h://[::1]:9', { protocol: 'socks5', host: '::1', port: 9 }],
    ['de:http://p.test:8', { protocol: 'http', host: 'p.test', port: 8, country: 'DE' }],
  ])('accepts %s', (entry, proxy) => expect(parseProxy(entry)).toEqual({ pool: 'basic', ...proxy }))

  test('accepts pool, country and login together, with white space around them', () => {
    const login = { username: 'me', password: 'p@:s' }
    const proxy = { protocol: 'http', host: 'p.test', port: 8080, pool: 'enhanced', country: 'US', ...login }
    expect(parseProxy(' enhanced:US:http://me:p%40:s@p.test:8080 ')).toEqual(proxy)
  })

  test.each(['', 'proxy.example:80', 'ftp://p.example', 'http://', 'fancy:http://p.example', 'USA:http://p.example'])(
    'refuses "%s"',
    (entry) => expect(() => parseProxy(entry)).toThrow('A proxy is written'),
  )

  test('does not repeat a faulty one, which may contain a password', () => {
    expect(() => parseProxy('http//me:secret@p')).toThrow(/^(?!.*secret)/)
  })
})

const choose = () =>
  createProxyRotation(
    ['http://a.example', 'http://b.example', 'DE:http://de.example', 'enhanced:http://e.example'].map(parseProxy),
  )

describe('the choice of a proxy', () => {
  test('rotates among those without a country', () => {
    const next = choose()
    const hosts = Array.from({ length: 4 }, () => next({ pool: 'basic' })?.host)
    expect(hosts).toEqual(['a.example', 'b.example', 'a.example', 'b.example'])
  })

  test('takes one of the country, or any if there is none', () => {
    const next = choose()
    expect(next({ pool: 'basic', country: 'DE' })?.host).toBe('de.example')
    expect(next({ pool: 'basic', country: 'FR' })?.host).toMatch(/^[ab]\.example$/)
    expect(next({ pool: 'enhanced', country: 'DE' })?.host).toBe('e.example')
  })
})

test.each([
  ['1.2.3.4', '01 01020304'],
  ['::1', '04 00000000000000000000000000000001'],
  ['2001:db8::7:0:9', '04 20010db8000000000000000700000009'],
  ['::ffff:1.2.3.4', '04 00000000000000000000ffff01020304'],
  ['1:2:3:4:5:6:7:8', '04 00010002000300040005000600070008'],
  ['a.example', '03 09612e6578616d706c65'],
])('SOCKS receives %s as an address of its own type', async (host, expected) => {
  const answers = new PassThrough()
  const written: Uint8Array[] = []
  answers.write = (bytes: Uint8Array) => written.push(bytes) > 0
  for (const bytes of [
    [5, 0],
    [5, 0, 0, 1],
    [0, 0, 0, 0, 0, 0],
  ])
    answers.push(Uint8Array.from(bytes))
  const socket = answers as unknown as Socket
  await socksHandshake(socket, createReader(socket, new AbortController().signal), { host, port: 80 }, {})
  expect(Buffer.from(written[1]!).toString('hex')).toBe(`050100${expected.replace(' ', '')}0050`)
})
