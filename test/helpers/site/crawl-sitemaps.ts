import { gzipSync } from 'node:zlib'
import { sitemapIndex, sitemaps } from './crawl-hosts.ts'
import { fillNames } from './crawl-model.ts'

const opening = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** Returns the sitemap at a path of the main host, gzipped if its name ends in `.gz`. */
export function sitemapFile(path: string, origin: string): Uint8Array | undefined {
  const found = Object.values(sitemaps).find((sitemap) => sitemap.path === path)
  const text = path === sitemapIndex.path ? indexText() : found && urlsText(found.urls)
  if (text === undefined) return undefined
  const bytes = Buffer.from(fillNames(text, origin))
  return path.endsWith('.gz') ? gzipSync(bytes) : bytes
}

const indexText = () =>
  `${opening}<sitemapindex ${namespace}>\n${sitemapIndex.children.map((path) => `<sitemap><loc>{origin}${path}</loc></sitemap>`).join('\n')}\n</sitemapindex>\n`

const urlsText = (urls: readonly string[]) =>
  `${opening}<urlset ${namespace}>\n${urls.map((url) => `<url>\n  <loc>\n    ${url.replaceAll('&', '&amp;')}\n  </loc><lastmod>2026-01-15</lastmod></url>`).join('\n')}\n</urlset>\n`
