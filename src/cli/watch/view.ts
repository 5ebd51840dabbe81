import { wordCount } from '../../engine/html/page/word-count.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { CrawlFaults } from '../export/summary.ts'
import { harmless, type Style } from '../terminal.ts'

export type WatchView = {
  /** A page came. One that came before this command looked has no time of its own. */
  came(document: Document, when: 'now' | 'earlier'): void
  /** Of all faults so far those are shown that were not yet. */
  failed(errors: CrawlFaults['errors']): void
}

const timeWidth = 'earlier'.length + 1
const statusWidth = 6

/** A line for each page of a crawl: when it came, what the site answered, how much there is to read, and where it was. */
export function createWatchView(write: (line: string) => void, style: Style, now: () => number): WatchView {
  let shown = 0
  const line = (time: string, status: string, more: string) =>
    write(`${style('dim', time.padEnd(timeWidth))}  ${status}  ${harmless(more)}\n`)
  return {
    came({ metadata: { statusCode, url, cacheState }, markdown }, when) {
      const status = style((statusCode ?? 0) < 400 ? 'green' : 'yellow', String(statusCode ?? '–').padEnd(statusWidth))
      const words = markdown === undefined ? '' : `${wordCount(markdown).toLocaleString('en-US')} words`
      const time = when === 'now' ? clock(now()) : when
      line(time, status, `${words.padStart(13)}  ${url}${cacheState === 'hit' ? '  (cache)' : ''}`)
    },
    failed(errors) {
      for (const { url, code, error } of errors.slice(shown))
        line(clock(now()), style('red', 'failed'.padEnd(statusWidth)), `${code ?? error}  ${url}`)
      shown = Math.max(shown, errors.length)
    },
  }
}

const clock = (at: number) => new Date(at).toTimeString().slice(0, 8)
