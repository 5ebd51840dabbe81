import type { FetchAttempt } from '../../contracts/fetch.ts'
import type { Ports } from '../../contracts/ports.ts'
import { AppError } from '../../kernel/error.ts'
import { isRecord } from '../../util/json.ts'

/** Collects the failed attempts to fetch a page, including those that a timeout of the whole scrape ended. */
export function gatherAttempts<P extends Pick<Ports, 'fetchPage'>>(ports: P) {
  const attempts: FetchAttempt[] = []
  const reportAttempt = (attempt: FetchAttempt) => void attempts.push(attempt)
  return {
    ports: { ...ports, fetchPage: (request) => ports.fetchPage({ ...request, reportAttempt }) } as P,
    /** Adds the attempts to the details of an error, if there was more than one. */
    addTo(error: unknown): unknown {
      if (attempts.length < 2 || !(error instanceof AppError)) return error
      return error.with({ details: { ...(isRecord(error.details) && error.details), attempts } })
    },
  }
}

/** Returns the failed attempts to fetch a page, if there was more than one. */
export function attemptsOf({ details }: Pick<AppError, 'details'>): readonly FetchAttempt[] | undefined {
  return isRecord(details) && Array.isArray(details['attempts'])
    ? (details['attempts'] as readonly FetchAttempt[])
    : undefined
}
