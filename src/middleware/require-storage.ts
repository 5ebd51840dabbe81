import type { Storage } from '../contracts/jobs.ts'
import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'

/** Begins no job whose results have no room. Fails with STORAGE_FULL. */
export const requireStorage =
  (storage: Storage): Middleware =>
  ({ follow }, next) => {
    if (!follow) return next
    return async (input, ctx) => ((await storage.isFull()) ? fail('STORAGE_FULL') : next(input, ctx))
  }
