import type { SitemapEntry } from '../../src/engine/net/sitemap/sitemap-entries.ts'
import { readSitemapFile } from '../../src/engine/net/sitemap/sitemap-file.ts'

export const base = 'https://site.example/maps/sitemap.xml'

export async function read(body: string | Uint8Array, contentType = '') {
  const pages: SitemapEntry[] = []
  const sitemaps: string[] = []
  const sizes: number[] = []
  const headers: Record<string, string> = contentType === '' ? {} : { 'content-type': contentType }
  const batches = readSitemapFile({ url: base, status: 200, headers, body: Buffer.from(body) })
  let next = await batches.next()
  for (; !next.done; next = await batches.next()) {
    sizes.push(next.value.length)
    for (const { kind, entry } of next.value) {
      if (kind === 'page') pages.push(entry)
      else sitemaps.push(entry.url)
    }
  }
  return { pages, sitemaps, sizes, remark: next.value, urls: pages.map(({ url }) => url) }
}

export const urlset = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`
export const url = (loc: string) => `<url><loc>${loc}</loc></url>`
export const a = 'https://site.example/a'
export const b = 'https://site.example/b'
