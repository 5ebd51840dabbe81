/** A page that a sitemap or feed names. */
export type SitemapEntry = {
  /** Absolute, http or https. */
  url: string
  /** As the file has it, or ISO 8601 where a feed gives an RFC 822 date. */
  lastModified?: string
  /** Of news and feeds. */
  title?: string
}
/** What a file names: a page, or another sitemap. */
export type SitemapItem = { kind: 'page' | 'sitemap'; entry: SitemapEntry }

const maxUrlLength = 8192
const maxTitleLength = 500
const maxDateLength = 40

/** An item from the fields of an entry; undefined unless its URL is http or https. `base` is the URL of the file. */
export function toSitemapItem(
  kind: SitemapItem['kind'],
  base: string,
  fields: { url: string; lastModified?: string | undefined; title?: string | undefined },
): SitemapItem | undefined {
  const url = webUrl(fields.url.trim(), base)
  if (url === undefined) return undefined
  const lastModified = dateOf(fields.lastModified?.trim() ?? '')
  const title = fields.title?.replace(/\s+/g, ' ').trim().slice(0, maxTitleLength) ?? ''
  return {
    kind,
    entry: { url, ...(lastModified !== undefined && { lastModified }), ...(title !== '' && { title }) },
  }
}

function webUrl(written: string, base: string): string | undefined {
  if (written === '' || written.length > maxUrlLength) return undefined
  const url = URL.parse(written, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

function dateOf(written: string): string | undefined {
  if (written === '' || written.length > maxDateLength) return undefined
  const at = Date.parse(written)
  if (Number.isNaN(at)) return undefined
  return /^\d{4}(?:-|$)/.test(written) ? written : new Date(at).toISOString()
}

/** Possible sitemap URLs of a site: those in robots.txt, then beside the start URL, then at the root. No duplicates. */
export function sitemapUrls(startUrl: string, robotsSitemaps: readonly string[]): string[] {
  const start = URL.parse(startUrl)
  const guesses = start ? [`${folderOf(start.pathname)}sitemap.xml`, '/sitemap.xml', '/sitemap_index.xml'] : []
  const candidates = [...robotsSitemaps, ...guesses.map((path) => `${start?.origin}${path}`)]
  return [...new Set(candidates.flatMap((url) => URL.parse(url)?.href ?? []))]
}

/** With its slash at the end; a last segment without a file extension is a folder. */
function folderOf(path: string): string {
  const slash = path.lastIndexOf('/') + 1
  const last = path.slice(slash)
  return last === '' || /\.[a-z\d]{1,10}$/i.test(last) ? path.slice(0, slash) : `${path}/`
}
