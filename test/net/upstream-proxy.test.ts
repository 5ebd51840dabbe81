import { describe, expect, test } from 'vitest'
import { createProxyRotation, parseProxy } from '../../src/engine/net/proxy/upstream-proxy.ts'

describe('the syntax of a proxy', () => {
  test.each([
    ['http://proxy.example', { protocol: 'http', host: 'proxy.example', port: 80, pool: 'basic' }],
    ['https://proxy.example', { protocol: 'https', host: 'proxy.example', port: 443, pool: 'basic' }],
    ['socks5://10.0.0.9', { protocol: 'socks5', host: '10.0.0.9', port: 1080, pool: 'basic' }],
    [
      'http://me:100%@p.example:8080',
      { protocol: 'http', host: 'p.example', port: 8080, username: 'me', password: '100%', pool: 'basic' },
    ],
    ['socks5h://[::1]:9', { protocol: 'socks5', host: '::1', port: 9, pool: 'basic' }],
    ['de:http://p.example:8', { protocol: 'http', host: 'p.example', port: 8, pool: 'basic', country: 'DE' }],
    [
      ' enhanced:US:http://me:p%40:s@p.example:8080 ',
      {
        protocol: 'http',
        host: 'p.example',
        port: 8080,
        username: 'me',
        password: 'p@:s',
        pool: 'enhanced',
        country: 'US',
      },
    ],
  ])('accepts %s', (entry, proxy) => {
    expect(parseProxy(entry)).toEqual(proxy)
  })

  test.each(['', 'proxy.example:80', 'ftp://p.example', 'http://', 'fancy:http://p.example', 'USA:http://p.example'])(
    'refuses "%s"',
    (entry) => {
      expect(() => parseProxy(entry)).toThrow('A proxy is written')
    },
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
