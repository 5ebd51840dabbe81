import { z } from 'zod'
import type { Middleware } from '../kernel/invoke.ts'

type Output = { warning?: string; data?: { warning?: string } }

/** Puts the warnings of a call into its answer: `data.warning` where the operation has that field, else `warning`. */
export const collectWarnings: Middleware = ({ output: { shape } }, next) => {
  const isInData = shape['data'] instanceof z.ZodObject && 'warning' in shape['data'].shape
  return async (input, ctx) => {
    const warnings: string[] = [...(ctx.notes ?? [])]
    const output: Output = await next(input, { ...ctx, warn: (warning) => void warnings.push(warning) })
    if (warnings.length === 0) return output
    const joined = (earlier: string | undefined) => [earlier, ...warnings].filter(Boolean).join(' ')
    if (isInData && output.data) return { ...output, data: { ...output.data, warning: joined(output.data.warning) } }
    return { ...output, warning: joined(output.warning) }
  }
}
