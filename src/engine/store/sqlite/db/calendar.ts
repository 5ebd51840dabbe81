export const dayMs = 86_400_000

/** Days since the epoch (UTC). */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs)

/** Calendar months (UTC) since the year 0, so that the next month is always one more. */
export function monthOf(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export const startOfMonth = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12)
