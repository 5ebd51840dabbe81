import { describe, expect, test } from 'vitest'
import { allOffered } from '../../src/kernel/offer.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import {
  creditUsage,
  creditUsageDaily,
  creditUsageHistorical,
  tokenBalance,
  tokenUsage,
} from '../../src/operations/account.ts'
import { shortened, splitUrls, tableOf, withoutSiteName } from '../../src/operations/present/present-lists.ts'

describe('titles of one site', () => {
  const long = ` · ${'x'.repeat(200)}`

  test.each([
    ['Quay, A · Quay, B · Quay, C · Quay', 'Quay, A, B, C'],
    ['A - b | Quay, C | Quay, D | Quay', 'A - b, C, D'],
    ['Foo - Guide - Acme, Bar - News - Acme, Baz - Blog - Acme', 'Foo - Guide, Bar - News, Baz - Blog'],
    ['A | Quay-Werft, B - C | Quay-Werft, D | Quay-Werft', 'A, B - C, D'],
    // Two titles may have the same end by chance, and a match inside a word is not evidence.
    ['A · Quay, B · Quay', 'A · Quay, B · Quay'],
    ['one-way, two-way, free-way', 'one-way, two-way, free-way'],
    [`${long}, ${long}, ${long}`, `${long}, ${long}, ${long}`],
    ['A · x, B · y, C · z, D', 'A · x, B · y, C · z, D'],
  ])('are shown without the name of the site: %j as %j', (titles, short) => {
    expect(withoutSiteName(titles.split(', '))).toEqual(short.split(', '))
  })

  test('are examined at their end only', () => {
    const begins = ['a', 'b', 'c'].map((name) => `${name}${' -'.repeat(5_000_000)}`)
    const short = withoutSiteName(begins.map((begin) => `${begin} ·`))
    // Not toEqual, which would print the titles.
    expect(short.every((title, index) => title === begins[index]?.slice(0, -2))).toBe(true)
    expect(withoutSiteName([])).toEqual([])
  })
})

describe('URLs of a table', () => {
  test.each([
    ['https://a.test/docs/x https://a.test/docs/y/z', 'https://a.test/docs', '/x /y/z'],
    // A path that another URL continues keeps its last part, too.
    ['https://a.test/docs https://a.test/docs/x', 'https://a.test', '/docs /docs/x'],
    ['https://a.test/docs https://a.test/docs-old', 'https://a.test', '/docs /docs-old'],
    ['https://a.test/x https://b.test/x', '', 'https://a.test/x https://b.test/x'],
    ['https://a.test/x https://a.test.evil/x', '', 'https://a.test/x https://a.test.evil/x'],
    ['http://a.test/x https://a.test/x', '', 'http://a.test/x https://a.test/x'],
    [' https://a.test/x', '', ' https://a.test/x'],
  ])('%j have %j in common', (urls, base, rests) => {
    expect(splitUrls(urls.split(' '))).toEqual({ base, rests: rests.split(' ') })
  })

  test('are complete even if they are long, because a cut URL cannot be opened', () => {
    const long = `https://a.test/${'x'.repeat(900)}`
    const end = `2${'y'.repeat(900)}`
    expect(splitUrls([`${long}/1`, `${long}/${end}`])).toEqual({ base: long, rests: ['/1', `/${end}`] })
  })

  test('take one line each, like every cell', () => {
    expect(tableOf(['row', 'title'], [[1, shortened(' Two\n3 | forged ')]])).toBe('row | title\n1 | Two 3 | forged')
    const rests = ['https://a.test/x https://b.test/']
    expect(splitUrls(['https://a.test/x\nhttps://b.test/'])).toMatchObject({ rests })
  })
})

function textOf({ mcp }: AnyOperation, output: object): string | undefined {
  const shown = mcp ? mcp.present?.(output, {}, allOffered) : undefined
  return shown?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n')
}

describe('usage', () => {
  const [startDate, endDate] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z']

  test('by month is a sentence per row', () => {
    const periods = [{ startDate, endDate, apiKey: 'one', endpoint: 'scrape', creditsUsed: 1500 }]
    expect(textOf(creditUsageHistorical, { periods })).toBe('2026-11, key one, scrape: 1,500 credits.')
    expect(textOf(tokenUsage, { periods: [] })).toBe('Nothing was used.')
  })

  test('by day omits days without usage', () => {
    const days = [0, 0.5, 1].map((creditsUsed, at) => ({ date: `2026-11-0${at + 1}`, creditsUsed }))
    expect(textOf(creditUsageDaily, { days })).toBe('2026-11-02: 0.5 credits.\n2026-11-03: 1 credit.')
  })

  test.each([
    [1000, '997 of 1,000 credits are left until 2026-12-01; 3 credits used since 2026-11-01.'],
    [1_000_000_000, '3 credits used since 2026-11-01. No limit is set.'],
  ])('of a plan with %i credits includes what is left', (planCredits, text) => {
    const period = { billingPeriodStart: startDate, billingPeriodEnd: endDate }
    const data = { planCredits, usedCredits: 3, remainingCredits: planCredits - 3, ...period }
    expect(textOf(creditUsage, { data })).toBe(text)
  })

  test('includes what is left even if a plan has 1,000,000,000 tokens', () => {
    const period = { billingPeriodStart: startDate, billingPeriodEnd: endDate }
    const data = { planTokens: 1_000_000_000, usedTokens: 15, remainingTokens: 999_999_985, ...period }
    expect(textOf(tokenBalance, { data })).toMatch(/^999,999,985 of 1,000,000,000 tokens are left/)
  })
})
