type Headers = Readonly<Record<string, string>>

/** Numbers above this are times since the epoch, in seconds; below it they are lengths. */
const earliestTime = 1_000_000_000

/**
 * How long a service asks to be left alone, ms: by Retry-After (RFC 9110, 10.2.3), or by the headers many use for their
 * limits, which may list several windows; undefined where it does not say.
 */
export function pauseOf(headers: Headers, now: number): number | undefined {
  return retryAfter(headers['retry-after'], now) ?? windowReset(headers, now)
}

function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const seconds = Number(value)
  const pauseMs = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000
  return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs)
}

function windowReset(headers: Headers, now: number): number | undefined {
  const spent = limitWindows(headers).filter(({ limit, remaining }) => remaining === 0 && limit !== 0)
  const pausesMs = spent.map(({ reset }) => (reset >= earliestTime ? reset * 1000 - now : reset * 1000))
  const known = pausesMs.filter((pauseMs) => !Number.isNaN(pauseMs))
  return known.length === 0 ? undefined : Math.max(0, ...known)
}

export type LimitWindow = { limit: number | undefined; remaining: number | undefined; reset: number }

/** A limit of 0 stands for none. */
export function limitWindows(headers: Headers): LimitWindow[] {
  const [resets = [], limits = [], remains = []] = ['reset', 'limit', 'remaining'].map((name) =>
    numbersIn(headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`] ?? headers[`ratelimit-${name}`]),
  )
  return resets.map((reset, index) => ({ limit: limits[index], remaining: remains[index], reset }))
}

const numbersIn = (list: string | undefined) => (list === undefined ? [] : list.split(',').map(Number))
