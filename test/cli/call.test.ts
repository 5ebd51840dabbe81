import { expect, test } from 'vitest'
import { errorText } from '../../src/cli/commands/call.ts'
import { harmless, plain } from '../../src/cli/terminal.ts'
import { failure } from '../../src/kernel/error.ts'

test.each([
  ['colours and window titles', 'a\u001b[31mb \u001b]0;t\u0007', 'a\uFFFD[31mb \uFFFD]0;t\uFFFD'],
  ['the one-character form of an escape', '\u009b2J\u0090', '\uFFFD2J\uFFFD'],
  ['what overwrites a line', 'safe\revil\b\u007f', 'safe\uFFFDevil\uFFFD\uFFFD'],
  ['but not lines, tabs and other scripts', 'ü\t漢\r\n🙂\n', 'ü\t漢\n🙂\n'],
])('a page commands no terminal: %s', (_, text, shown) => {
  expect(harmless(text)).toBe(shown)
})

test('nor does what a failure says of it', () => {
  expect(errorText(failure('SCRAPE_SITE_ERROR', { message: 'a\u001b[2Jb' }), plain)).toContain('a\uFFFD[2Jb')
})

test('wrong fields are a line each', () => {
  const details = [{ path: ['formats', 0], message: 'Unknown format', code: 'custom' }]
  const text = errorText(failure('BAD_REQUEST', { details, hint: 'Correct them.' }), plain)
  expect(text).toMatch(/^BAD_REQUEST: .+\n {2}formats\.0: Unknown format\nCorrect them\.\n$/)
})
