import { describe, expect, test } from 'vitest'
import { createAddressRule } from '../../src/engine/net/address-rule.ts'
import { allowed, refused } from './address-cases.ts'

describe('without exceptions', () => {
  const rule = createAddressRule([])
  test.each(refused)('refuses %j', (url) => expect(rule.refusesUrl(url)).toBe(true))
  test.each(allowed)('allows %j', (url) => expect(rule.refusesUrl(url)).toBe(false))

  test('judges a bare host like a URL', () => {
    const wrong = [
      ...[
        '127.1',
        '0x7f.1',
        '::1',
        '[::1]',
        'LOCALHOST.',
        'intranet',
        '',
        'a/b',
        'a@b.com',
        'a.com:81',
        '①②⑦.①',
      ].filter((host) => !rule.refusesHost(host, 80)),
      ...['example.com', 'EXAMPLE.com.', '8.8.8.8', '2606:4700::1111'].filter((host) => rule.refusesHost(host, 80)),
    ]
    expect(wrong).toEqual([])
  })

  test('judges the addresses of a host name', () => {
    const closed = ['127.0.0.1', '::1', 'fe80::1%eth0', '::ffff:10.0.0.1', '', 'nonsense']
    const open = ['93.184.216.34', '2606:2800:220:1::']
    expect([...closed, ...open].filter((ip) => rule.refusesIp(ip, 'example.com', 80))).toEqual(closed)
  })
})

test.each<[entry: string, opens: string[], leaves: string[]]>([
  ['localhost', ['http://localhost:3000/', 'http://LOCALHOST./'], ['http://app.localhost/', 'http://127.0.0.1/']],
  ['Dev.Test', ['http://dev.test/'], ['http://10.0.0.1/']],
  [
    'wiki.corp:8080',
    ['http://wiki.corp:8080/'],
    ['http://wiki.corp/', 'https://wiki.corp/', 'http://wiki.corp:80801/'],
  ],
  ['wiki.corp:443', ['https://wiki.corp/'], ['http://wiki.corp/']],
  [
    '127.0.0.1',
    ['http://127.0.0.1/', 'http://127.1:99/', 'http://[::ffff:7f00:1]/'],
    ['http://127.0.0.2/', 'http://localhost/'],
  ],
  ['127.0.0.1:3000', ['http://2130706433:3000/'], ['http://127.0.0.1/', 'http://127.0.0.1:3001/']],
  ['10.0.0.0/8', ['http://10.0.0.1/', 'http://10.255.255.255/'], ['http://11.0.0.0.corp/', 'http://192.168.0.1/']],
  ['10.1.0.0/16:8080', ['http://10.1.2.3:8080/'], ['http://10.1.2.3/', 'http://10.2.0.1:8080/']],
  ['::1', ['http://[::1]/', 'http://[0:0::1]:5/'], ['http://[::2]/', 'http://127.0.0.1/']],
  ['[::1]', ['http://[::1]/'], ['http://[::2]/']],
  ['[::1]:8080', ['http://[::1]:8080/'], ['http://[::1]/']],
  ['fd00::/8', ['http://[fd12:3456::1]/'], ['http://[fc00::1]/']],
  ['[fd00::]/8:81', ['http://[fd12::1]:81/'], ['http://[fd12::1]/']],
  ['[fd00::/8]:81', ['http://[fd12::1]:81/'], ['http://[fd12::1]/']],
  [
    '*',
    ['http://localhost/', 'http://10.0.0.1/', 'http://[::1]/', 'http://intranet/'],
    ['ftp://localhost/', 'file:///x'],
  ],
  ['*:3000', ['http://localhost:3000/'], ['http://localhost/']],
])('allowHosts %j opens only the hosts it names', (entry, opens, leaves) => {
  const rule = createAddressRule([entry])
  expect(opens.filter((url) => rule.refusesUrl(url))).toEqual([])
  expect(leaves.filter((url) => !rule.refusesUrl(url))).toEqual([])
})

test('a named exception covers whatever the name resolves to, an address exception only that address', () => {
  const byName = createAddressRule(['dev.test:3000'])
  expect(byName.refusesIp('10.0.0.1', 'dev.test', 3000)).toBe(false)
  expect(byName.refusesIp('10.0.0.1', 'dev.test', 80)).toBe(true)
  expect(byName.refusesIp('10.0.0.1', 'other.test', 3000)).toBe(true)
  const byAddress = createAddressRule(['10.0.0.1'])
  expect(byAddress.refusesIp('10.0.0.1', 'any.example.com', 80)).toBe(false)
  expect(byAddress.refusesIp('10.0.0.2', 'any.example.com', 80)).toBe(true)
})

test.each([
  '',
  ' ',
  'http://x',
  'a b',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/x',
  '10.0.0.0/8.5',
  '10.0.0.0/-1',
  'x:0',
  'x:99999',
  'x:port',
  'name/8',
  '::/129',
  '[::1',
  'a@b',
])('an unreadable entry, such as %j, is refused at start', (entry) => {
  expect(() => createAddressRule([entry])).toThrow(`allowHosts: "${entry}" is not`)
})
