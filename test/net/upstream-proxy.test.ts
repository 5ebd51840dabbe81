import { describe, expect, test } from 'vitest'
import { createProxyRotation, parseProxy } from '../../src/engine/net/proxy/upstream-proxy.ts'

describe('the syntax of a proxy', () => {
  test.each([
    ['http://proxy.example', { protocol: 'http', host: 'proxy.example', port: 80 }],
    ['https://proxy.example', { protocol: 'https', host: 'proxy.example', port: 443 }],
    ['socks5://10.0.0.9', { protocol: 'socks5', host: '10.0.0.9', port: 1080 }],
    ['http://me:100%@p.test:8080', { protocol: 'http', host: 'p.test', port: 8080, username: 'me', password: '100%' }],
    ['socks5h://[::1]:9', { protocol: 'socks5', host: '::1', port: 9 }],
    ['de:http://p.test:8', { protocol: 'http', host: 'p.test', port: 8, country: 'DE' }],
  ])('accepts %s', (entry, proxy) => {
    expect(parseProxy(entry)).toEqual({ pool: 'basic', ...proxy })
  })

  test('accepts pool, country and login together, with white space around them', () => {
    const login = { username: 'me', password: 'p@:s' }
    const proxy = { protocol: 'http', host: 'p.test', port: 8080, pool: 'enhanced', country: 'US', ...login }
    expect(parseProxy(' enhanced:US:http://me:p%40:s@p.test:8080 ')).toEqual(proxy)
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
