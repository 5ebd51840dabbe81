import type { Document } from '../../schema/scrape/document.ts'
import type { CrawlState } from './follow-crawl.ts'
import type { Outlets } from './outlets.ts'
import type { CrawlPlan } from './crawl-plan.ts'
import type { CrawlFaults } from './crawl-summary.ts'
import { localTeam } from '../../app/app.ts'
import { type CommandContext, UsageError } from '../command.ts'
import { wordCount } from '../../engine/html/page/word-count.ts'
import { harmless, type Style } from '../terminal-io.ts'

export type WatchView = {
  /** Called for each page. Pages from before this command started have no time of their own. */
  came(document: Document, when: 'now' | 'earlier'): void
  /** Shows those of all faults so far that were not shown before. */
  failed(errors: CrawlFaults['errors']): void
}

const timeWidth = 'earlier'.length + 1
const statusWidth = 6

/** One line per page of a crawl: time, status, length, URL. */
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

/** Time limit for work in progress when the command is told to stop, so its last pages are still written. */
const graceMs = 1500

type Call = ReturnType<typeof callerOf>

/** Runs operations of the app by name. Calls in progress when the signal aborts have a short time to finish. */
export function callerOf({ app }: CommandContext, signal: AbortSignal) {
  const ending = new AbortController()
  const end = () => void setTimeout(() => ending.abort(), graceMs).unref()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return async <Output>(name: string, input: object): Promise<Output> => {
    const operation = app.operations.find((each) => each.name === name)
    if (!operation) throw new UsageError(`This version has no operation ${name}.`)
    const ctx = app.newCtx({ team: localTeam, signal: ending.signal, baseUrl: '' })
    return (await app.invoke(operation, input, ctx)) as Output
  }
}

/** A crawl watched by its id has no known URL. */
export async function urlOf({ start }: CrawlPlan, call: Call): Promise<string> {
  if (!('resumed' in start)) return start.url
  const { id, url } = start.resumed
  if (url !== id) return url
  const { crawls } = await call<{ crawls: readonly { id: string; url: string }[] }>('crawl_active', {})
  return crawls.find((each) => each.id === id)?.url ?? id
}

type Watched = { plan: CrawlPlan; outlets: Outlets; view: WatchView | undefined }

/**
 * Shows pages as they are written. For a crawl that was already running, the pages of the first poll are earlier
 * ones.
 */
export function watching({ plan, outlets, view }: Watched, call: Call, id: string) {
  let earlier = 'resumed' in plan.start ? undefined : 0
  let known = 0
  return {
    seen(state: CrawlState): CrawlState {
      earlier ??= state.completed
      return state
    },
    async write(document: Document): Promise<void> {
      await outlets.write(document)
      view?.came(document, outlets.written() <= (earlier ?? 0) ? 'earlier' : 'now')
    },
    async told(failed: number): Promise<void> {
      if (view && failed > known) view.failed((await call<CrawlFaults>('crawl_errors', { id })).errors)
      known = failed
    },
  }
}
