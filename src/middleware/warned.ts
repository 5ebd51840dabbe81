import { z } from 'zod'
import type { Policy } from '../kernel/invoke.ts'

type Answer = { warning?: string; data?: { warning?: string } }

/** Puts the notes of a call into its answer: `data.warning` where the operation has that field, else `warning`. */
export const warned: Policy = (next) => async (operation, input, ctx) => {
  const notes: string[] = []
  const output: Answer = await next(operation, input, { ...ctx, warn: (note) => void notes.push(note) })
  if (notes.length === 0) return output
  const { data } = operation.output.shape as { data?: unknown }
  const joined = (earlier: string | undefined) => [earlier, ...notes].filter(Boolean).join(' ')
  if (data instanceof z.ZodObject && 'warning' in data.shape && output.data)
    return { ...output, data: { ...output.data, warning: joined(output.data.warning) } }
  return { ...output, warning: joined(output.warning) }
}
