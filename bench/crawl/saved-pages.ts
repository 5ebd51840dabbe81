import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * HTML of saved pages: a file of gzipped JSON lines with `html`, named by `CRAWL_PAGES`. Empty if the variable is not
 * set.
 */
export const savedPages = readSaved(process.env['CRAWL_PAGES'])

function readSaved(file: string | undefined): string[] {
  if (!file) return []
  // JSON contains line separators (U+2028), so only line feeds end a line.
  const lines = gunzipSync(readFileSync(file)).toString().split('\n').filter(Boolean)
  return lines.map((line, at) => {
    const { html } = JSON.parse(line) as { html?: unknown }
    if (typeof html !== 'string') throw new Error(`Line ${at + 1} of ${file} has no html`)
    return html
  })
}

/** Adapts a page to this site: its links lead to pages of the site, and its body ends with `more`. */
export function asOurs(html: string, address: () => string, more: string): string {
  const linked = html
    .replaceAll(/<base\b[^>]*>/gi, '')
    .replaceAll(/(<a\b[^>]*\bhref\s*=\s*)(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, (_, start) => `${start}"${address()}"`)
  const end = linked.search(/<\/body\s*>(?![^]*<\/body\s*>)/i)
  return end === -1 ? linked + more : linked.slice(0, end) + more + linked.slice(end)
}
