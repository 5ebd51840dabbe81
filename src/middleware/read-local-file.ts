import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { FileBytes } from '../util/bytes/file-bytes.ts'
import type { Files } from '../contracts/fetch.ts'

/**
 * Replaces the `path` of a call that takes a file by the file itself. It is read on this machine, also when the call then
 * goes to a remote service. Fails with FILE_NOT_ALLOWED without the permission `localFiles`.
 */
export const readLocalFile =
  (files: Files): Middleware =>
  ({ upload }, next) => {
    if (!upload) return next
    return async (input, ctx) => {
      const { path, ...rest } = input as { path?: unknown }
      if (typeof path !== 'string') return next(input, ctx)
      if (upload.field in rest)
        fail('BAD_REQUEST', {
          details: [{ path: ['path'], message: 'Send either a path or the file itself.', code: 'custom' }],
        })
      if (!ctx.team.permissions.includes('localFiles')) fail('FILE_NOT_ALLOWED')
      const { filename, bytes } = await files.read(path)
      return next({ ...rest, [upload.field]: { filename, base64: new FileBytes(bytes) } }, ctx)
    }
  }
