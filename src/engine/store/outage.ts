import { AppError, type ErrorCode } from '../../kernel/error.ts'

export type OutageCode = Extract<ErrorCode, 'DATABASE_UNAVAILABLE' | 'STORAGE_FULL'>
const codes: ReadonlySet<string> = new Set<OutageCode>(['DATABASE_UNAVAILABLE', 'STORAGE_FULL'])

type Outage = AppError & { code: OutageCode }

/** True if the store is unreachable or full: the call is valid and may succeed later. */
export const isOutage = (thrown: unknown): thrown is Outage => thrown instanceof AppError && codes.has(thrown.code)

/**
 * Rethrows errors that are not the fault of a page, search or model: the end of a job, and a store outage, which pauses it.
 * Code that records other failures in its result calls this first.
 */
export function rethrowPause(thrown: unknown, { signal }: { signal: AbortSignal }): void {
  signal.throwIfAborted()
  if (isOutage(thrown)) throw thrown
}
