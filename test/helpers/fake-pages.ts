import type { PageContent } from '../../src/contracts/page-content.ts'
import type { CachedPage, PageCache } from '../../src/contracts/stored-pages.ts'

export type HeldPages = Map<string, { page: CachedPage; body?: Uint8Array }>
export type AddedParts = { key: string; fetchedAt: number; variant: string; parts: PageContent }
type Recorded = { bodiesRead: string[]; added: AddedParts[] }

/** A page cache in memory that records which bodies were read and which parts were added. */
export const fakePages = (cache: HeldPages, { bodiesRead, added }: Recorded): PageCache => ({
  find: async (key) => cache.get(key)?.page,
  body: async (key) => {
    bodiesRead.push(key)
    return cache.get(key)?.body
  },
  madeOfSame: async (key, { url, headers }, body) => {
    const held = cache.get(key)
    if (held?.page.url !== url || held.page.headers['content-type'] !== headers['content-type']) return undefined
    return held.body && Buffer.from(held.body).equals(body) ? held.page.made : undefined
  },
  keep: async (key, page, body) => void cache.set(key, { page, body }),
  addMade: async (key, fetchedAt, variant, parts) => {
    added.push({ key, fetchedAt, variant, parts })
    const held = cache.get(key)
    if (!held || held.page.fetchedAt !== fetchedAt) return
    const made = { ...held.page.made, [variant]: { ...held.page.made[variant], ...parts } }
    cache.set(key, { ...held, page: { ...held.page, made } })
  },
})
