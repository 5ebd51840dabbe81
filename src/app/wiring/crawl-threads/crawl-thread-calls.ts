import type { CreditHold } from '../../../contracts/account-ports.ts'
import type { BrowsePage, Exchange, PageRequest } from '../../../contracts/fetch.ts'
import type { ModelRequest } from '../../../contracts/model-port.ts'
import type { DocumentRequest, FindMedia, OfTeam, ReadRequest } from '../../../contracts/page-content.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { RenderRequest } from '../../../contracts/render-port.ts'
import { availableParallelism } from 'node:os'
import type { Config } from '../../config.ts'

const words = 2
const wordBytes = Int32Array.BYTES_PER_ELEMENT
const urlBytes = 8192
const [beatAt, lengthAt] = [0, 1]

/**
 * Returns a URL as the shared memory stores it: cut after a whole character if it is very long. URLs are compared in
 * this form, so pages that differ only after the cut count as one.
 */
export function marked(url: string): string {
  const bytes = Buffer.from(url)
  if (bytes.length <= urlBytes) return url
  const cut = Buffer.alloc(urlBytes)
  return cut.toString('utf8', 0, cut.write(url))
}

/**
 * Memory that a crawl thread shares with the main thread. The crawl thread writes there which page it is reading, so
 * the main thread can find the page that stopped it, without a message for each page.
 */
export const newMarks = (): SharedArrayBuffer => new SharedArrayBuffer(words * wordBytes + urlBytes)

export type Marks = {
  /** Records progress: the crawl thread reached its event loop or finished a page. */
  beat(): void
  beats(): number
  /** Records the page that is read from now on; undefined: none. */
  reading(url: string | undefined): void
  /** Returns the URL of the page being read, in the form of `marked`. */
  page(): string | undefined
}

export function marksIn(memory: SharedArrayBuffer): Marks {
  const numbers = new Int32Array(memory, 0, words)
  const text = Buffer.from(memory, words * wordBytes)
  return {
    beat: () => void Atomics.add(numbers, beatAt, 1),
    beats: () => Atomics.load(numbers, beatAt),
    reading(url) {
      const length = url === undefined ? 0 : text.write(url)
      Atomics.store(numbers, lengthAt, length)
    },
    page() {
      const length = Atomics.load(numbers, lengthAt)
      return length === 0 ? undefined : text.toString('utf8', 0, length)
    },
  }
}

/**
 * Leaves one core to the main thread. More than four threads gain little, because they wait for each other's writes.
 */
const usualThreads = (): number => Math.min(4, Math.max(1, availableParallelism() - 1))

type CrawlThreadSettings = Pick<Config, 'crawlThreads' | 'crawlServerConcurrency'>

/** Number of crawl threads, and how many pages each fetches at the same time (at least one). */
export function crawlThreadsFor({ crawlThreads, crawlServerConcurrency }: CrawlThreadSettings) {
  const count = Math.min(crawlThreads ?? usualThreads(), crawlServerConcurrency ?? Infinity)
  return { count, pagesAtOnce: crawlServerConcurrency && Math.floor(crawlServerConcurrency / count) }
}

type Question = Omit<ModelRequest, 'signal'>
type MediaRequest = Omit<Parameters<FindMedia>[0], 'signal'>
type Parts = Pick<Ports, 'renderPage' | 'readHtml' | 'readDocument' | 'findMedia' | 'model' | 'account'>

/** Work that a crawl thread leaves to the main thread: heavy or risky work, and resources shared by all teams. */
export function crawlThreadCalls(
  ports: Parts & { browsePage: BrowsePage },
  show: (exchange: Exchange) => Promise<unknown>,
) {
  const { account, model } = ports
  /** Jobs with credits reserved by a crawl thread, which may end before it releases them. */
  const holding = new Set<string>()
  return {
    renderPage: (request: Omit<RenderRequest, 'signal'>, signal: AbortSignal) =>
      ports.renderPage({ ...request, signal }),
    browsePage: (request: Omit<PageRequest, 'signal' | 'mayFollow'>, signal: AbortSignal) =>
      ports.browsePage({ ...request, signal }),
    readHtml: (request: ReadRequest & OfTeam, signal: AbortSignal) => ports.readHtml(request, signal),
    readDocument: (request: DocumentRequest, signal: AbortSignal) => ports.readDocument(request, signal),
    findMedia: (request: MediaRequest, signal: AbortSignal) => ports.findMedia({ ...request, signal }),
    askForText: (question: Question, signal: AbortSignal) => model.text({ ...question, signal }),
    askForObject: (question: Question & { schema: object }, signal: AbortSignal) =>
      model.object({ ...question, signal }),
    limitsOf: (teamId: string) => account.limitsOf(teamId),
    load: (teamId: string) => account.load(teamId),
    enter: (teamId: string, signal: AbortSignal) => account.enter(teamId, signal),
    async holdCredits(hold: CreditHold) {
      const end = await account.holdCredits(hold)
      if (!end) return undefined
      const { jobId } = hold
      holding.add(jobId)
      return () => {
        if (holding.delete(jobId)) void account.releaseCredits(jobId).catch(() => {})
        end()
      }
    },
    releaseCredits(jobId: string) {
      holding.delete(jobId)
      return account.releaseCredits(jobId)
    },
    show: async (exchange: Exchange) => void (await show(exchange)),
  }
}

export type CrawlThreadCalls = ReturnType<typeof crawlThreadCalls>
