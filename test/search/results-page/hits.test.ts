import { expect, test } from 'vitest'
import { ProviderError } from '../../../src/contracts/search-port.ts'
import type { PageReading } from '../../../src/engine/search/results-pages/read-page.ts'
import { noon } from '../../helpers/fakes.ts'
import { parseReading, hitsOf } from '../../../src/engine/search/results-pages/results-pages.ts'

const plain = { targetOf: ({ href }: URL): string | undefined => href }
const item = (href: string, title = 'A title') => ({ href, title, snippet: '', dates: [] })
const results = (...hrefs: string[]): PageReading => ({ state: 'results', items: hrefs.map((href) => item(href)) })
const without = (state: PageReading['state']): PageReading => ({ state, items: [] })

function outcome(reading: PageReading | undefined, status: number): string | number {
  try {
    return hitsOf(plain, reading, { status, headers: {} }, noon).length
  } catch (error) {
    if (error instanceof ProviderError) return error.kind
    throw error
  }
}

test.each<[string, PageReading | undefined, number, string | number]>([
  ['results', results('https://a.org/', 'https://b.org/'), 200, 2],
  ['results with a status that refuses', results('https://a.org/'), 202, 1],
  ['the same page twice', results('https://a.org/', 'https://a.org/'), 200, 1],
  ['links that lead to no page', results('javascript:alert(1)', 'mailto:a@b.org', 'nowhere'), 200, 'unreadable answer'],
  ['a page that states that it has no results', without('empty'), 200, 0],
  ['a page that states that it has no results, with 202', without('empty'), 202, 'bot challenge'],
  ['a challenge', without('challenge'), 200, 'bot challenge'],
  ['nothing with 403', without('loading'), 403, 'bot challenge'],
  ['a challenge with 429', without('challenge'), 429, 'rate limited'],
  ['something else', without('loading'), 200, 'unreadable answer'],
  ['no reading', undefined, 200, 'unreadable answer'],
  ['no reading with 403', undefined, 403, 'bot challenge'],
])('the page and its status determine the results or the failure: %s', (_, reading, status, expected) =>
  expect(outcome(reading, status)).toBe(expected),
)

test.each<[unknown]>([
  [null],
  ['results'],
  [{}],
  [{ state: 'results' }],
  [{ state: 'fine', items: [] }],
  [{ state: 'results', items: [{ href: 7, title: 'x', snippet: '', dates: [] }] }],
  [{ state: 'results', items: [{ href: 'https://a.org/' }] }],
])('%j is not a reading', (value) => expect(parseReading(value)).toBeUndefined())

test('a pause requested by the engine is reported', () => {
  const answer = { status: 429, headers: { 'retry-after': '90' } }
  expect(() => hitsOf(plain, without('loading'), answer, noon)).toThrow(
    expect.objectContaining({ kind: 'rate limited', pauseMs: 90_000 }),
  )
})

test.each<[dates: string[], date: string | undefined]>([
  [['2026-03-14T00:00:00.0000000'], '2026-03-14'],
  [['\u00a0 \u00a0 2026-03-14T00:00:00.0000000'], '2026-03-14'],
  [['2026-03-14T10:30:00.0000000'], '2026-03-14T10:30:00.000Z'],
  [['March 3, 2026 -'], '2026-03-03'],
  [['Mar 3, 2026 ·'], '2026-03-03'],
  [['2 hours ago'], '2026-03-15T10:00:00.000Z'],
  [['3 days ago ·'], '2026-03-12T12:00:00.000Z'],
  [['', 'shown.example', '2026-03-14'], '2026-03-14'],
  [['vor 2 Tagen'], undefined],
  [['shown.example'], undefined],
  [['-'], undefined],
  [[], undefined],
])('the date in %j is %s', (dates, date) => {
  const reading: PageReading = { state: 'results', items: [{ ...item('https://a.org/'), dates }] }
  expect(hitsOf(plain, reading, { status: 200, headers: {} }, noon)[0]!.date).toBe(date)
})
