import { z } from 'zod'

export const Price = z.object({
  amount: z.number(),
  currency: z.string().optional().describe('ISO 4217 code.'),
  formatted: z.string().optional().describe('As shown on the page.'),
})
