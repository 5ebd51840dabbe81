import { fail } from '../../core/error.ts'
import type { CachedPage, Ports } from '../../core/ports.ts'
import type { Plan } from './plan.ts'

/** Decoded bytes of one page; more is a download, not a page. */
const maxPageBytes = 50 * 1024 * 1024

/** A page at hand, whether it came from the cache or from its site. */
export type Acquired = CachedPage & { from: 'cache' | 'site'; body(): Promise<Uint8Array> }

type Needs = Pick<Ports, 'pages' | 'fetchPage' | 'clock'>

/** The page by the plan: from the cache when that will do, else from its site. Fails with the plan's code when it may not fetch. */
export async function acquirePage(ports: Needs, url: string, plan: Plan, signal: AbortSignal): Promise<Acquired> {
  const cached = await fromCache(ports, plan)
  if (cached) return cached
  if (plan.onCacheMiss) fail(plan.onCacheMiss)
  const { headers, skipTlsVerification } = plan
  const page = await ports.fetchPage({ url, headers, skipTlsVerification, maxBytes: maxPageBytes, signal })
  return { ...page, fetchedAt: ports.clock.now(), made: {}, from: 'site', body: async () => page.body }
}

async function fromCache(ports: Needs, { acceptedAge, cacheKey }: Plan): Promise<Acquired | undefined> {
  if (!acceptedAge) return undefined
  const page = await ports.pages.find(cacheKey)
  if (!page) return undefined
  const ageMs = ports.clock.now() - page.fetchedAt
  if (ageMs < acceptedAge.minMs || ageMs > acceptedAge.maxMs) return undefined
  return { ...page, from: 'cache', body: async () => (await ports.pages.body(cacheKey)) ?? missingBody() }
}

/** The body was evicted between the two look-ups; the caller's retry fetches the page anew. */
function missingBody(): never {
  return fail('UNKNOWN_ERROR', { message: 'The cached copy was dropped while it was read.', hint: 'Call again.' })
}
