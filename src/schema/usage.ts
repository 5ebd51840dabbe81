import { z } from 'zod'
import { endpoints } from '../kernel/operation.ts'

export const ActivityEntry = z.object({
  id: z.string(),
  endpoint: z.enum(endpoints),
  api_version: z.string(),
  created_at: z.string().describe('ISO 8601 time.'),
  target: z.string().nullable().describe('What the call was about; null when nothing may be kept of it.'),
})

const period = {
  startDate: z.string().describe('First moment of the period, ISO 8601.'),
  endDate: z.string().describe('First moment after the period.'),
  apiKey: z.string().optional().describe('Name of the API key, with byApiKey; (none) for calls that needed none.'),
}
export const TokenPeriod = z.object({
  ...period,
  totalTokens: z.int(),
  tokensUsed: z.int().describe('The same as totalTokens, under the name some clients read.'),
})
export const CreditPeriod = z.object({ ...period, creditsUsed: z.number() })

const billingPeriod = { billingPeriodStart: z.string(), billingPeriodEnd: z.string() }
export const CreditBalance = z.object({
  remainingCredits: z.number().describe('1000000000 where no limit is set.'),
  planCredits: z.number().describe('Credits of one month; 1000000000 where no limit is set.'),
  ...billingPeriod,
})
export const TokenBalance = z.object({ remainingTokens: z.number(), planTokens: z.number(), ...billingPeriod })
