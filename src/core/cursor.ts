import type { z } from 'zod'
import { fail } from './error.ts'

/** Opaque paging cursors: callers hand them back unread, so what is inside can change. */
export function toCursor(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** The position inside a cursor of that shape; anything else fails with BAD_REQUEST. */
export function fromCursor<T>(shape: z.ZodType<T>, cursor: string): T {
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    return fail('BAD_REQUEST', {
      message: 'The cursor is not valid.',
      hint: 'Send the cursor exactly as the answer before gave it, or leave it out to start again.',
      details: [{ path: 'cursor', message: 'Expected the cursor of an earlier answer', code: 'custom' }],
    })
  }
}
