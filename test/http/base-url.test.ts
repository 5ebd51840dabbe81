import { expect, it } from 'vitest'
import { baseUrlOf } from '../../src/surfaces/http/guard.ts'
import { ask, serveToys } from './toys.ts'

const trust = { trustProxy: true }

it.each([
  ['its own address', {}, {}, 'http://in.example:8080'],
  [
    'no proxy that is not trusted',
    {},
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
    'http://in.example:8080',
  ],
  [
    'the setting before all',
    { publicUrl: 'https://pub.example/base/', ...trust },
    { 'x-forwarded-host': 'evil.example' },
    'https://pub.example/base',
  ],
  [
    'the forwarded scheme and host',
    trust,
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'out.example:8443' },
    'https://out.example:8443',
  ],
  [
    'Forwarded',
    trust,
    { forwarded: 'for=1.2.3.4;proto=https;host="out.example:8443", for=5.6.7.8;host=b.example' },
    'https://out.example:8443',
  ],
  ['an IPv6 host', trust, { 'x-forwarded-host': '[2001:db8::1]:8443' }, 'http://[2001:db8::1]:8443'],
  [
    'nothing that is no host or scheme',
    trust,
    { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a/b"><' },
    'http://in.example:8080',
  ],
])('a link in an answer starts with %s', (_, rules, headers, url) => {
  expect(
    baseUrlOf(new Request('http://in.example:8080/v2/x?y', { headers: headers as Record<string, string> }), rules),
  ).toBe(url)
})

it('a link reaches the operation', async () => {
  const { server } = await serveToys(trust)
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'out.example' }
  expect((await ask(`${server.url}/v2/toy/active`, { headers })).json['baseUrl']).toBe('https://out.example')
  expect((await ask(`${server.url}/v2/toy/active`)).json['baseUrl']).toBe(server.url)
  await server.close(0)
})
