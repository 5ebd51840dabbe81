import { expect, test } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import { callCommand, errorText } from '../../src/cli/commands/call-command.ts'
import { harmless } from '../../src/cli/terminal-io.ts'
import { failure } from '../../src/kernel/error.ts'
import { errors } from '../../src/kernel/error-table.ts'
import { forTest } from '../helpers/for-all.ts'
import { fakeTerminal, runCommand, silentLog } from './kit.ts'

test.each([
  ['colours and window titles', 'a\u001b[31mb \u001b]0;t\u0007', 'a\uFFFD[31mb \uFFFD]0;t\uFFFD'],
  ['the one-character form of an escape', '\u009b2J\u0090', '\uFFFD2J\uFFFD'],
  ['what overwrites a line', 'safe\revil\b\u007f', 'safe\uFFFDevil\uFFFD\uFFFD'],
  ['but not lines, tabs and other scripts', 'ü\t漢\r\n🙂\n', 'ü\t漢\n🙂\n'],
])('a page cannot control the terminal: %s', (_, text, shown) => {
  expect(harmless(text)).toBe(shown)
})

const local = { terminal: fakeTerminal().terminal, config: readConfig({}, {}) }

test('wrong fields are listed one per line', () => {
  const details = [{ path: ['formats', 0], message: 'Unknown format', code: 'custom' }]
  const text = errorText(failure('BAD_REQUEST', { details, hint: 'Correct them.' }), local)
  expect(text).toMatch(/^BAD_REQUEST: .+\n {2}formats\[0\]: Unknown format\nCorrect them\.\n$/)
})

test('other details are listed one per line', () => {
  const text = errorText(failure('SESSION_LIMIT', { details: { maxSessions: 2, sessions: ['a'] } }), local)
  expect(text).toContain('\n  maxSessions: 2\n  sessions: ["a"]\n')
})

test('the hint of an error addresses the reader: the operator, or a caller of a remote service', () => {
  const remote = { ...local, config: readConfig({}, { GOSSAMER_REMOTE_URL: 'https://silk.test' }) }
  expect(errorText(failure('STORAGE_FULL'), local)).toContain('\nFree space where')
  expect(errorText(failure('RATE_LIMITED'), local)).toContain('or raise the rate.')
  expect(errorText(failure('STORAGE_FULL'), remote)).toContain('\nAsk the operator to free space where')
})

test('each hint that sends callers to the operator names a task for the operator', () => {
  const hints = Object.values(errors).map(({ hint }) => hint)
  expect(hints.filter((hint) => /ask the operator (?!to )/i.test(hint))).toEqual([])
})

async function called(...words: string[]) {
  const config = readConfig({}, { GOSSAMER_DATA_DIR: 'memory' })
  const app = forTest(createApp(config, silentLog))
  const { code, out } = await runCommand(callCommand, words, { config, app })
  return { code, output: JSON.parse(out) as Record<string, unknown> }
}

test.each([
  ['a tool that stands for several operations', ['usage', '{"show": "credits_left"}'], { data: expect.anything() }],
  ['by what goes without saying', ['usage'], { periods: expect.any(Array) }],
  ['an operation that such a tool stands for', ['credit-usage'], { data: expect.anything() }],
  ['an argument of the tool of that name', ['activity', '{"show": "crawls"}'], { crawls: [] }],
  ['the operation of that name', ['activity', '{"limit": 5}'], { data: [] }],
  ['the second operation, where the first knows no such id', ['crawl_status', '{"id": "none"}'], { success: false }],
])('call takes %s', async (_, words, output) => {
  expect((await called(...words)).output).toMatchObject(output)
})

test('a name that is neither an operation nor a tool is refused with a list of both', async () => {
  await expect(called('usages')).rejects.toThrow(/no operation usages.*Did you mean usage\b[^]*tools are: .*usage/)
})
