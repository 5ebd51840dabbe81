import { fail } from '../kernel/error.ts'
import type { Policy } from '../kernel/invoke.ts'

/** Options that need the operator's permission are refused without it. */
export const permitted: Policy = (next) => async (operation, input, ctx) => {
  const missing = (operation.permissions?.(input) ?? []).filter(
    (permission) => !ctx.team.permissions.includes(permission),
  )
  if (missing.length > 0)
    fail('PERMISSION_REQUIRED', {
      message: `This must be enabled by the operator: ${missing.join(', ')}.`,
      details: { permissions: missing },
    })
  return next(operation, input, ctx)
}
