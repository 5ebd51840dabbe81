import { describe, expect, test } from 'vitest'
import { browserMakerHosts, createAdHosts, hostsIn } from '../../src/engine/net/proxy/block-list.ts'

describe('the list of advertising hosts', () => {
  const hosts = createAdHosts(['||more.example^'])

  test.each(['doubleclick.net', 'ad.DoubleClick.net', 'www.google-analytics.com.', 'a.b.more.example'])(
    'contains %s',
    (host) => expect(hosts.holds(host)).toBe(true),
  )

  test.each(['example.com', 'notdoubleclick.net', 'doubleclick.net.example.com', 'net', '', '127.0.0.1', 'google.com'])(
    'does not contain %s',
    (host) => expect(hosts.holds(host)).toBe(false),
  )
})

test('requests of a browser to its vendor are listed, but the public sites of the vendor are not', () => {
  expect(browserMakerHosts.holds('update.googleapis.com')).toBe(true)
  expect(['www.google.com', 'fonts.googleapis.com', 'ajax.googleapis.com'].some(browserMakerHosts.holds)).toBe(false)
})

test.each([
  ['||ads.example^', ['ads.example']],
  ['||ads.example^$third-party', ['ads.example']],
  ['0.0.0.0 ads.example # why', ['ads.example']],
  ['127.0.0.1\tads.example', ['ads.example']],
  ['ADS.example', ['ads.example']],
  ['a.example\r\n! comment\n# comment\n\n||b.example^', ['a.example', 'b.example']],
  ['||ads.example^$script', []],
  ['||ads.example/path', []],
  ['@@||ads.example^', []],
  ['example.com##.ad', []],
  ['/banner/*', []],
  ['127.0.0.1 localhost', []],
  ['0.0.0.0 0.0.0.0', []],
  ['com', []],
])('hosts to block in "%s": %j', (text, hosts) => expect(hostsIn(text)).toEqual(hosts))
