import type { Middleware } from '../kernel/invoke.ts'
import { isRecord } from '../util/json.ts'
import { readInput } from '../kernel/lenient/reader.ts'

/** Passes on what the caller means, and says in a warning what was read differently. A strict call is taken at its word. */
export const readLeniently: Middleware = (operation, next) => async (input, ctx) => {
  if (ctx.checked === operation.name || ctx.handling === 'strict' || !isRecord(input)) return next(input, ctx)
  const { input: meant, warning } = readInput(operation, input)
  if (warning !== undefined) ctx.warn(warning)
  return next(meant, ctx)
}
