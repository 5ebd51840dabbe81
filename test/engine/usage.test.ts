import { describe, expect, test } from 'vitest'
import {
  creditBalance,
  creditDays,
  creditPeriods,
  modelPeriods,
  tokenBalance,
  tokenPeriods,
} from '../../src/engine/account/usage-and-activity.ts'
import { CreditBalance, CreditPeriod, ModelPeriod, TokenBalance, TokenPeriod } from '../../src/schema/team.ts'
import { fakeCtx, fakeWorld } from '../helpers/fakes.ts'

const february = { start: Date.UTC(2026, 1, 1), end: Date.UTC(2026, 2, 1) }
const march = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 3, 1) }
const inFebruary = { startDate: '2026-02-01T00:00:00.000Z', endDate: '2026-03-01T00:00:00.000Z' }
const inMarch = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-04-01T00:00:00.000Z' }

function setting(monthlyCredits?: number, used = 0) {
  const world = fakeWorld()
  world.state.used = used
  world.state.limits = { ...world.state.limits, monthlyCredits }
  world.state.months = [
    { ...february, keyName: null, credits: 2 },
    { ...march, keyName: 'laptop', credits: 7 },
  ]
  return world
}

test('usage by day includes every day up to today', async () => {
  const { ports, state } = setting()
  state.days = [
    { start: Date.UTC(2026, 1, 27), credits: 0.1 + 0.2 },
    { start: Date.UTC(2026, 2, 1), credits: 7 },
  ]
  const clock = { now: () => Date.UTC(2026, 2, 1, 23, 59) }
  expect(await creditDays({ ...ports, clock }, { days: 4 }, fakeCtx())).toEqual([
    { date: '2026-02-26', creditsUsed: 0 },
    { date: '2026-02-27', creditsUsed: 0.3 },
    { date: '2026-02-28', creditsUsed: 0 },
    { date: '2026-03-01', creditsUsed: 7 },
  ])
})

describe('usage by month', () => {
  test('in tokens is fifteen per credit, under both names that clients read', async () => {
    const periods = await tokenPeriods(setting().ports, { byApiKey: false }, fakeCtx())
    expect(periods).toEqual([
      { ...inFebruary, totalTokens: 30, tokensUsed: 30 },
      { ...inMarch, totalTokens: 105, tokensUsed: 105 },
    ])
    expect(periods.every((period) => TokenPeriod.safeParse(period).success)).toBe(true)
  })

  test('counts fractional credits of sessions exactly to the hundredth, and tokens as whole numbers', async () => {
    const { ports, state } = setting()
    state.months = [{ ...march, keyName: null, credits: 0.13 + 0.13 + 0.13 + 167.47 }]
    state.used = 0.1 + 0.2
    expect(await creditPeriods(ports, { byApiKey: false }, fakeCtx())).toEqual([{ ...inMarch, creditsUsed: 167.86 }])
    const periods = await tokenPeriods(ports, { byApiKey: false }, fakeCtx())
    expect(periods).toEqual([{ ...inMarch, totalTokens: 2518, tokensUsed: 2518 }])
    expect(TokenPeriod.safeParse(periods[0]).success).toBe(true)
    expect(await creditBalance(ports, fakeCtx())).toMatchObject({ usedCredits: 0.3, remainingCredits: 999_999_999.7 })
    expect(await tokenBalance(ports, fakeCtx())).toMatchObject({ usedTokens: 5 })
  })

  test('names the endpoint of each row on request, and marks older rows', async () => {
    const { ports, state } = setting()
    state.months = [
      { ...february, keyName: null, endpoint: '', credits: 2 },
      { ...march, keyName: null, endpoint: 'crawl', credits: 7 },
    ]
    const by = { byApiKey: false, byEndpoint: true }
    const periods = await creditPeriods(ports, by, fakeCtx())
    expect(periods).toEqual([
      { ...inFebruary, endpoint: '(earlier)', creditsUsed: 2 },
      { ...inMarch, endpoint: 'crawl', creditsUsed: 7 },
    ])
    expect(periods.map((period) => CreditPeriod.parse(period))).toEqual(periods)
    expect(await tokenPeriods(ports, by, fakeCtx())).toMatchObject([{ totalTokens: 30 }, { endpoint: 'crawl' }])
  })

  test('lists language models by key, task and model', async () => {
    const { ports } = setting()
    const used = { task: 'json', model: 'large', calls: 2, inputTokens: 300, outputTokens: 20 }
    const modelMonths = async ({ teamId = '' }: { teamId?: string }) => [
      { ...used, ...march, teamId, keyName: 'laptop' },
      { ...used, ...march, teamId, keyName: null, calls: 1 },
    ]
    const periods = await modelPeriods({ usage: { ...ports.usage, modelMonths } }, fakeCtx())
    expect(periods).toEqual([
      { ...inMarch, apiKey: 'laptop', ...used },
      { ...inMarch, apiKey: '(none)', ...used, calls: 1 },
    ])
    expect(periods.map((period) => ModelPeriod.parse(period))).toEqual(periods)
  })
})

describe('remaining credits', () => {
  const period = { billingPeriodStart: inMarch.startDate, billingPeriodEnd: inMarch.endDate }

  test.each([
    [100, 30, 70],
    [100, 100, 0],
    [100, 130, 0],
    [0, 0, 0],
  ])('from a limit of %i with %i used are %i', async (limit, used, left) => {
    const { ports } = setting(limit, used)
    const credits = await creditBalance(ports, fakeCtx())
    expect(credits).toEqual({ remainingCredits: left, planCredits: limit, usedCredits: used, ...period })
    expect(CreditBalance.safeParse(credits).success).toBe(true)
    const tokens = await tokenBalance(ports, fakeCtx())
    expect(tokens).toEqual({ remainingTokens: left * 15, planTokens: limit * 15, usedTokens: used * 15, ...period })
    expect(TokenBalance.safeParse(tokens).success).toBe(true)
  })

  test('count the use of the team since the start of the month', async () => {
    const world = setting(100)
    await creditBalance(world.ports, fakeCtx())
    expect(world.queries).toEqual([{ teamId: 'acme', from: march.start }])
  })

  test('without a limit are a large number that falls with use', async () => {
    const world = setting(undefined, 50)
    const credits = await creditBalance(world.ports, fakeCtx())
    expect(credits).toEqual({ remainingCredits: 999_999_950, planCredits: 1_000_000_000, usedCredits: 50, ...period })
    expect(world.queries).toEqual([{ teamId: 'acme', from: march.start }])
    expect(await tokenBalance(world.ports, fakeCtx())).toMatchObject({
      remainingTokens: 14_999_999_250,
      usedTokens: 750,
    })
  })
})
