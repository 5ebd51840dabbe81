import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import type { PageContent, PagePart, ReadRequest } from '../../src/contracts/page-content.ts'

export const pageUrl = 'https://ex.com/docs/page'

/** Reads a page with the plainest options; a test names only what it is about. */
export function read(html: string, wanted: PagePart[], options: Partial<ReadRequest> = {}): PageContent {
  return readHtml({
    html,
    url: pageUrl,
    wanted,
    attributes: [],
    onlyMainContent: false,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    ...options,
  })
}

export function markdownOf(body: string, options: Partial<ReadRequest> = {}): string {
  const html = body.includes('<html')
    ? body
    : `<!doctype html><html><head><title>t</title></head><body>${body}</body></html>`
  return read(html, ['markdown'], options).markdown ?? ''
}
