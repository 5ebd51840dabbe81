import { describe, expect, test } from 'vitest'
import {
  retryDelayMs,
  buildUrl,
  createPacer,
  type RateLimit,
} from '../../../src/engine/search/providers/shared/call-api.ts'
import { isoDate, countryName, truncateQuery } from '../../../src/engine/search/providers/shared/search-scope.ts'
import { toHit, fromHtml, truncate } from '../../../src/engine/search/providers/shared/read-hits.ts'
import { failureOf } from '../../helpers/fakes.ts'

const noon = Date.UTC(2026, 2, 15, 12)
/** A clock that advances only during waits. */
function paced(rate: RateLimit) {
  const state = { now: 0, waits: [] as number[] }
  const pacer = createPacer(rate, {
    now: () => state.now,
    wait: async (ms) => {
      state.waits = [...state.waits, ms]
    },
    random: () => 1,
  })
  const { signal } = new AbortController()
  return { ...pacer, state, turn: (endsAt?: number) => pacer.waitTurn({ teamId: 'red', signal, endsAt }) }
}

describe('a pacer', () => {
  test('lets as many calls pass as the rule allows, and later ones after its interval', async () => {
    const { turn, state } = paced({ count: 2, perMs: 1000 })
    await turn()
    state.now = 100
    await turn()
    expect(state.waits).toEqual([])
    await turn()
    await turn()
    await turn()
    expect(state.waits).toEqual([900, 1000, 1900])
    state.now = 10_000
    await turn()
    expect(state.waits).toHaveLength(3)
  })

  test('fails immediately if the wait is too long, without using a turn', async () => {
    const { turn, state } = paced({ count: 10, perMs: 60_000 })
    for (let nth = 0; nth < 10; nth++) await turn()
    const refused = { kind: 'rate limited', pauseMs: 60_000, message: expect.stringContaining('10 requests in 60 s') }
    expect(await failureOf(turn())).toMatchObject(refused)
    expect(await failureOf(turn())).toMatchObject(refused)
    state.now = 56_000
    await turn()
    expect(state.waits).toEqual([4000])
  })

  test('delays all requests after a pause was requested', async () => {
    const { turn, pause: hold, state } = paced({ count: 9, perMs: 1000 })
    hold(3000)
    await turn()
    expect(state.waits).toEqual([3000])
    hold(30_000)
    expect(await failureOf(turn())).toMatchObject({ kind: 'rate limited', pauseMs: 30_000 })
  })

  test('stops waiting with the reason of the signal', async () => {
    const stop = new AbortController()
    const { signal } = stop
    const pacer = createPacer({ count: 1, perMs: 4000 })
    await pacer.waitTurn({ teamId: 'red', signal })
    const waiting = failureOf(pacer.waitTurn({ teamId: 'red', signal }))
    stop.abort(new Error('enough'))
    expect(await waiting).toMatchObject({ message: 'enough' })
    expect(await failureOf(pacer.waitTurn({ teamId: 'red', signal }))).toMatchObject({ message: 'enough' })
  })
})

test.each([
  { headers: { 'retry-after': '7' }, pauseMs: 7000 },
  { headers: { 'retry-after': new Date(noon + 30_000).toUTCString() }, pauseMs: 30_000 },
  { headers: { 'retry-after': new Date(noon - 30_000).toUTCString() }, pauseMs: 0 },
  { headers: { 'retry-after': 'soon' }, pauseMs: undefined },
  { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }, pauseMs: 30_000 },
  { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(noon / 1000 + 9) }, pauseMs: 9000 },
  { headers: { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '30' }, pauseMs: undefined },
  { headers: { 'x-ratelimit-remaining': '0, 0', 'x-ratelimit-reset': '1, 900' }, pauseMs: 900_000 },
  {
    headers: { 'x-ratelimit-limit': '1, 0', 'x-ratelimit-remaining': '0, 0', 'x-ratelimit-reset': '1, 900' },
    pauseMs: 1000,
  },
  { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'x' }, pauseMs: undefined },
  { headers: {}, pauseMs: undefined },
])('$headers demand a pause of $pauseMs ms', ({ headers, pauseMs }) => {
  expect(retryDelayMs(headers as Record<string, string>, noon)).toBe(pauseMs)
})

test.each([
  ['<b>a</b> &amp; b', 'a & b'],
  ['a<br>b<p>c</p>', 'a b c'],
  ['List&lt;String&gt;', 'List<String>'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['a&nbsp;b&#8230;&#x41;&unknown;', 'a b…A&unknown;'],
  ['a<!-- <b>no</b> -->b', 'ab'],
  ['x<script src="a">', 'x'],
  ['&amp;lt;', '&lt;'],
  ['  a\n\t b ', 'a b'],
])('the HTML %s is the text %s', (html, text) => expect(fromHtml(html)).toBe(text))

test('a long text is cut after a word', () => {
  expect(truncate('silk '.repeat(400))).toMatch(/^(?:silk )+silk…$/)
  expect(truncate('silk '.repeat(400)).length).toBeLessThanOrEqual(600)
  expect(truncate('x'.repeat(700))).toHaveLength(600)
  expect(truncate('short')).toBe('short')
})

test.each([
  ['2026-03-01', '2026-03-01'],
  ['2026-03', '2026-03'],
  ['2026', '2026'],
  ['2026-13-01', undefined],
  ['2026-03-01T10:00:00', '2026-03-01T10:00:00.000Z'],
  ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
  ['2026-03-01 10:00:00', '2026-03-01T10:00:00.000Z'],
  ['Nov 5, 2024', '2024-11-05'],
  ['5 November 2024', '2024-11-05'],
  ['Sun, 01 Mar 2026 17:30:00 GMT', '2026-03-01T17:30:00.000Z'],
  ['Sun, 01 Mar 2026 17:30:00 +0100', '2026-03-01T16:30:00.000Z'],
  ['3 hours ago', '2026-03-15T09:00:00.000Z'],
  ['20 mins ago', '2026-03-15T11:40:00.000Z'],
  ['2 months ago', '2026-01-14T12:00:00.000Z'],
  ['1 day ago', '2026-03-14T12:00:00.000Z'],
  ['yesterday', undefined],
  ['', undefined],
  [null, undefined],
  ['9'.repeat(5000), undefined],
])('the date %s is %s', (written, iso) => expect(isoDate(written, noon)).toBe(iso))

test('a field missing from a result is absent', () => {
  const unknown = { description: '  ', date: 'some day', imageUrl: 'data:,', imageWidth: 0, imageHeight: Number.NaN }
  expect(toHit({ url: 'https://a.example/', title: '', ...unknown })).toEqual([
    { url: 'https://a.example/', title: 'https://a.example/' },
  ])
})

test.each([
  ['a b c', { chars: 99, words: 2 }, 'a b'],
  ['aaa bbb ccc', { chars: 8, words: 9 }, 'aaa bbb'],
  ['aaaaaaaa', { chars: 4, words: 9 }, 'aaaa'],
  ['aaa', { chars: 3, words: 1 }, 'aaa'],
])('%s is cut to %o: %s', (text, max, short) => expect(truncateQuery(text, max)).toBe(short))

test('countries have names, and addresses only the given parameters', () => {
  expect(countryName('DE')).toBe('Germany')
  expect(countryName('ZZ')).toBeUndefined()
  expect(countryName('de')).toBeUndefined()
  expect(buildUrl('https://a.example/b', { q: 'c d&e', n: 1, none: undefined })).toBe(
    'https://a.example/b?q=c+d%26e&n=1',
  )
})
