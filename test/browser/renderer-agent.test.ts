import { describe, expect, test } from 'vitest'
import {
  clientHints,
  phoneUserAgent,
  desktopUserAgent,
  sortHeaders,
} from '../../src/engine/browser/emulation/emulate.ts'
import { findKey } from '../../src/engine/browser/input/mouse-and-keyboard.ts'
import { isOnThisMachine } from '../../src/engine/browser/launch/launcher.ts'

const shell =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.8078.79 Safari/537.36'

describe('the user agent', () => {
  test('on a desktop is that of Chrome', () => {
    const name = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
    expect([desktopUserAgent(shell), desktopUserAgent(name)]).toEqual([name, name])
  })

  test('on a phone is that of Chrome', () => {
    const name =
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36'
    expect([phoneUserAgent(shell), phoneUserAgent(name)]).toEqual([name, name])
  })

  test.each([
    [
      '156',
      [
        ['Not:A-Brand', '8'],
        ['Chromium', '156'],
        ['Google Chrome', '156'],
      ],
    ],
    [
      '131',
      [
        ['Google Chrome', '131'],
        ['Chromium', '131'],
        ['Not_A Brand', '24'],
      ],
    ],
    [
      '120',
      [
        ['Not_A Brand', '8'],
        ['Chromium', '120'],
        ['Google Chrome', '120'],
      ],
    ],
  ])('has the client hints of Chrome %s', (major, brands) => {
    const hints = clientHints(desktopUserAgent(shell), `HeadlessChrome/${major}.0.1.2`, 'desktop')
    expect(hints.brands?.map(({ brand, version }) => [brand, version])).toEqual(brands)
    expect(hints).toMatchObject({ platform: 'Linux', mobile: false, model: '' })
    const versions = hints.fullVersionList?.map(({ version }) => version) ?? []
    expect(versions.filter((version) => version === `${major}.0.1.2`)).toHaveLength(2)
  })
})

test('cookies are set for the whole site, and connection headers are dropped', () => {
  const headers = {
    Cookie: ' a=1;b=x=y; ;c',
    'USER-AGENT': 'me',
    Host: 'evil.test',
    'Proxy-Authorization': 'x',
    'X-One': '1',
  }
  expect(sortHeaders(headers, 'https://a.test/deep/page?q=1')).toEqual({
    userAgent: 'me',
    cookies: [
      ['a', '1'],
      ['b', 'x=y'],
      ['c', ''],
    ].map(([name, value]) => ({ name, value, url: 'https://a.test/' })),
    others: [{ name: 'X-One', value: '1' }],
  })
})

test.each([
  ['Enter', { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }, 0],
  ['ctrl+shift+k', { key: 'k', code: 'KeyK', windowsVirtualKeyCode: 75, text: 'k' }, 10],
  ['Control++', { key: '+', code: 'Equal', windowsVirtualKeyCode: 187, text: '+' }, 2],
  ['Control+K', { key: 'k', code: 'KeyK', windowsVirtualKeyCode: 75, text: 'k' }, 2],
  ['?', { key: '?', code: 'Slash', windowsVirtualKeyCode: 191, text: '?' }, 0],
  ['F11', { key: 'F11', code: 'F11', windowsVirtualKeyCode: 122 }, 0],
  ['7', { key: '7', code: 'Digit7', windowsVirtualKeyCode: 55, text: '7' }, 0],
])('the key %s is found', (name, key, modifiers) => expect(findKey(name)).toEqual({ key, modifiers }))

test.each(['', 'Nope', 'a+b', 'Enter+a', 'constructor', 'Control+'])('the key "%s" does not exist', (name) => {
  expect(findKey(name)).toBeUndefined()
})

test.each([
  ['ws://127.0.0.1:9222/x', true],
  ['http://localhost:9222', true],
  ['ws://[::1]:1/', true],
  ['ws://localhost.:9222', true],
  ['ws://chrome.localhost:9222', true],
  ['ws://[::ffff:127.0.0.1]:9222', true],
  ['ws://0.0.0.0:9222', true],
  ['ws://notlocalhost:9222', false],
  ['wss://browser.example/?token=1', false],
  ['ws://10.0.0.1:9222', false],
  ['ws://127.0.0.1.example/', false],
])('the browser at %s is on this machine: %s', (endpoint, isHere) => expect(isOnThisMachine(endpoint)).toBe(isHere))
