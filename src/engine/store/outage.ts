import { AppError, type ErrorCode } from '../../kernel/error.ts'

export type OutageCode = Extract<ErrorCode, 'DATABASE_UNAVAILABLE' | 'STORAGE_FULL'>
const codes: ReadonlySet<string> = new Set<OutageCode>(['DATABASE_UNAVAILABLE', 'STORAGE_FULL'])

type Outage = AppError & { code: OutageCode }

/** Recognises a store that is away or full: nothing is wrong with the call, which may succeed later. */
export const isOutage = (thrown: unknown): thrown is Outage => thrown instanceof AppError && codes.has(thrown.code)

/**
 * Rethrows what no page, search or model is to blame for: the end of a job, and a store that is away, which pauses it.
 * Work that notes other failures in its result calls this first.
 */
export function rethrowPause(thrown: unknown, { signal }: { signal: AbortSignal }): void {
  signal.throwIfAborted()
  if (isOutage(thrown)) throw thrown
}
