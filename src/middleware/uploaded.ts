import type { Files } from '../contracts/ports.ts'
import { fail } from '../kernel/error.ts'
import type { Policy } from '../kernel/invoke.ts'

/**
 * Puts the file itself in the place of `path` for calls that take a file. It is read where the caller is, also when the
 * call then goes to a remote service.
 */
export const uploaded =
  (files: Files): Policy =>
  (next) =>
  async (operation, input, ctx) => {
    const { path, ...rest } = input as { path?: unknown }
    if (!operation.upload || typeof path !== 'string') return next(operation, input, ctx)
    const { field } = operation.upload
    if (field in rest)
      fail('BAD_REQUEST', {
        details: [{ path: ['path'], message: 'Send either a path or the file itself.', code: 'custom' }],
      })
    if (!ctx.team.permissions.includes('localFiles')) fail('FILE_NOT_ALLOWED')
    const { filename, bytes } = await files.read(path)
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    return next(operation, { ...rest, [field]: { filename, base64 } }, ctx)
  }
