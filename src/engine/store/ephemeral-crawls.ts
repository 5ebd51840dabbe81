import type { Crawls, ManyPages, NewCrawl } from '../../contracts/crawl-ports.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Delivery, Deliveries } from '../../contracts/job-ports.ts'
import { AppError } from '../../kernel/error.ts'
import type { Store } from './store.ts'

type MemoryStore = Pick<Store, 'crawls' | 'deliveries' | 'close'>
type OneStore = Pick<Store, 'crawls' | 'deliveries'>

/** Number of old crawls checked for expiry before a new one starts. */
const checkedForExpiry = 5
const noRoom = 'Not all pages were scraped: the memory for results that may not be stored was full.'

/**
 * Wraps a store and keeps crawls with zero data retention out of it: their pages, results and events are in a second
 * store in the memory of this process, and are lost when it ends. Only their credits are persisted.
 */
export function holdInMemory(kept: Store, { clock, open }: { clock: Clock; open: () => Promise<MemoryStore> }): Store {
  const ids = new Set<string>()
  let opening: Promise<MemoryStore> | undefined
  const opened = () => (opening ??= open())
  const of = async (crawlId: string): Promise<OneStore> => (ids.has(crawlId) ? opened() : kept)
  const each: Each = async (ask) => Promise.all([kept, ...(opening ? [await opening] : [])].map(ask))

  async function start(crawl: NewCrawl, pages: ManyPages, delivery?: Delivery): Promise<void> {
    if (!crawl.isEphemeral) return kept.crawls.start(crawl, pages, delivery)
    const { crawls } = await opened()
    for (const id of [...ids].slice(0, checkedForExpiry)) {
      const exists = (await crawls.find(id)) !== undefined
      ids.delete(id)
      if (exists) ids.add(id)
    }
    ids.add(crawl.id)
    return crawls.start(crawl, pages, delivery)
  }

  return {
    ...kept,
    crawls: {
      ...ofOne(async (id) => (await of(id)).crawls),
      ...ofAll(each),
      async documentOf(id, which) {
        const { crawls } = await of(id)
        const found = await crawls.documentOf(id, which)
        return found && crawls !== kept.crawls ? { ...found, isEphemeral: true } : found
      },
      start,
      finish: finishing({ kept, clock }, of),
    },
    deliveries: deliveriesOf(async (id) => (await of(id)).deliveries, each),
    async close() {
      await (await opening)?.close()
      await kept.close()
    },
  }
}

type Each = <T>(ask: (store: OneStore) => Promise<T>) => Promise<T[]>

/** Operations on one crawl, in the store that has its id. */
function ofOne(
  of: (crawlId: string) => Promise<Crawls>,
): Omit<Crawls, keyof ReturnType<typeof ofAll> | 'start' | 'finish' | 'documentOf'> {
  return {
    find: async (id) => (await of(id)).find(id),
    add: async (id, pages) => (await of(id)).add(id, pages),
    skip: async (id, skipped) => (await of(id)).skip(id, skipped),
    claim: async (request) => (await of(request.crawlId)).claim(request),
    setCrawlDelay: async (id, ...more) => (await of(id)).setCrawlDelay(id, ...more),
    claimSeeding: async (id, ...more) => (await of(id)).claimSeeding(id, ...more),
    finishSeeding: async (id, ...more) => (await of(id)).finishSeeding(id, ...more),
    setFinalUrl: async (id, url) => (await of(id)).setFinalUrl(id, url),
    stopClaiming: async (id) => (await of(id)).stopClaiming(id),
    warn: async (id, warning) => (await of(id)).warn(id, warning),
    complete: async (id, delivery) => (await of(id)).complete(id, delivery),
    cancel: async (id, delivery) => (await of(id)).cancel(id, delivery),
    append: async (id, pages) => (await of(id)).append(id, pages),
    progress: async (id, window) => (await of(id)).progress(id, window),
    refused: async (id, window) => (await of(id)).refused(id, window),
    failures: async (id) => (await of(id)).failures(id),
    skipped: async (id) => (await of(id)).skipped(id),
    skippedAfter: async (id, ...more) => (await of(id)).skippedAfter(id, ...more),
    seeding: async (id) => (await of(id)).seeding(id),
  }
}

/** Operations on the crawls of both stores. */
const ofAll = (each: Each): Pick<Crawls, 'running' | 'document' | 'renew' | 'release' | 'reap'> => ({
  running: async (teamId) =>
    (await each(({ crawls }) => crawls.running(teamId))).flat().toSorted((a, b) => a.createdAt - b.createdAt),
  async document(pageId) {
    const [kept, unkept] = await each(({ crawls }) => crawls.document(pageId))
    return kept ?? (unkept && { ...unkept, isEphemeral: true })
  },
  renew: async (...lease) => void (await each(({ crawls }) => crawls.renew(...lease))),
  release: async (workerId) => void (await each(({ crawls }) => crawls.release(workerId))),
  reap: async () => (await each(({ crawls }) => crawls.reap())).flat(),
})

/** Finishes a page before charging it: if the process dies in between, the page is lost but not charged. */
const finishing =
  (
    { kept, clock }: { kept: Store; clock: Clock },
    of: (crawlId: string) => Promise<Pick<Store, 'crawls'>>,
  ): Crawls['finish'] =>
  async (page, workerId, outcome) => {
    const { crawls } = await of(page.crawlId)
    if (crawls === kept.crawls) return crawls.finish(page, workerId, outcome)
    const ended = await crawls.finish(page, workerId, outcome).catch(async (thrown: unknown) => {
      if (!(thrown instanceof AppError) || thrown.code !== 'STORAGE_FULL') throw thrown
      await crawls.stopClaiming(page.crawlId)
      await crawls.warn(page.crawlId, noRoom)
      await crawls.finish(page, workerId, { kind: 'failed', code: thrown.code, message: noRoom })
      return 'not taken' as const
    })
    const credits = outcome.kind === 'document' && ended === 'finished' ? outcome.credits : 0
    const { id: jobId, teamId, keyName, kind: endpoint } = page
    if (credits > 0) await kept.usage.charge({ jobId, teamId, keyName, endpoint, credits }, clock.now())
    return ended === 'not taken' ? 'finished' : ended
  }

/** Event ids are unique across both stores, so calls with an id go to both. */
function deliveriesOf(of: (crawlId: string) => Promise<Deliveries>, each: Each): Deliveries {
  const all = <T>(ask: (deliveries: Deliveries) => Promise<T>) => each(({ deliveries }) => ask(deliveries))
  return {
    claim: async (...request) => (await all((one) => one.claim(...request))).flat(),
    look: async (crawlId, count) => (await of(crawlId)).look(crawlId, count),
    read: async (id) => (await all((one) => one.read(id))).find(Boolean),
    sent: async (id) => void (await all((one) => one.sent(id))),
    failed: async (...failure) => void (await all((one) => one.failed(...failure))),
    leave: async (crawlId, ...more) => (await of(crawlId)).leave(crawlId, ...more),
    renew: async (...lease) => void (await all((one) => one.renew(...lease))),
    release: async (workerId) => void (await all((one) => one.release(workerId))),
    workers: async () => (await all((one) => one.workers())).flat(),
    nextDueAt: async () => {
      const known = (await all((one) => one.nextDueAt())).filter((at) => at !== undefined)
      return known.length > 0 ? Math.min(...known) : undefined
    },
    missed: async (crawlId) => (await of(crawlId)).missed(crawlId),
    abandoned: async (crawlId) => (await of(crawlId)).abandoned(crawlId),
  }
}
