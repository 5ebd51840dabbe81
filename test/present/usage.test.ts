import { expect, test } from 'vitest'
import { creditUsage, creditUsageDaily, creditUsageHistorical, tokenUsage } from '../../src/operations/account.ts'
import { allOffered } from '../../src/kernel/offer.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'

function textOf({ mcp }: AnyOperation, output: object): string | undefined {
  const shown = mcp ? mcp.present?.(output, {}, allOffered) : undefined
  return shown?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n')
}
const period = { startDate: '2026-11-01T00:00:00.000Z', endDate: '2026-12-01T00:00:00.000Z' }
const month = { billingPeriodStart: period.startDate, billingPeriodEnd: period.endDate }

test('usage by month is a sentence per row', () => {
  const periods = [{ ...period, apiKey: 'one', endpoint: 'scrape', creditsUsed: 1500 }]
  expect(textOf(creditUsageHistorical, { periods })).toBe('2026-11, key one, scrape: 1,500 credits.')
  expect(textOf(tokenUsage, { periods: [] })).toBe('Nothing was used.')
})

test('usage by day leaves out days without any', () => {
  const days = [
    { date: '2026-11-01', creditsUsed: 0 },
    { date: '2026-11-02', creditsUsed: 0.5 },
    { date: '2026-11-03', creditsUsed: 1 },
  ]
  expect(textOf(creditUsageDaily, { days })).toBe('2026-11-02: 0.5 credits.\n2026-11-03: 1 credit.')
})

test.each([
  [1000, '997 of 1,000 credits are left until 2026-12-01; 3 credits used since 2026-11-01.'],
  [1_000_000_000, '3 credits used since 2026-11-01. No limit is set.'],
])('credits left of %i', (planCredits, text) => {
  const data = { planCredits, usedCredits: 3, remainingCredits: planCredits - 3, ...month }
  expect(textOf(creditUsage, { data })).toBe(text)
})
