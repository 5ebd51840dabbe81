import { setTimeout as sleep } from 'node:timers/promises'
import { toAppError } from '../../../kernel/error.ts'
import { seedCrawl } from '../discovery/seed.ts'
import { jobEvent } from './job.ts'
import type { RunPorts, RunTools } from './tools.ts'
import type { Work } from './work.ts'

/** Pause before it is tried again: where another worker seeds the crawl, and where it could not be written. */
const [otherMs, retrySeedingMs] = [1000, 5000]

/** One worker seeds the crawl. If it dies another one starts over, which adds no page twice. */
export async function ensureSeeded(ports: RunPorts, work: Work, tools: RunTools): Promise<void> {
  const { rules, options, signal } = work
  if (!rules || !options) return
  while (!signal.aborted && !work.crawl.isSeeded) {
    try {
      if (await seedInTurn(ports, work, tools)) return
    } catch (cause) {
      signal.throwIfAborted()
      tools.log.error('crawl could not be seeded', { crawlId: work.crawl.id, cause })
      await sleep(retrySeedingMs, undefined, { signal })
    }
    await sleep(otherMs, undefined, { signal })
  }
}

/** False where another worker seeds the crawl. */
async function seedInTurn(ports: RunPorts, work: Work, tools: RunTools): Promise<boolean> {
  const { crawl, signal } = work
  const leave = await tools.seedings.acquire(crawl.teamId, signal)
  try {
    const isOurs = await ports.crawls.claimSeeding(crawl.id, tools.workerId, tools.leaseMs)
    if (isOurs) await seed(ports, work, tools)
    return isOurs
  } finally {
    leave()
  }
}

async function seed(ports: RunPorts, work: Work, tools: RunTools): Promise<void> {
  const { crawl, rules, options, robots, request, signal } = work
  if (!rules || !options) return
  const { links, applyCrawlDelay } = rules
  const result = await seedCrawl(ports, {
    crawl,
    options,
    robots,
    links,
    applyCrawlDelay,
    request,
    signal,
  }).catch((thrown: unknown) => {
    signal.throwIfAborted()
    const { code, message, cause } = toAppError(thrown)
    tools.log.error('crawl could not be seeded', { crawlId: crawl.id, cause })
    return { warnings: [], error: { code, message } }
  })
  const failed = result.error && jobEvent(crawl, 'failed', ports.clock.now(), { error: result.error.message })
  await ports.crawls.finishSeeding(crawl.id, result, failed ?? undefined)
  if (failed) tools.eventWritten()
  await work.refreshNow()
}
