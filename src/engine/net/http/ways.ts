import type { FetchAttempt, PageRequest } from '../../../contracts/fetch.ts'
import { AppError, failure, toAppError } from '../../../kernel/error.ts'
import { isMalformed, mayPassElsewhere, toNetworkError } from './connector.ts'

/** One way to send a request. */
export type Way<Request, Visit> = { name: FetchAttempt['way']; send(request: Request): Promise<Visit> }

const maxKnown = 1000
const knownForMs = 600_000

/** Tries the ways to send a request in order, and remembers which one a site with malformed responses needs. */
export function createKnownWays() {
  const known = new Map<string, { first: number; until: number }>()
  const firstFor = (origin: string) => {
    const { first = 0, until = 0 } = known.get(origin) ?? {}
    return until > performance.now() ? first : 0
  }
  const remember = (origin: string, first: number) => {
    if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '')
    known.set(origin, { first, until: performance.now() + knownForMs })
  }
  return {
    /** Fails with the error of the last way. */
    async firstOf<Request extends { url: URL }, Visit>(
      ways: readonly Way<Request, Visit>[],
      request: Request,
      { signal, reportAttempt }: Pick<PageRequest, 'signal' | 'reportAttempt'>,
    ): Promise<Visit> {
      const { origin } = request.url
      let isOfForm = false
      let last: unknown
      for (let at = Math.min(firstFor(origin), ways.length - 1); ; at++) {
        const { name, send } = ways[at]!
        try {
          const visit = await send(request)
          if (isOfForm) remember(origin, at)
          return visit
        } catch (error) {
          // Without a browser, the parser's error is more useful.
          if (last !== undefined && error instanceof AppError && error.code === 'BROWSER_UNAVAILABLE') throw last
          reportAttempt?.(attemptOf(name, signal.aborted ? failure('SCRAPE_TIMEOUT') : error))
          if (signal.aborted || at + 1 >= ways.length || !mayPassElsewhere(error)) throw error
          isOfForm = isMalformed(error)
          last = error
        }
      }
    },
  }
}

function attemptOf(way: FetchAttempt['way'], error: unknown): FetchAttempt {
  const { code, message } = toAppError(toNetworkError(error))
  return { way, timestamp: new Date().toISOString(), code, error: message }
}
