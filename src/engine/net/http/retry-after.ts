/** How long Retry-After asks to wait, ms: it is a number of seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const seconds = Number(value)
  const pauseMs = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000
  return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs)
}
