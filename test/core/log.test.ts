import { describe, expect, test } from 'vitest'
import { createLog, type LogLevel, logLevels, scrubUrls } from '../../src/kernel/log.ts'

function logOf(level: LogLevel) {
  const lines: string[] = []
  return { log: createLog(level, (line) => void lines.push(line)), lines }
}
const entry = (facts: object) => {
  const { log, lines } = logOf('debug')
  log.info('event', facts)
  return { line: lines.join(''), value: JSON.parse(lines.join('')) as Record<string, unknown> }
}

test.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
] as const)('at level %s only %j are written', (level, expected) => {
  const { log, lines } = logOf(level)
  for (const name of logLevels) if (name !== 'silent') log[name]('event')
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(expected)
})

test('an event is one line of JSON, whatever it contains', () => {
  const { line, value } = entry({ text: 'two\nlines', count: 2 })
  expect(line).toMatch(/^[^\n]+\n$/)
  expect(value).toMatchObject({ level: 'info', event: 'event', text: 'two\nlines', count: 2 })
  expect(new Date(value['time'] as string).toISOString()).toBe(value['time'])
})

describe('no secret is logged', () => {
  const secret = 'hunter2'
  const names =
    'authorization Authorization proxy-authorization cookie Set-Cookie x-api-key apiKey api_key key token access_token refresh-token accessToken client_secret password sig signature auth'
  test.each(names.split(' '))('in a fact named %s', (name) => {
    expect(entry({ [name]: secret }).line).not.toContain(secret)
    expect(entry({ request: { headers: [{ [name]: secret }] } }).line).not.toContain(secret)
  })

  test.each([
    'https://user:hunter2@example.com/a',
    'https://user:p@hunter2@example.com/a',
    'https://hunter2@example.com/a',
    'https://example.com/?key=hunter2',
    'https://example.com/?a=1&access_token=hunter2&b=2',
    'https://example.com/?X-Amz-Signature=hunter2',
    'https://example.com/#access_token=hunter2',
    'ws://user:hunter2@127.0.0.1:9/',
  ])('in the address %s', (url) => {
    expect(entry({ url }).line).not.toContain(secret)
    expect(entry({ note: `fetching ${url} failed` }).line).not.toContain(secret)
    expect(entry({ cause: new Error(`fetching ${url} failed`) }).line).not.toContain(secret)
    expect(entry({ cause: new Error('outer', { cause: new Error(url) }) }).line).not.toContain(secret)
  })
})

test('text without secrets stays readable', () => {
  const text = 'see https://example.com/a@b?page=2&sort=key#part, or write to me@example.com'
  expect(scrubUrls(text)).toBe(text)
  expect(entry({ keyName: 'laptop', tokens: 15 }).value).toMatchObject({ keyName: 'laptop', tokens: 15 })
})

test('a failure is logged with its stack and its causes', () => {
  const { value } = entry({ cause: new TypeError('outer', { cause: new Error('inner') }) })
  expect(value['cause']).toMatchObject({
    name: 'TypeError',
    message: 'outer',
    stack: expect.stringContaining('log.test'),
    cause: { message: 'inner' },
  })
})
