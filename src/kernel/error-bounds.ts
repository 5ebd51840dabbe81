import { isRecord } from '../util/json.ts'

/** An error is read by people and models, and what they sent must not come back many times over: it has at most 16 kB. */
const maxEntries = 20
const maxDetailBytes = 9_000
const maxWordBytes = 300
const maxDepth = 5

/** A text of at most so many bytes as JSON. */
export function boundedText(text: string, most: number): string {
  if (text.length * 6 <= most || bytesOf(text) <= most) return text
  let end = Math.min(text.length, most)
  while (bytesOf(text.slice(0, end)) > most - 4) end = Math.floor(end * 0.8)
  return `${text.slice(0, end).toWellFormed()}…`
}

/** Details of an error as they are, or where they are too long as much of them as fits. */
export function boundedDetails(details: unknown): unknown {
  const isList = Array.isArray(details)
  if (!(isList && details.length > maxEntries) && fits(details)) return details
  const kept = bounded(details, maxDepth)
  if (!isList || !Array.isArray(kept)) return bytesOf(kept) <= maxDetailBytes ? kept : undefined
  let most = Math.min(details.length, maxEntries)
  while (most > 0 && bytesOf(withRest(kept, most, details.length)) > maxDetailBytes) most -= 1
  return withRest(kept, most, details.length)
}

/** As one entry more, in the shape of an issue, which all who read a list of issues understand. */
function withRest(entries: readonly unknown[], most: number, count: number): readonly unknown[] {
  if (count <= most) return entries
  const shown = entries.slice(0, Math.min(most, maxEntries - 1))
  return [...shown, { path: [], message: `And ${count - shown.length} more.`, code: 'too_many' }]
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return boundedText(value, maxWordBytes)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => bounded(entry, depth - 1))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).slice(0, maxEntries)
  return Object.fromEntries(entries.map(([key, entry]) => [boundedText(key, maxWordBytes), bounded(entry, depth - 1)]))
}

/** Does not write down what is far too long to find out. */
function fits(details: unknown): boolean {
  let left = maxDetailBytes
  const take = (value: unknown): boolean => {
    if (typeof value === 'object' && value !== null)
      for (const [key, entry] of Object.entries(value)) {
        left -= key.length
        if (left < 0 || !take(entry)) return false
      }
    else left -= typeof value === 'string' ? value.length : 1
    return left >= 0
  }
  return take(details) && bytesOf(details) <= maxDetailBytes
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '')
