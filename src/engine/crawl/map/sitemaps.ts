import type { Robots } from '../../net/robots/robots.ts'
import { sitemapUrls } from '../../net/sitemap/entry.ts'
import { readSitemaps } from '../../net/sitemap/read.ts'
import type { MapPorts, Site } from './site.ts'

/** Entries that are read at most: a sitemap may list pages of other sites, and the same one often. */
const maxEntries = 200_000
const maxNotes = 3

/** Takes in what the sitemaps of a site list. Rejects when `signal` does; what was read until then stays. */
export async function takeSitemaps(
  ports: Pick<MapPorts, 'fetchPage'>,
  site: Site,
  robots: Robots,
  signal: AbortSignal,
): Promise<void> {
  const { input, found, call } = site
  const notes = new Set<string>()
  const guessed = new Set(sitemapUrls(input.url, []))
  const batches = readSitemaps(ports.fetchPage, {
    urls: sitemapUrls(input.url, robots.sitemaps),
    teamId: call.team.id,
    headers: site.headersFor(input.url),
    origin: new URL(input.url).origin,
    skipTlsVerification: site.skipTlsVerification,
    signal,
    maxUrls: maxEntries,
    ...(input.search === undefined && { wanted: input.limit }),
    // That there is nothing where a sitemap might have been is no news.
    note: (text, url) => void (guessed.has(url) && !robots.sitemaps.includes(url) ? undefined : notes.add(text)),
  })
  try {
    for await (const entries of batches) {
      for (const { url, title } of entries) found.add(url, 'sitemap', title)
      call.progress(found.size(), undefined, 'Reading sitemaps')
      if (found.isFull()) break
    }
  } finally {
    for (const note of [...notes].slice(0, maxNotes)) call.warn(note)
  }
}
