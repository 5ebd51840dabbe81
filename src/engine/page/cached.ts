import { fail } from '../../core/error.ts'
import type { CachedPage, Ports } from '../../core/ports.ts'
import type { Plan } from './plan.ts'

/** A cached page, with its body where that is needed. */
export type Held = CachedPage & { body: Uint8Array | undefined }
/** Whether a cached page will do: as it is, with its body, or not at all. */
export type Fit = (cached: CachedPage) => 'as it is' | 'with its body' | 'not'

/**
 * The page from the cache when that will do. Fails with the plan's code when there is none and it may not be fetched. The
 * cache may drop a body and keep the facts; such a page counts only where the body is not needed.
 */
export async function cachedPage(
  ports: Pick<Ports, 'pages' | 'clock'>,
  plan: Plan,
  fit: Fit,
): Promise<Held | undefined> {
  const held = await lookUp(ports, plan, fit)
  if (!held && plan.onCacheMiss) fail(plan.onCacheMiss)
  return held
}

async function lookUp(
  ports: Pick<Ports, 'pages' | 'clock'>,
  { acceptedAge, cacheKey }: Plan,
  fit: Fit,
): Promise<Held | undefined> {
  const page = acceptedAge && (await ports.pages.find(cacheKey))
  if (!page) return undefined
  const ageMs = ports.clock.now() - page.fetchedAt
  if (ageMs < acceptedAge.minMs || ageMs > acceptedAge.maxMs) return undefined
  const how = fit(page)
  if (how !== 'with its body') return how === 'not' ? undefined : { ...page, body: undefined }
  const body = await ports.pages.body(cacheKey)
  return body && { ...page, body }
}
