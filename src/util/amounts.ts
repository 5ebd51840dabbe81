/** Formats a duration, such as `42s`, `3m 20s`, `2h 05m` or `4d 03h`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)]
  if (minutes === 0) return `${seconds}s`
  if (hours === 0) return `${minutes}m ${two(seconds % 60)}s`
  if (hours < 48) return `${hours}h ${two(minutes % 60)}m`
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`
}

const two = (count: number) => String(count).padStart(2, '0')

/** Returns a count with its noun, such as `1 page` or `2,000 pages`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
