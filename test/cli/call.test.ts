import { describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/app/app.ts'
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
  ['characters that overwrite a line', 'safe\revil\b\u007f', 'safe\uFFFDevil\uFFFD\uFFFD'],
  ['lines, tabs and other scripts are kept', 'ü\t漢\r\n🙂\n', 'ü\t漢\n🙂\n'],
])('a page cannot control the terminal: %s', (_, text, shown) => expect(harmless(text)).toBe(shown))

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

test('each hint that refers to the operator says what the operator should do', () => {
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
  ['a tool that combines several operations', ['usage', '{"show": "credits_left"}'], { data: expect.anything() }],
  ['such a tool without arguments', ['usage'], { periods: expect.any(Array) }],
  ['an operation that such a tool combines', ['credit-usage'], { data: expect.anything() }],
  ['an argument of the tool of that name', ['activity', '{"show": "crawls"}'], { crawls: [] }],
  ['the operation of that name', ['activity', '{"limit": 5}'], { data: [] }],
  ['the second operation if the first does not know the id', ['crawl_status', '{"id": "none"}'], { success: false }],
])('call takes %s', async (_, words, output) => expect((await called(...words)).output).toMatchObject(output))

test('a name that is neither an operation nor a tool is refused with a list of both', async () => {
  await expect(called('usages')).rejects.toThrow(/no operation usages.*Did you mean usage\b[^]*tools are: .*usage/)
})

async function printed(way: string, words: string[], settings: Record<string, string> = {}) {
  const config = readConfig({ 'data-dir': 'memory', ...settings }, {})
  const app = forTest(createApp(config, silentLog))
  // No call may run.
  const idle: App = { ...app, invoke: () => Promise.reject(new Error('it was called')) }
  const { code, out } = await runCommand(callCommand, words, { flags: { as: way }, config, app: idle })
  expect(code).toBe(0)
  return out
}
const map = ['map', `{"url":"https://a.example/it's","limit":5}`]

describe('gossamer call --as', () => {
  test('prints the call for curl, with the variable of the key if one is needed', async () => {
    expect(await printed('curl', map)).toBe(
      `curl -X POST 'http://127.0.0.1:3002/v2/map' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"limit":5,"url":"https://a.example/it'\\''s"}'\n`,
    )
    const remote = { 'remote-url': 'https://far.example/x/', 'remote-key': 'very-secret' }
    const text = await printed('curl', map, remote)
    expect(text).toContain(`'https://far.example/x/v2/map'`)
    expect(text).toContain('-H "Authorization: Bearer $GOSSAMER_API_KEY"')
    for (const way of ['curl', 'mcp', 'cli', 'sdk', 'library'])
      expect(await printed(way, map, remote)).not.toContain('very-secret')
    expect(await printed('curl', map, { 'api-keys': 'ada:very-secret' })).toContain('$GOSSAMER_API_KEY')
  })

  test('prints the command, with the URL of a remote service', async () => {
    expect(await printed('cli', map)).toBe(`gossamer call map '{"limit":5,"url":"https://a.example/it'\\''s"}'\n`)
    expect(await printed('cli', map, { 'remote-url': "https://far.example/o'k" })).toMatch(
      /^GOSSAMER_REMOTE_URL='https:\/\/far\.example\/o%27k' \\\n {2}gossamer call map /,
    )
  })

  test('refuses unknown notations and operations, with a suggestion', async () => {
    await expect(printed('crul', map)).rejects.toThrow('Did you mean curl?')
    await expect(printed('sdk', ['admin_teams', '{}'])).rejects.toThrow('The SDK has no method for this')
    await expect(printed('curl', ['mpa', '{}'])).rejects.toThrow('There is no operation mpa')
  })
})
