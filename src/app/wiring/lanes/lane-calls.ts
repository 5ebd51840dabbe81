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
 * An address as it is marked: of a very long one only the beginning, whole characters. Whoever compares an address with a mark
 * cuts it alike; pages with the same beginning are then taken for one.
 */
export function marked(url: string): string {
  const bytes = Buffer.from(url)
  if (bytes.length <= urlBytes) return url
  const cut = Buffer.alloc(urlBytes)
  return cut.toString('utf8', 0, cut.write(url))
}

/**
 * Memory that a lane shares with the main thread, so that what it was doing is known when it does not answer any more, and
 * costs no message a page.
 */
export const newMarks = (): SharedArrayBuffer => new SharedArrayBuffer(words * wordBytes + urlBytes)

export type Marks = {
  /** The lane gets on: it has come round to its event loop, or read a page. */
  beat(): void
  beats(): number
  /** Undefined once the page has been read. */
  reading(url: string | undefined): void
  /** The page that is being read, as `marked`. */
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

/** One core is left to the callers. More lanes than this gain little: they wait for each other's writes. */
const usualLanes = (): number => Math.min(4, Math.max(1, availableParallelism() - 1))

type LaneSettings = Pick<Config, 'crawlLanes' | 'crawlServerConcurrency'>

/** How many lanes there are, and how many pages each works on at the same time: no lane is without one. */
export function lanesFor({ crawlLanes, crawlServerConcurrency }: LaneSettings) {
  const many = Math.min(crawlLanes ?? usualLanes(), crawlServerConcurrency ?? Infinity)
  return { many, pagesAtOnce: crawlServerConcurrency && Math.floor(crawlServerConcurrency / many) }
}

/** No page asks for text while it comes. */
type Question = Omit<ModelRequest, 'signal'>
type MediaRequest = Omit<Parameters<FindMedia>[0], 'signal'>
type Parts = Pick<Ports, 'renderPage' | 'readHtml' | 'readDocument' | 'findMedia' | 'model' | 'account'>

/** What a lane leaves to the main thread: what is heavy, what may harm it, and what there is one of for all teams. */
export function laneCalls(ports: Parts & { browsePage: BrowsePage }, show: (exchange: Exchange) => Promise<unknown>) {
  const { account, model } = ports
  /** Jobs whose credits a lane holds back: it may end before it gives them back. */
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

export type LaneCalls = ReturnType<typeof laneCalls>
