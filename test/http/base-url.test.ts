import { expect, it } from 'vitest'
import { baseUrlOf } from '../../src/surfaces/http/guard.ts'
import { ask, serveToys } from './toys.ts'

const own = 'http://in.example:8080'
const trust = { trustProxy: true }
const standard = 'for=1.2.3.4;proto=https;host="out.example:8443"'
const forwarded = (scheme = 'https', host = 'out.example:8443') => ({
  'x-forwarded-proto': scheme,
  'x-forwarded-host': host,
})

it.each([
  ['a setting', { publicUrl: 'https://pub.example/base/', ...trust }, forwarded(), 'https://pub.example/base'],
  ['the request, without a proxy', trust, {}, own],
  ['the request, if the proxy is not trusted', {}, forwarded(), own],
  ['the request, if the values of the proxy are invalid', trust, forwarded('javascript', 'a/b"><'), own],
  ['X-Forwarded headers', trust, forwarded(), 'https://out.example:8443'],
  ['X-Forwarded headers with IPv6', trust, forwarded('http', '[2001:db8::1]:84'), 'http://[2001:db8::1]:84'],
  ['the first value of Forwarded', trust, { forwarded: `${standard}, for=5.6.7.8;host=b` }, 'https://out.example:8443'],
])('the base URL is that of %s', (_, rules, headers, url) => {
  expect(baseUrlOf(new Request(`${own}/v2/x?y`, { headers: { ...headers } }), rules)).toBe(url)
})

it('an operation gets the base URL', async () => {
  const { server } = await serveToys(trust)
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'out.example' }
  expect((await ask(`${server.url}/v2/toy/active`, { headers })).json['baseUrl']).toBe('https://out.example')
  expect((await ask(`${server.url}/v2/toy/active`)).json['baseUrl']).toBe(server.url)
  await server.close(0)
})
