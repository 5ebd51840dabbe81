import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'

/** Refuses options that the operator has not granted to the team. Fails with PERMISSION_REQUIRED. */
export const requirePermission: Middleware = ({ permissions }, next) => {
  if (!permissions) return next
  return async (input, ctx) => {
    const missing = permissions(input).filter((permission) => !ctx.team.permissions.includes(permission))
    if (missing.includes('admin'))
      fail('PERMISSION_REQUIRED', {
        message: 'This needs the admin key of the server.',
        hint: 'Send the key of GOSSAMER_ADMIN_KEY, or use "gossamer teams" and "gossamer keys" on the machine.',
        details: { permissions: missing },
      })
    if (missing.length > 0)
      fail('PERMISSION_REQUIRED', {
        message: `This must be enabled by the operator: ${missing.join(', ')}.`,
        details: { permissions: missing },
      })
    return next(input, ctx)
  }
}
