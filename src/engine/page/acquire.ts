import { fail } from '../../core/error.ts'
import type { CachedPage, Ports } from '../../core/ports.ts'
import type { Plan } from './plan.ts'

/** Decoded bytes of one page; more is a download, not a page. */
const maxPageBytes = 50 * 1024 * 1024

/** A page at hand, whether it came from the cache or from its site. A cached body is there only when it was needed. */
export type Acquired = CachedPage & { from: 'cache' | 'site'; body: Uint8Array | undefined }

type Needs = Pick<Ports, 'pages' | 'fetchPage' | 'clock'>
type NeedsBody = (cached: CachedPage) => boolean

/**
 * The page by the plan: from the cache when that will do, else from its site. Fails with the plan's code when it may
 * not fetch. The cache may drop a body and keep the facts; such a page counts only where the body is not needed.
 */
export async function acquirePage(
  ports: Needs,
  url: string,
  plan: Plan,
  needsBody: NeedsBody,
  signal: AbortSignal,
): Promise<Acquired> {
  const cached = await fromCache(ports, plan, needsBody)
  if (cached) return cached
  if (plan.onCacheMiss) fail(plan.onCacheMiss)
  const { headers, skipTlsVerification } = plan
  const page = await ports.fetchPage({ url, headers, skipTlsVerification, maxBytes: maxPageBytes, signal })
  return { ...page, fetchedAt: ports.clock.now(), made: {}, from: 'site' }
}

async function fromCache(ports: Needs, plan: Plan, needsBody: NeedsBody): Promise<Acquired | undefined> {
  const { acceptedAge, cacheKey } = plan
  const page = acceptedAge && (await ports.pages.find(cacheKey))
  if (!page) return undefined
  const ageMs = ports.clock.now() - page.fetchedAt
  if (ageMs < acceptedAge.minMs || ageMs > acceptedAge.maxMs) return undefined
  if (!needsBody(page)) return { ...page, from: 'cache', body: undefined }
  const body = await ports.pages.body(cacheKey)
  return body && { ...page, from: 'cache', body }
}
