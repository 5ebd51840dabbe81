import { isFarDate } from './calendar.ts'
import { isForeignToContent } from './tracking.ts'

const maxSegments = 30
const maxParameters = 12
const maxSameName = 3
const maxRepeats = 2

/** Whether an address looks like one of endlessly many that a site makes up. Doubtful ones pass: the limit of pages ends a crawl as well. */
export function isTrap(url: Pick<URL, 'pathname' | 'search'>, nowMs: number): boolean {
  const segments = url.pathname.split('/').slice(1)
  const parameters = url.search === '' ? [] : url.search.slice(1).split('&')
  return (
    segments.filter((segment) => segment !== '').length > maxSegments ||
    repeats(segments) ||
    hasTooManyParameters(parameters) ||
    isFarDate(segments, parameters, nowMs)
  )
}

/** A relative link on a page that answers under every path goes one folder deeper each time it is followed: `/a/b/a/b/a/b`. */
function repeats(segments: readonly string[]): boolean {
  for (let period = 1; period * (maxRepeats + 1) <= segments.length; period += 1) {
    let run = 0
    for (let at = period; at < segments.length; at += 1) {
      run = segments[at] === segments[at - period] ? run + 1 : 0
      if (run === period * maxRepeats) return true
    }
  }
  return false
}

/** Filters that add themselves to the query of the page they stand on have as many addresses as there are choices of them. */
function hasTooManyParameters(parameters: readonly string[]): boolean {
  if (parameters.length <= maxSameName) return false
  const names = parameters.map((parameter) => parameter.split('=', 1)[0] ?? '').filter((name) => name !== '')
  if (names.filter((name) => !isForeignToContent(name)).length > maxParameters) return true
  const plain = names.filter((name) => !/(?:\]|%5d)$/i.test(name))
  return [...Map.groupBy(plain, (name) => name).values()].some((same) => same.length > maxSameName)
}
