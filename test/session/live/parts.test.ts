import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyEvent, withText } from '../../../src/engine/browser/input/mouse-and-keyboard.ts'
import { webUrl, opensPopup } from '../../../src/engine/session/live-view/viewer-actions.ts'
import { createFileUpload } from '../../../src/engine/session/file-chooser.ts'
import { livePage } from '../../../src/engine/session/live-view/live-view.ts'
import type { ViewerActionOf } from '../../../src/engine/session/live-view/messages.ts'
import { createBudget } from '../../../src/engine/session/live-view/viewer.ts'

test.for<[typed: string, address: string | undefined]>([
  ['example.com', 'https://example.com/'],
  [' example ', 'https://example/'],
  ['HTTPS://EXAMPLE.COM', 'https://example.com/'],
  ['about:blank', 'about:blank'],
  ['about:version', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['file:///etc/passwd', undefined],
  ['chrome://settings', undefined],
  ['view-source:https://example.com', undefined],
  ['blob:https://example.com/1', undefined],
  ['java\tscript:1', undefined],
  ['two words', undefined],
  ['https://', undefined],
  ['', undefined],
])('the address bar turns %s into %s', async ([typed, address]) => expect(await webUrl(typed)).toBe(address))

const key = (name: string, more: Partial<ViewerActionOf<'key'>> = {}): ViewerActionOf<'key'> => ({
  type: 'key',
  do: 'down',
  key: name,
  code: '',
  vk: 0,
  place: 0,
  repeat: false,
  mods: 0,
  ...more,
})

test.for<[name: string, action: ViewerActionOf<'key'>, expected: object]>([
  ['a letter', key('a'), { type: 'keyDown', text: 'a' }],
  ['a letter with shift', key('A', { mods: 8 }), { type: 'keyDown', text: 'A' }],
  ['a letter outside of the first plane', key('𝒶'), { type: 'keyDown', text: '𝒶' }],
  ['Enter', key('Enter'), { type: 'keyDown', text: '\r' }],
  ['an arrow', key('ArrowUp'), { type: 'rawKeyDown' }],
  ['Ctrl+A', key('a', { mods: 2 }), { type: 'rawKeyDown', commands: ['selectAll'] }],
  ['Meta+Z', key('z', { mods: 4 }), { type: 'rawKeyDown', commands: ['undo'] }],
  ['Ctrl+Shift+Z', key('Z', { mods: 10 }), { type: 'rawKeyDown', commands: ['redo'] }],
  ['a release', key('a', { do: 'up', mods: 2 }), { type: 'keyUp' }],
  ['the keypad', key('5', { place: 3 }), { type: 'keyDown', text: '5', isKeypad: true, location: 0 }],
])('%s becomes the event that a keyboard would send', ([, action, expected]) => {
  const { key: name, code, vk, mods } = action
  const event = keyEvent(action.do, withText({ key: name, code, windowsVirtualKeyCode: vk }), mods, action)
  expect(event).toMatchObject(expected)
  expect('text' in event).toBe('text' in expected)
  expect('commands' in event).toBe('commands' in expected)
})

test('space, F4 and Alt with an arrow open the popup of a field', () => {
  const opening = [key(' '), key('F4'), key('ArrowDown', { mods: 1 })]
  const others = [key('a'), key('Enter'), key('ArrowDown'), key(' ', { do: 'up' }), key(' ', { repeat: true })]
  expect(opening.map(opensPopup)).toEqual([true, true, true])
  expect(others.map(opensPopup)).toEqual([false, false, false, false, false])
})

test('a budget permits a burst, then a rate per second', () => {
  let now = 0
  const may = createBudget({ atOnce: 3, perSecond: 2 }, () => now)
  expect([may(1), may(1), may(1), may(1)]).toEqual([true, true, true, false])
  now = 1000
  expect([may(1), may(1)]).toEqual([true, false])
  now = 100_000
  expect([may(3), may(1)]).toEqual([true, false])
})

const many = { multiple: true }
const one = { multiple: false }

test('uploaded files are assembled from chunks of any size', () => {
  const intake = createFileUpload(
    [
      { name: 'a', size: 3 },
      { name: 'b', size: 0 },
      { name: 'c', size: 4 },
    ],
    many,
  )!
  expect([intake.take(Buffer.from('ab')), intake.isComplete()]).toEqual([true, false])
  expect([intake.take(Buffer.from('cdefg')), intake.isComplete()]).toEqual([true, true])
  expect(intake.files().map(({ name, bytes }) => `${name} ${bytes}`)).toEqual(['a abc', 'b ', 'c defg'])
  expect(intake.take(Buffer.from('h'))).toBe(false)
})

test.for([
  { files: [20_000_000], chooser: many, is: true },
  { files: [20_000_000, 1], chooser: many, is: false },
  { files: Array.from({ length: 10 }, () => 1), chooser: many, is: true },
  { files: Array.from({ length: 11 }, () => 1), chooser: many, is: false },
  { files: [1, 1], chooser: one, is: false },
  { files: [1], chooser: one, is: true },
])('an upload of files of $files bytes is accepted: $is', ({ files, chooser, is }) => {
  const announced = files.map((size) => ({ name: 'a', size }))
  expect(createFileUpload(announced, chooser) !== undefined).toBe(is)
})

test('the live view is one document with a policy that allows only its script and style', async () => {
  const { html, contentSecurityPolicy } = await livePage()
  for (const tag of ['script', 'style']) {
    const texts = Array.from(html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g')), ([, text]) => text!)
    expect(texts).toHaveLength(1)
    expect(texts[0]!.length).toBeGreaterThan(1000)
    const hash = createHash('sha256').update(texts[0]!).digest('base64')
    expect(contentSecurityPolicy).toContain(`${tag}-src 'sha256-${hash}'`)
  }
  expect(html).not.toMatch(/\son\w+=|\sstyle=|<link|\ssrc=|innerHTML|insertAdjacentHTML|outerHTML|\beval\b/)
  for (const rule of ["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "frame-ancestors 'self'"])
    expect(contentSecurityPolicy).toContain(rule)
})

test('the live view may be framed by the given origins only', async () => {
  const { contentSecurityPolicy } = await livePage(["'self'", 'https://chat.example'])
  expect(contentSecurityPolicy).toContain("frame-ancestors 'self' https://chat.example")
})
