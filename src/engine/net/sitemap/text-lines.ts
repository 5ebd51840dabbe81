import { foundEntry } from './entry.ts'
import type { Found } from './entry.ts'
import type { Scanner } from './xml-scan.ts'

/** A line of that length is no address, and is not kept. */
const maxLineLength = 10_000

/** Reads a sitemap that is plain text, an absolute URL a line; other lines say nothing. */
export function createLineScanner(base: string, found: (entry: Found) => void): Scanner {
  let rest = ''
  let isTooLong = false

  function take(line: string): void {
    const url = line.trim()
    const entry = !isTooLong && /^https?:\/\//i.test(url) ? foundEntry('page', base, { url }) : undefined
    if (entry) found(entry)
    isTooLong = false
  }
  return {
    push(chunk) {
      const lines = `${rest}${chunk}`.split(/\r\n?|\n/)
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
      if (rest.length > maxLineLength) isTooLong = true
      if (isTooLong) rest = ''
    },
    end: () => take(rest),
  }
}
