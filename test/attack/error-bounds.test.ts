import { describe, expect, test } from 'vitest'
import { AppError, failure, toBody } from '../../src/kernel/error.ts'

const bytesOf = (error: AppError) => Buffer.byteLength(JSON.stringify(toBody(error)))
const issue = (path: unknown[], message = 'Expected string') => ({ path, message, code: 'invalid_type' })

describe('an error has at most 16 kB on the wire', () => {
  const long = '\u0000'.repeat(100_000)
  const deep = (levels: number): unknown => (levels === 0 ? long : [deep(levels - 1), deep(levels - 1)])
  test.each<[string, unknown]>([
    ['a text', long],
    ['a text of half characters', '\ud800'.repeat(100_000)],
    ['a list of texts', [long, long]],
    ['many issues', Array.from({ length: 100_000 }, (_, index) => issue(['formats', index]))],
    ['long paths', [issue([long, long])]],
    ['paths of many parts', [issue(Array.from({ length: 1000 }, () => 'a'.repeat(300)))]],
    ['an object of many fields', Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${i}${long}`, long]))],
    ['a tree', deep(8)],
    ['results of actions', { index: 2, actions: { screenshots: [long, long], scrapes: [{ html: long }] } }],
  ])('with %s as details', (_name, details) => {
    expect(bytesOf(failure('BAD_REQUEST', { details }))).toBeLessThanOrEqual(16_000)
    expect(bytesOf(failure('SCRAPE_ACTION_ERROR', { details, message: long, hint: long }))).toBeLessThanOrEqual(16_000)
  })

  test('with long texts of a remote service', () => {
    expect(bytesOf(new AppError(long, { status: 400, message: long, hint: long }))).toBeLessThanOrEqual(16_000)
  })
})

test('details that fit are not changed', () => {
  const details = { index: 1, actions: { scrapes: [{ url: 'https://a.example/', html: 'a'.repeat(5000) }] } }
  expect(failure('SCRAPE_ACTION_ERROR', { details }).details).toBe(details)
})

test.each([
  [19, 19, undefined],
  [20, 20, undefined],
  [21, 20, 'And 2 more.'],
  [100_000, 20, 'And 99981 more.'],
])('an error with %i issues lists %i of them', (count, entries, last) => {
  const issues = Array.from({ length: count }, (_, index) => issue([index]))
  const details = failure('BAD_REQUEST', { details: issues }).details as { message: string }[]
  expect(details).toHaveLength(entries)
  expect(details.at(-1)?.message).toBe(last ?? 'Expected string')
})

test('text is never cut within a character', () => {
  for (const length of [1990, 1991, 1992, 1993, 1994, 1995]) {
    const { message } = failure('BAD_REQUEST', { message: `${'a'.repeat(length)}${'😀'.repeat(100)}` })
    expect(message.isWellFormed()).toBe(true)
    expect(message).toMatch(/^a+(?:😀)*\uFFFD?…$/u)
  }
})
