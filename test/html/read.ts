import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import type { PageContent, PagePart, ReadRequest } from '../../src/contracts/page-content.ts'

export const pageUrl = 'https://ex.com/docs/page'

/** Returns a request for a page, with the simplest values for all options that a test does not set. */
export const requestOf = (html: string, wanted: PagePart[], options: Partial<ReadRequest> = {}): ReadRequest => ({
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

export const read = (...request: Parameters<typeof requestOf>): PageContent => readHtml(requestOf(...request))

export function markdownOf(body: string, options: Partial<ReadRequest> = {}): string {
  const html = body.includes('<html')
    ? body
    : `<!doctype html><html><head><title>t</title></head><body>${body}</body></html>`
  return read(html, ['markdown'], options).markdown ?? ''
}
